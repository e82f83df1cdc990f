import type { Pattern } from '../speech/pattern.ts';

/** Of one wording, as many texts are made; the rest of its branches says little that is new. */
const MOST = 400;

/** Ways to say an act: the alternatives of its outermost bracket. */
export function waysOf(pattern: Pattern): readonly Pattern[] {
  if (typeof pattern !== 'string' && 'any' in pattern) return pattern.any.flatMap(waysOf);
  return [pattern];
}

/** What a pattern can sound like, slots by their names in brackets. */
export function spokenForms(pattern: Pattern): readonly string[] {
  if (typeof pattern === 'string') return [pattern];
  if ('slot' in pattern) return [` ${slotToken(pattern.slot)} `];
  if ('any' in pattern) return pattern.any.flatMap(spokenForms).slice(0, MOST);
  return pattern.all.reduce<readonly string[]>(
    (texts, part) => {
      const next = spokenForms(part);
      return texts.flatMap((text) => next.map((more) => text + more)).slice(0, MOST);
    },
    [''],
  );
}

/** Stands for a fact in a text whose facts are hidden, so that no charity's name makes two acts alike. */
export const slotToken = (name: string) => `slot_${name.toLowerCase()}_`;
