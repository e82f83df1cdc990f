interface Phrase {
  /** Words after the first. */
  readonly rest: readonly string[];
  readonly bit: number;
  readonly anchored: boolean;
}

/** Words people open a sentence with before they say what they mean: skipped by `^`. */
const OPENERS = new Set(
  'well oh um uh hmm hm ah so and but then honestly look okay ok alright yeah sorry hi hello hey'.split(' '),
);

/** `a (b|c) d` -> `a b d`, `a c d`; an empty branch leaves the word out. */
export function expand(pattern: string): string[] {
  const open = pattern.indexOf('(');
  if (open === -1) return [pattern.replace(/\s+/g, ' ').trim()];
  const close = pattern.indexOf(')', open);
  return pattern
    .slice(open + 1, close)
    .split('|')
    .flatMap((branch) => expand(`${pattern.slice(0, open)}${branch}${pattern.slice(close + 1)}`));
}

/**
 * Finds phrases in a sentence's words, one table look-up a word. A phrase may start with `^` (first words of the
 * sentence only, openers such as "well" skipped). At most 31 cues.
 */
export class Lexicon<Cue extends string> {
  readonly cues: readonly Cue[];
  readonly #phrases = new Map<string, Phrase[]>();

  constructor(table: Readonly<Record<Cue, readonly string[]>>) {
    this.cues = Object.keys(table) as Cue[];
    this.cues.forEach((cue, at) => {
      for (const pattern of table[cue])
        for (const phrase of expand(pattern)) {
          const anchored = phrase.startsWith('^');
          const [first = '', ...rest] = phrase.slice(anchored ? 1 : 0).split(' ');
          const known = this.#phrases.get(first) ?? [];
          known.push({ rest, bit: 1 << at, anchored });
          this.#phrases.set(first, known);
        }
    });
  }

  bit(cue: Cue): number {
    return 1 << this.cues.indexOf(cue);
  }

  /** Bits of all cues found. */
  match(words: readonly string[]): number {
    let found = 0;
    let opening = true;
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      const phrases = this.#phrases.get(word);
      if (phrases !== undefined)
        for (const { rest, bit, anchored } of phrases) {
          if ((found & bit) !== 0 || (anchored && !opening)) continue;
          let same = true;
          for (let next = 0; next < rest.length; next++)
            if (words[at + 1 + next] !== rest[next]) {
              same = false;
              break;
            }
          if (same) found |= bit;
        }
      if (opening && !OPENERS.has(word)) opening = false;
    }
    return found;
  }
}
