import { WORDS } from './words.ts';

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

/** A step in a phrase: what is said once one is here, and the words that lead on, by their place in the lexicon. */
interface Step {
  bits: number;
  /** Said only where the phrase began the sentence. */
  anchored: number;
  next: Map<number, Step> | null;
}
const step = (): Step => ({ bits: 0, anchored: 0, next: null });

/** All that is known of a word, found by one look-up. */
export interface Entry {
  /** Its place in the lexicon. */
  readonly place: number;
  /** The lists it stands in, as bits (`wordBit`). */
  lists: number;
  opener: boolean;
  /** Phrases that begin with the word. */
  phrases: Step | null;
}

type WordLists<List extends string> = Readonly<Partial<Record<List, ReadonlySet<string>>>>;

/**
 * Word lists and phrases as one table. A phrase may start with `^` (first words of the sentence only, openers such
 * as "well" skipped). At most 31 phrase cues and 31 lists. Contractions without their apostrophe count as themselves
 * in lists and as the whole form in phrases; in `exact` lists they count only as they are written.
 */
export class Lexicon<Cue extends string, List extends string = never> {
  readonly cues: readonly Cue[];
  readonly #entries = new Map<string, Entry>();
  readonly #lists: readonly List[];
  /** Entries by the number of the word (WORDS); words past its end are not in the lexicon. */
  #known: (Entry | null)[] = [];
  #generation = -1;

  constructor(
    phrases: Readonly<Record<Cue, readonly string[]>>,
    lists: WordLists<List> = {} as WordLists<List>,
    exact: WordLists<List> = {} as WordLists<List>,
  ) {
    this.cues = Object.keys(phrases) as Cue[];
    this.#lists = [...Object.keys(lists), ...Object.keys(exact)] as List[];
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
            const { place } = this.#entry(word);
            let there = here.next.get(place);
            if (there === undefined) {
              there = step();
              here.next.set(place, there);
              const bare = BARE_FORMS.get(word);
              if (bare !== undefined) here.next.set(this.#entry(bare).place, there);
            }
            here = there;
          }
          if (anchored) here.anchored |= 1 << at;
          else here.bits |= 1 << at;
        }
    });
    this.#mark(lists);
    for (const word of OPENERS) this.#entry(word).opener = true;
    for (const [bare, whole] of BARE_CONTRACTIONS) {
      const { lists: of, phrases: said } = this.#entry(whole);
      const entry = this.#entry(bare);
      entry.lists |= of;
      entry.phrases = said;
    }
    this.#mark(exact);
  }

  #mark(lists: WordLists<List>): void {
    for (const list of Object.keys(lists) as List[])
      for (const word of lists[list] ?? []) this.#entry(word).lists |= this.wordBit(list);
  }

  #entry(word: string): Entry {
    let entry = this.#entries.get(word);
    if (entry === undefined) {
      entry = { place: this.#entries.size, lists: 0, opener: false, phrases: null };
      this.#entries.set(word, entry);
    }
    return entry;
  }

  /** What is known of each word by its number; nothing of words past its end. Valid until WORDS settles. */
  get known(): readonly (Entry | null)[] {
    if (this.#generation !== WORDS.generation) {
      const numbers = [...this.#entries].map(([word, entry]) => ({ number: WORDS.numberOf(word), entry }));
      this.#known = new Array<Entry | null>(Math.max(0, ...numbers.map(({ number }) => number)) + 1).fill(
        null,
      );
      for (const { number, entry } of numbers) this.#known[number] = entry;
      this.#generation = WORDS.generation;
    }
    return this.#known;
  }

  bit(cue: Cue): number {
    return 1 << this.cues.indexOf(cue);
  }

  wordBit(list: List): number {
    return 1 << this.#lists.indexOf(list);
  }

  /** Bits of the cues of a sentence: words[from..to), by number. */
  match(words: Int32Array, from: number, to: number): number {
    const { known } = this;
    let found = 0;
    let opening = true;
    for (let at = from; at < to; at++) {
      const word = words[at]!;
      const entry = word < known.length ? known[word]! : null;
      if (entry === null) {
        opening = false;
        continue;
      }
      let here: Step | undefined | null = entry.phrases;
      for (let next = at + 1; here != null; next++) {
        found |= opening ? here.bits | here.anchored : here.bits;
        if (here.next === null || next >= to) break;
        const word = words[next]!;
        const after: Entry | null = word < known.length ? known[word]! : null;
        here = after === null ? null : here.next.get(after.place);
      }
      if (!entry.opener) opening = false;
    }
    return found;
  }

  /** The same of words as texts. */
  matchTexts(words: readonly string[]): number {
    const numbers = Int32Array.from(words, (word) => WORDS.numberOf(word));
    return this.match(numbers, 0, numbers.length);
  }
}
