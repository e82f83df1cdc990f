import { ASKED, EXCLAIMED, STOP, WordScan } from './word-scan.ts';
import { WORDS } from './words.ts';

export interface Sentence {
  readonly words: readonly string[];
  /** The mark it ends with, '' for a line end or the end of the text. */
  readonly mark: '?' | '!' | '.' | '';
}

const SCAN = new WordScan();

/** Sentences of a text with their words (WordScan), as texts. */
export function sentences(text: string): Sentence[] {
  WORDS.settle();
  SCAN.read(text);
  return SCAN.ends.map((end, at) => ({
    words: Array.from(SCAN.words.subarray(SCAN.ends[at - 1] ?? 0, end), (word) => WORDS.text(word)),
    mark: markOf(SCAN.marks[at]!),
  }));
}

function markOf(mark: number): Sentence['mark'] {
  return mark === ASKED ? '?' : mark === EXCLAIMED ? '!' : mark === STOP ? '.' : '';
}
