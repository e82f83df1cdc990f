/**
 * Sets by key; the members of one stand in the order in which they came. Most have one member: it is kept as it is, and
 * no set made for it.
 */
export class Pool<T extends object> {
  readonly #sets = new Map<string, T | Set<T>>();

  add(key: string, one: T): void {
    const here = this.#sets.get(key);
    if (here === undefined) this.#sets.set(key, one);
    else if (here instanceof Set) here.add(one);
    else if (here !== one) this.#sets.set(key, new Set([here, one]));
  }

  remove(key: string, one: T): void {
    const here = this.#sets.get(key);
    if (here === one || (here instanceof Set && here.delete(one) && here.size === 0)) this.#sets.delete(key);
  }

  /** The one that has been there longest. */
  first(key: string): T | null {
    const here = this.#sets.get(key);
    if (!(here instanceof Set)) return here ?? null;
    return here.values().next().value ?? null;
  }

  has(key: string): boolean {
    return this.#sets.has(key);
  }

  all(key: string): Iterable<T> {
    const here = this.#sets.get(key);
    return here instanceof Set ? here : here === undefined ? [] : [here];
  }

  get keys(): number {
    return this.#sets.size;
  }
}

/** Stacks by key: of those who are in one, the last to come is found first. One alone is kept as it is. */
export class Stack<T extends object> {
  readonly #stacks = new Map<string, T | Pile<T>>();

  add(key: string, one: T): void {
    const here = this.#stacks.get(key);
    if (here === undefined) this.#stacks.set(key, one);
    else if (here instanceof Pile) here.add(one);
    else if (here !== one) {
      const pile = new Pile<T>();
      pile.add(here);
      pile.add(one);
      this.#stacks.set(key, pile);
    }
  }

  remove(key: string, one: T): void {
    const here = this.#stacks.get(key);
    if (here === one || (here instanceof Pile && here.remove(one) === 0)) this.#stacks.delete(key);
  }

  last(key: string): T | null {
    const here = this.#stacks.get(key);
    return here instanceof Pile ? here.last() : (here ?? null);
  }

  get keys(): number {
    return this.#stacks.size;
  }
}

class Pile<T> {
  #order: T[] = [];
  readonly #here = new Set<T>();

  add(one: T): void {
    this.#order.push(one);
    this.#here.add(one);
  }

  /** How many are left. */
  remove(one: T): number {
    // Those who left are taken out when they come to light, or are more than those who are here.
    if (this.#here.delete(one) && this.#order.length > 8 + 2 * this.#here.size)
      this.#order = [...new Set(this.#order.filter((other) => this.#here.has(other)))];
    return this.#here.size;
  }

  last(): T | null {
    for (;;) {
      const one = this.#order.at(-1);
      if (one === undefined || this.#here.has(one)) return one ?? null;
      this.#order.pop();
    }
  }
}

/** A queue by age, from which anyone may step out. Times must not run backwards. */
export class AgeQueue<T> {
  readonly #since = new Map<T, number>();

  enter(one: T, now: number): void {
    this.#since.delete(one);
    this.#since.set(one, now);
  }

  leave(one: T): void {
    this.#since.delete(one);
  }

  since(one: T): number | undefined {
    return this.#since.get(one);
  }

  /** Time at which the oldest entered; null = nobody is here. */
  get oldest(): number | null {
    return this.#since.values().next().value ?? null;
  }

  /** Takes out all who entered at `until` or before, oldest first. */
  takeUntil(until: number): T[] {
    const taken: T[] = [];
    for (const [one, since] of this.#since) {
      if (since > until) break;
      taken.push(one);
    }
    for (const one of taken) this.#since.delete(one);
    return taken;
  }
}
