/**
 * Ids of the rows that one row stands for: ascending and each once when they are read, not each time one comes. A
 * collapsed simulator repeats itself a hundred thousand times, and its cost must not grow with the square.
 */
export class RowIds {
  #settled: readonly number[];
  #added: number[] = [];

  constructor(settled: readonly number[]) {
    this.#settled = settled;
  }

  add(ids: readonly number[]): void {
    for (const id of ids) this.#added.push(id);
    // Copies of known ids are let go of before they outnumber them.
    if (this.#added.length > Math.max(64, this.#settled.length)) this.#settle();
  }

  get all(): readonly number[] {
    if (this.#added.length > 0) this.#settle();
    return this.#settled;
  }

  #settle(): void {
    const all = new Set(this.#settled);
    for (const id of this.#added) all.add(id);
    this.#settled = [...all].sort((a, b) => a - b);
    this.#added = [];
  }
}
