import type { Tracked } from './tracked.ts';

/** Sessions by what their clients call them. A name that starts over is its next incarnation: `id`, `id~2`, `id~3`. */
export class Names {
  readonly #current = new Map<string, Tracked>();
  /** Number of the newest incarnation, of names that sessions in the table have. */
  readonly #newest = new Map<string, { number: number; sessions: number }>();
  readonly taken: (id: string) => boolean;

  constructor(taken: (id: string) => boolean) {
    this.taken = taken;
  }

  get size(): number {
    return this.#current.size + this.#newest.size;
  }

  current(name: string): Tracked | null {
    return this.#current.get(name) ?? null;
  }

  set(name: string, one: Tracked): void {
    this.#current.set(name, one);
  }

  /** The id of its next incarnation. Every call is one more session that is to be forgotten some time. */
  next(name: string): string {
    const newest = this.#newest.get(name) ?? { number: 0, sessions: 0 };
    this.#newest.set(name, newest);
    newest.sessions += 1;
    for (;;) {
      newest.number += 1;
      const id = newest.number === 1 ? name : `${name}~${newest.number}`;
      if (!this.taken(id)) return id;
    }
  }

  /** An id for a session without a name. */
  fresh(newId: () => string): string {
    for (;;) {
      const id = newId();
      if (!this.taken(id)) return id;
    }
  }

  /** As `set` and `next` left it before a restart. */
  restore(one: Tracked): void {
    const { name, number } = incarnation(one.id);
    const newest = this.#newest.get(name) ?? { number: 0, sessions: 0 };
    this.#newest.set(name, newest);
    newest.sessions += 1;
    newest.number = Math.max(newest.number, number);
    if (newest.number === number) this.#current.set(name, one);
  }

  forget(one: Tracked): void {
    if (one.by === 'content') return;
    const name = one.name ?? incarnation(one.id).name;
    if (this.#current.get(name) === one) this.#current.delete(name);
    const newest = this.#newest.get(name);
    if (newest !== undefined && --newest.sessions === 0) this.#newest.delete(name);
  }
}

/** What a client that made up `name~2` itself means is found by the whole id. */
export function incarnation(id: string): { readonly name: string; readonly number: number } {
  const [, name, number] = /^(.+)~([2-9]|[1-9]\d+)$/.exec(id) ?? [];
  return name === undefined ? { name: id, number: 1 } : { name, number: Number(number) };
}
