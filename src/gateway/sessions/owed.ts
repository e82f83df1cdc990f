/**
 * How many attempts at the same (request, and which try it was) came to nothing whose retries are still to come. A client that says that it
 * tries again does so for one of these, if there are any; only if there are none was a reply lost, or is one given up
 * that is still under way. Without the count, the retry of one dialogue would be taken for that of another, equal one
 * that had come first to the session which the failure left free.
 */
export class Owed {
  readonly #counts = new Map<string, { count: number; readonly at: number }>();

  /** @param now in ms; must not run backwards */
  add(what: string, now: number): void {
    const count = (this.#counts.get(what)?.count ?? 0) + 1;
    this.#counts.delete(what);
    this.#counts.set(what, { count, at: now });
  }

  /** A retry has come. True: it is the retry of one of these. */
  settle(what: string): boolean {
    const owed = this.#counts.get(what);
    if (owed === undefined) return false;
    owed.count -= 1;
    if (owed.count === 0) this.#counts.delete(what);
    return true;
  }

  /** Nobody comes back for what is older than `until`. */
  expire(until: number): void {
    for (const [what, { at }] of this.#counts) {
      if (at > until) return;
      this.#counts.delete(what);
    }
  }

  get size(): number {
    return this.#counts.size;
  }
}
