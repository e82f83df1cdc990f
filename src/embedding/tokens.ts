import { NUMBER, WordScan } from './word-scan.ts';
import { WORDS } from './words.ts';

export { NUMBER };

const SCAN = new WordScan();

/** Lowercase words in order (WordScan), as texts. With `marks`, runs of `?` and `!` become the tokens `?` and `!`. */
export function tokens(text: string, marks = false): string[] {
  WORDS.settle();
  SCAN.read(text);
  const read = marks ? SCAN.tokens.subarray(0, SCAN.tokenCount) : SCAN.words.subarray(0, SCAN.length);
  return Array.from(read, (word) => WORDS.text(word));
}
