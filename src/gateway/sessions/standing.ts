import { joined, sameAs } from './history.ts';
import { AgeQueue, Pool, Stack } from './pool.ts';
import type { TableOptions } from './session.ts';
import { isAnswered, type Tracked } from './tracked.ts';

/** Histories of which the same reply was the last: more are not looked through. */
const LOOK_THROUGH = 32;

/**
 * Who stands where: sessions that content alone tells apart, found by what a request can say of them. A session is in
 * here while it is open or was closed a moment ago, and `leave`s before anything about it changes.
 */
export class Standing {
  /** Idle, by head: nothing was asked there yet. And by head with ids of tool calls. */
  readonly #waiting = new Pool<Tracked>();
  /** Idle, by head: something was asked there, and never answered. */
  readonly #unmetAt = new Pool<Tracked>();
  /** Idle, by what was asked without an answer. */
  readonly #unmet = new Pool<Tracked>();
  /** By what was asked and answered last; those of a first try alone; by what it was and which later try. */
  readonly #answered = new Stack<Tracked>();
  readonly #answeredFirst = new Stack<Tracked>();
  readonly #answeredLater = new Stack<Tracked>();
  /** By what is being answered, likewise. */
  readonly #flying = new Pool<Tracked>();
  readonly #flyingFirst = new Pool<Tracked>();
  readonly #flyingLater = new Pool<Tracked>();
  /** Idle, by base and last reply. */
  readonly #tails = new Pool<Tracked>();
  /** Whoever came by a head last. */
  readonly #past = new Map<string, Tracked>();

  enter(one: Tracked): void {
    this.#change(one, 'add');
  }

  leave(one: Tracked): void {
    this.#change(one, 'remove');
  }

  #change(one: Tracked, how: 'add' | 'remove'): void {
    if (one.flight !== null) {
      const { asked, calls, retry } = one.flight;
      const same = sameAs(asked, calls);
      this.#flying[how](same, one);
      if (retry === 0) this.#flyingFirst[how](same, one);
      else this.#flyingLater[how](joined(same, retry), one);
      return;
    }
    if (one.answered !== null) {
      const { same, retry } = one.answered;
      this.#answered[how](same, one);
      if (retry === 0) this.#answeredFirst[how](same, one);
      else this.#answeredLater[how](joined(same, retry), one);
    }
    if (one.closed) return;
    if (one.unmet !== null) this.#unmet[how](one.unmet.same, one);
    if (!isAnswered(one)) return;
    const met = one.unmet === null || one.unmet.turn < one.next;
    if (met) {
      this.#waiting[how](one.head, one);
      if (one.calls !== '') this.#waiting[how](joined(one.head, one.calls), one);
    } else this.#unmetAt[how](one.head, one);
    if (how === 'add') one.tail = joined(one.base, one.replies.at(-1)!);
    this.#tails[how](one.tail, one);
  }

  /** Its newest head is known as a place where replies of the gateway lead. */
  mark(one: Tracked): void {
    this.#past.set(one.head, one);
  }

  /** For good: nothing of it is known any more. */
  forget(one: Tracked): void {
    this.leave(one);
    for (const head of one.heads) if (this.#past.get(head) === one) this.#past.delete(head);
  }

  /**
   * Whose attempt at the same came to nothing. Where that was the session's first turn it has to be after `since`:
   * later it is somebody else's beginning.
   */
  unmet(same: string, since: number): Tracked | null {
    for (const one of this.#unmet.all(same)) {
      if (isAnswered(one) || one.unmet!.at >= since) return one;
      this.#unmet.remove(same, one);
    }
    return null;
  }

  /** Who waits at a head, tool calls of the same ids first (histories without ids are the same). */
  waiting(head: string, calls: string): Tracked | null {
    const sameCalls = calls === '' ? null : this.#waiting.first(joined(head, calls));
    return sameCalls ?? this.#waiting.first(head) ?? this.#unmetAt.first(head);
  }

  /** Whose attempt at the same is under way, the longest first; of one try only, if that is given. */
  flying(same: string, retry: number | null): Tracked | null {
    if (retry === null) return this.#flying.first(same);
    return retry === 0 ? this.#flyingFirst.first(same) : this.#flyingLater.first(joined(same, retry));
  }

  /** Who was answered the same after `since`, the last first; of one try only, if that is given. */
  answered(same: string, retry: number | null, since: number): Tracked | null {
    const one =
      retry === null
        ? this.#answered.last(same)
        : retry === 0
          ? this.#answeredFirst.last(same)
          : this.#answeredLater.last(joined(same, retry));
    return one !== null && one.answered!.at >= since ? one : null;
  }

  passed(head: string): Tracked | null {
    return this.#past.get(head) ?? null;
  }

  /** The one history (of one session or of several that are equal) that ends with this reply; null = none, or many. */
  tail(base: string, reply: string): Tracked | null {
    let found: Tracked | null = null;
    let looked = 0;
    for (const one of this.#tails.all(joined(base, reply))) {
      if (++looked > LOOK_THROUGH || (found !== null && found.head !== one.head)) return null;
      found ??= one;
    }
    return found;
  }

  /** Keys that are held, for tests of memory. */
  get size(): number {
    const pools = [
      ...[this.#waiting, this.#unmetAt, this.#unmet, this.#tails],
      ...[this.#answered, this.#answeredFirst, this.#answeredLater],
      ...[this.#flying, this.#flyingFirst, this.#flyingLater],
    ];
    return pools.reduce((sum, { keys }) => sum + keys, this.#past.size);
  }
}

/** Sessions by when they will be over. */
export class Ages {
  readonly idle = new AgeQueue<Tracked>();
  /** Not one reply delivered. */
  readonly unanswered = new AgeQueue<Tracked>();
  /** Closed, kept for retries of the last turn. */
  readonly closed = new AgeQueue<Tracked>();

  enter(one: Tracked, now: number): void {
    if (one.flight !== null) return;
    const queue = one.closed
      ? this.closed
      : isAnswered(one) || one.name !== null
        ? this.idle
        : this.unanswered;
    queue.enter(one, now);
  }

  leave(one: Tracked): void {
    this.idle.leave(one);
    this.unanswered.leave(one);
    this.closed.leave(one);
  }

  /** Seconds until one is over by age at the latest, 1 to 30: most are closed before. */
  roomIn({ idleMs, retryMs }: Pick<TableOptions, 'idleMs' | 'retryMs'>, now: number): number {
    const ends = [
      ...(this.idle.oldest === null ? [] : [this.idle.oldest + idleMs]),
      ...(this.unanswered.oldest === null ? [] : [this.unanswered.oldest + retryMs]),
    ];
    if (ends.length === 0) return 30;
    return Math.min(30, Math.max(1, Math.ceil((Math.min(...ends) - now) / 1000)));
  }
}
