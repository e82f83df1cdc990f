/** Words people open a sentence with before they say what they mean: skipped by `^`. */
const OPENERS = new Set(
  'well oh um uh hmm hm ah so and but then honestly look okay ok alright yeah sorry hi hello hey'.split(' '),
);

/** Written without the apostrophe; read as if it stood there. */
const BARE_CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  "don't can't won't didn't doesn't isn't wasn't aren't couldn't wouldn't shouldn't haven't hasn't hadn't i'm i've that's what's it'll they're you're you've there's he's she's let's"
    .split(' ')
    .map((word) => [word.replace("'", ''), word]),
);

const BARE_FORMS = new Map([...BARE_CONTRACTIONS].map(([bare, whole]) => [whole, bare]));

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

/** A step in a phrase: what is said once one is here, and the words that lead on. */
interface Step {
  bits: number;
  /** Said only where the phrase began the sentence. */
  anchored: number;
  next: Map<string, Step> | null;
}
const step = (): Step => ({ bits: 0, anchored: 0, next: null });

/** All that is known of a word, found by one look-up. */
export interface Entry {
  /** The lists it stands in, as bits (`wordBit`). */
  readonly lists: number;
  readonly opener: boolean;
  /** Phrases that begin with the word. */
  readonly phrases: Step | null;
}

/**
 * Word lists and phrases as one table. A phrase may start with `^` (first words of the sentence only, openers such
 * as "well" skipped). At most 31 phrase cues and 31 lists. Contractions without their apostrophe count as themselves
 * in lists and as the whole form in phrases.
 */
export class Lexicon<Cue extends string, List extends string = never> {
  readonly cues: readonly Cue[];
  readonly #entries = new Map<string, { lists: number; opener: boolean; phrases: Step | null }>();
  readonly #lists: readonly List[];

  constructor(
    phrases: Readonly<Record<Cue, readonly string[]>>,
    lists: Readonly<Record<List, ReadonlySet<string>>> = {} as Record<List, ReadonlySet<string>>,
  ) {
    this.cues = Object.keys(phrases) as Cue[];
    this.#lists = Object.keys(lists) as List[];
    this.cues.forEach((cue, at) => {
      for (const pattern of phrases[cue])
        for (const phrase of expand(pattern)) {
          const anchored = phrase.startsWith('^');
          const [first = '', ...rest] = phrase.slice(anchored ? 1 : 0).split(' ');
          const entry = this.#entry(first);
          entry.phrases ??= step();
          let here = entry.phrases;
          for (const word of rest) {
            here.next ??= new Map();
            let there = here.next.get(word);
            if (there === undefined) {
              there = step();
              here.next.set(word, there);
              const bare = BARE_FORMS.get(word);
              if (bare !== undefined) here.next.set(bare, there);
            }
            here = there;
          }
          if (anchored) here.anchored |= 1 << at;
          else here.bits |= 1 << at;
        }
    });
    this.#lists.forEach((list, at) => {
      for (const word of lists[list]) this.#entry(word).lists |= 1 << at;
    });
    for (const word of OPENERS) this.#entry(word).opener = true;
    for (const [bare, whole] of BARE_CONTRACTIONS) {
      const { lists: of, phrases: said } = this.#entry(whole);
      const entry = this.#entry(bare);
      entry.lists |= of;
      entry.phrases = said;
    }
  }

  #entry(word: string) {
    let entry = this.#entries.get(word);
    if (entry === undefined) {
      entry = { lists: 0, opener: false, phrases: null };
      this.#entries.set(word, entry);
    }
    return entry;
  }

  entry(word: string): Entry | undefined {
    return this.#entries.get(word);
  }

  bit(cue: Cue): number {
    return 1 << this.cues.indexOf(cue);
  }

  wordBit(list: List): number {
    return 1 << this.#lists.indexOf(list);
  }

  /** Bits of the cues of a sentence; `each` is told every word's entry. */
  match(words: readonly string[], each?: (word: string, entry: Entry | undefined) => void): number {
    let found = 0;
    let opening = true;
    for (let at = 0; at < words.length; at++) {
      const entry = this.#entries.get(words[at]!);
      if (each !== undefined) each(words[at]!, entry);
      if (entry === undefined) {
        opening = false;
        continue;
      }
      let here: Step | undefined | null = entry.phrases;
      for (let next = at + 1; here != null; next++) {
        found |= opening ? here.bits | here.anchored : here.bits;
        here = here.next === null || next >= words.length ? null : here.next.get(words[next]!);
      }
      if (!entry.opener) opening = false;
    }
    return found;
  }
}
