import type { EvolveRound, EvolveView } from './evolve-payload.ts';
import { breakerSentence, evolveHeadline, promiseOf, proposalsOf } from './evolve-standing.ts';
import { ascii, clip, figureLine, figureText, wrap } from './plain-text.ts';

const WIDTH = 100;
const COLUMNS = [7, 11, 22, 22, 22, 14] as const;

/** A run in words for readers without scripts. Printable ASCII, at most 100 columns, no line break at the end. */
export function evolveSummary(view: EvolveView): string {
  const { final, rounds, members } = view;
  const { accepted, rolledBack, none } = proposalsOf(rounds);
  return [
    ...wrap(ascii(evolveHeadline(view)), WIDTH),
    '',
    ...(final === null
      ? []
      : [
          row('Test panel', figureLine(final.test), figureText(final.baseTest)),
          row('People', figureLine(final.people), figureText(final.basePeople)),
          row('PSOD rise', figureLine(final.psodRise)),
          '',
        ]),
    ...wrap(ascii(breakerSentence(rounds)), WIDTH),
    `Populations: ${accepted} accepted, ${rolledBack} rolled back, ${none} rounds proposed none; ${members.length} members met.`,
    ...promiseOf(view).flatMap((text) => wrap(ascii(text), WIDTH)),
    ...(rounds.length === 0
      ? []
      : ['', cells(['round', 'breaker', 'SCD2 before', 'BDI before', 'selection after', 'proposal'])]),
    ...rounds.map(roundLine),
  ].join('\n');
}

function row(name: string, text: string, base?: string): string {
  return clip(`${name.padEnd(12)}${text}${base === undefined ? '' : `; before training ${base}`}`, WIDTH);
}

function roundLine({ round, look, breaker, acceptance, exam }: EvolveRound): string {
  return cells([
    String(round),
    breaker.after,
    figureText(look.scd2),
    figureText(look.bdi),
    exam === null ? '-' : figureText(exam.selection),
    acceptance === null ? 'as it was' : acceptance.accepted ? 'accepted' : 'rolled back',
  ]);
}

function cells(texts: readonly string[]): string {
  return texts
    .map((text, at) => clip(text, COLUMNS[at]! - 1).padEnd(COLUMNS[at]!))
    .join('')
    .trimEnd();
}
