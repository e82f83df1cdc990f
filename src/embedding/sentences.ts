import { scanTokens } from './tokens.ts';

export interface Sentence {
  readonly words: readonly string[];
  /** The mark it ends with, '' for a line end or the end of the text. */
  readonly mark: '?' | '!' | '.' | '';
}

/**
 * Sentences of a text with their words. A full stop ends a sentence only before white space or the end, so that 3.50
 * and e-mail addresses stay whole.
 */
export function sentences(text: string): Sentence[] {
  const out: Sentence[] = [];
  const lower = text.toLowerCase();
  const { length } = lower;
  let start = 0;
  const cut = (end: number, mark: Sentence['mark']): void => {
    const words: string[] = [];
    scanTokens(lower, start, end, false, words);
    if (words.length > 0) {
      out.push({ words, mark });
    } else if (mark === '?' && out.length > 0) {
      // "Really...?" and "what ?!" ask all the same.
      const last = out[out.length - 1]!;
      out[out.length - 1] = { words: last.words, mark };
    }
    start = end + 1;
  };
  for (let at = 0; at < length; at++) {
    const code = lower.charCodeAt(at);
    if (code === 0x3f || code === 0xff1f) cut(at, '?');
    else if (code === 0x21 || code === 0xff01) cut(at, '!');
    else if (code === 0x0a || code === 0x3002 || code === 0x2026) cut(at, code === 0x0a ? '' : '.');
    else if (code === 0x2e) {
      const next = at + 1 < length ? lower.charCodeAt(at + 1) : 0x20;
      if (next <= 0x20 || next === 0x2e || next === 0x22 || next === 0x29 || next === 0x3f) cut(at, '.');
    }
  }
  cut(length, '');
  return out;
}
