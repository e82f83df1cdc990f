/** Sets by key; the members of one stand in the order in which they came. */
export class Pool<T> {
  readonly #sets = new Map<string, Set<T>>();

  add(key: string, one: T): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, new Set([one]));
    else set.add(one);
  }

  remove(key: string, one: T): void {
    const set = this.#sets.get(key);
    if (set?.delete(one) && set.size === 0) this.#sets.delete(key);
  }

  /** The one that has been there longest. */
  first(key: string): T | null {
    const set = this.#sets.get(key);
    return set === undefined ? null : (set.values().next().value ?? null);
  }

  has(key: string): boolean {
    return this.#sets.has(key);
  }

  all(key: string): ReadonlySet<T> {
    return this.#sets.get(key) ?? (NONE as ReadonlySet<T>);
  }

  get keys(): number {
    return this.#sets.size;
  }
}

const NONE: ReadonlySet<unknown> = new Set();

/** Stacks by key: of those who are in one, the last to come is found first. */
export class Stack<T> {
  readonly #stacks = new Map<string, { order: T[]; readonly here: Set<T> }>();

  add(key: string, one: T): void {
    const stack = this.#stacks.get(key) ?? { order: [], here: new Set<T>() };
    this.#stacks.set(key, stack);
    stack.order.push(one);
    stack.here.add(one);
  }

  remove(key: string, one: T): void {
    const stack = this.#stacks.get(key);
    if (!stack?.here.delete(one)) return;
    if (stack.here.size === 0) this.#stacks.delete(key);
    // Those who left are taken out when they come to light, or are more than those who are here.
    else if (stack.order.length > 8 + 2 * stack.here.size)
      stack.order = [...new Set(stack.order.filter((other) => stack.here.has(other)))];
  }

  last(key: string): T | null {
    const stack = this.#stacks.get(key);
    if (stack === undefined) return null;
    for (;;) {
      const one = stack.order.at(-1);
      if (one === undefined || stack.here.has(one)) return one ?? null;
      stack.order.pop();
    }
  }

  get keys(): number {
    return this.#stacks.size;
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
