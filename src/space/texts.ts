/** Texts by number, each held once; -1 is null. */
export class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  number(text: string | null): number {
    if (text === null) return -1;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  text(number: number): string | null {
    return number < 0 ? null : this.#texts[number]!;
  }

  all(): readonly string[] {
    return this.#texts;
  }
}
