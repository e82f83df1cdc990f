/** Words as they are compared: letters and digits, no case, no marks. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];

/** Runs of so many words count as quoted. */
export const QUOTED_WORDS = 5;

/** Runs of `length` words that stand in a text and in one of the sources; each once, in the order of the text. */
export class RunsOf {
  readonly #length: number;
  readonly #known = new Set<string>();

  constructor(sources: Iterable<string>, length = QUOTED_WORDS) {
    this.#length = length;
    for (const source of sources) for (const run of runs(source, length)) this.#known.add(run);
  }

  sharedWith(text: string): readonly string[] {
    return [...new Set(runs(text, this.#length))].filter((run) => this.#known.has(run));
  }
}

function runs(text: string, length: number): string[] {
  const words = wordsOf(text);
  return Array.from({ length: Math.max(0, words.length - length + 1) }, (_, at) =>
    words.slice(at, at + length).join(' '),
  );
}
