import type { Binding, JournalRecord } from '../recorder/records.ts';
import { ApiError } from '../wire/api-error.ts';
import type { ChatRequest } from '../wire/chat-request.ts';
import { type History, historyOf, joined, replyHashes, sameAs } from './history.ts';
import { Names } from './names.ts';
import { Owed } from './owed.ts';
import { restored } from './restore.ts';
import type { Arrival, Ended, Placement, Seat, Spoken, TableOptions } from './session.ts';
import { Ages, Standing } from './standing.ts';
import { advance, type Flight, gave, isAnswered, type Tracked, tracked } from './tracked.ts';

const TRIES = 10;

type Known = Extract<Placement, { kind: 'known' }>;

/**
 * Which session a request belongs to (docs/gateway.md). No clock, no files: times are the caller's, in milliseconds,
 * and never run backwards. Every step takes as long with a hundred thousand sessions as with one.
 *
 * Every placement is an attempt that has to end: `delivered`, `undelivered` or `failed`.
 */
export class SessionTable {
  readonly #options: TableOptions;
  readonly #sessions = new Map<string, Tracked>();
  readonly #names: Names;
  readonly #standing = new Standing();
  readonly #ages = new Ages();
  readonly #owed = new Owed();
  /** Of sessions under a name that was in use: whose it was. */
  readonly #branchedFrom = new WeakMap<Tracked, Tracked>();
  #open = 0;
  #attempts = 0;

  constructor(options: TableOptions) {
    this.#options = options;
    const { taken } = options;
    this.#names = new Names((id) => this.#sessions.has(id) || taken?.(id) === true);
  }

  /** Sessions that are not closed, orphans to be included. */
  get open(): number {
    return this.#open;
  }

  /** Sessions and keys that are kept: 0 once all are forgotten. For tests of memory. */
  get held(): number {
    return this.#sessions.size + this.#standing.size + this.#owed.size + this.#names.size;
  }

  /**
   * @throws ApiError 400 `turn_limit`, 429 `session_limit`, and 409 `session_busy` where a named session is asked for
   * something else while a turn of it is under way, and `superseded` where a later try of the same is under way.
   */
  place(arrival: Arrival): Placement {
    const { request, named } = arrival;
    if (named !== null && !named.weak) return this.#byName(arrival, named.id, historyOf(request, null));
    return this.#byContent(arrival, historyOf(request, named?.id ?? null));
  }

  /**
   * The client has the whole reply, as far as can be known. False: the attempt is not the session's present one (a
   * retry took its place, or the session is gone), and nothing changed: what was said in it does not count.
   */
  delivered(seat: Seat, reply: Spoken, now: number): boolean {
    const landed = this.#land(seat);
    if (landed === null) return false;
    const { one, flight } = landed;
    advance(one, flight, reply, now);
    if (one.name === null) this.#standing.mark(one);
    this.#rest(one, now);
    return true;
  }

  /** The client went away before the reply was whole. False as with `delivered`. */
  undelivered(seat: Seat, now: number): boolean {
    return this.#missed(seat, now);
  }

  /** There was no reply. False as with `delivered`. */
  failed(seat: Seat, now: number): boolean {
    return this.#missed(seat, now);
  }

  /**
   * The session is over. It is remembered for `retryMs`, for a client that lost the last reply. Null: no open session
   * has this id.
   */
  close(id: string, now: number): Ended | null {
    const one = this.#sessions.get(id);
    if (one === undefined || one.closed) return null;
    if (one.flight === null) this.#unrest(one);
    this.#shut(one);
    if (one.flight === null) this.#rest(one, now);
    return { id, orphan: !isAnswered(one) };
  }

  /** Ends what nobody spoke in for `idleMs`, and beginnings that nobody came back for in `retryMs`. To be called often. */
  expire(now: number): Ended[] {
    const { idleMs, retryMs } = this.#options;
    const ended: Ended[] = [];
    for (const one of this.#ages.idle.takeUntil(now - idleMs)) {
      this.#standing.leave(one);
      this.#shut(one);
      this.#rest(one, now);
      ended.push({ id: one.id, orphan: !isAnswered(one) });
    }
    for (const one of this.#ages.unanswered.takeUntil(now - retryMs)) {
      this.#shut(one);
      this.#forget(one);
      ended.push({ id: one.id, orphan: true });
    }
    for (const one of this.#ages.closed.takeUntil(now - retryMs)) this.#forget(one);
    this.#owed.expire(now - retryMs);
    return ended;
  }

  /**
   * Goes on after a restart with what the journal says, in its order: dialogues under way stay where they are. The
   * records of sessions that ended long ago can be left out; what is still open counts as spoken in `now`.
   */
  restore(records: Iterable<JournalRecord>, now: number): void {
    for (const one of restored(records, now)) {
      this.#sessions.set(one.id, one);
      if (!one.closed) this.#open += 1;
      if (one.by !== 'content') this.#names.restore(one);
      if (one.name === null && isAnswered(one)) this.#standing.mark(one);
      this.#rest(one, now);
    }
  }

  #byName(arrival: Arrival, name: string, history: History): Placement {
    const { request, retry } = arrival;
    const { same, head, replies } = history;
    // Or by the id that the gateway made for it: whoever read that from a reply may say it.
    const current = this.#names.current(name) ?? this.#sessions.get(name) ?? null;
    const one = current === null ? null : this.#pastStray(current, name, head);
    if (one === null) return this.#begin(arrival, history, null);
    if (one.flight !== null) {
      if (sameAs(one.flight.asked, one.flight.calls) !== same)
        throw new ApiError(409, `a turn of session ${one.id} is under way`, { code: 'session_busy' });
      // Its client had given it up before it was read: connections do not keep the order of requests.
      if (retry < one.flight.retry) throw new ApiError(409, 'asked again by a retry', { code: 'superseded' });
      return this.#once(one, request, history, retry);
    }
    if (one.answered?.same === same) return this.#once(one, request, history, retry);
    if (one.closed) return this.#begin(arrival, history, one);
    if (!isAnswered(one)) {
      one.first = replies;
      one.next = replies;
      return this.#known(one, one.next, request, history, retry, { again: one.unmet !== null });
    }
    const again = one.unmet?.turn === one.next;
    if (one.head === head) return this.#known(one, one.next, request, history, retry, { again });
    // The name says that it is this session, so that a history that was edited or cut is still its own; one that is
    // behind what was said, and does not end with the last reply, starts over or goes back.
    if (replies >= one.next || gave(one, replyHashes(request.messages)))
      return this.#known(one, one.next, request, history, retry, { again, edited: true });
    return this.#begin(arrival, history, one);
  }

  /**
   * A request that is read only after its client gave it up and went on begins a session that nobody speaks in. Whoever
   * then speaks where the one before it stands goes on there.
   */
  #pastStray(one: Tracked, name: string, head: string): Tracked {
    const before = isAnswered(one) ? undefined : this.#branchedFrom.get(one);
    if (before === undefined || before.closed || before.head !== head) return one;
    this.#names.set(name, before);
    return before;
  }

  #byContent(arrival: Arrival, history: History): Placement {
    const { request, retry, now } = arrival;
    const { same, head, base, replies } = history;
    const owed = retry > 0 && this.#owed.settle(joined(same, retry - 1));
    const standing = this.#standing;
    const retried = retry > 0 && !owed ? this.#retried(arrival, same) : null;
    if (retried !== null) return this.#once(retried, request, history, retry);
    const unmet = standing.unmet(same, now - this.#options.retryMs);
    if (unmet !== null)
      return this.#known(unmet, unmet.unmet!.turn, request, history, retry, { again: true });
    const waiting = replies === 0 ? null : standing.waiting(head, history.calls);
    if (waiting !== null) {
      const again = waiting.unmet?.turn === waiting.next;
      return this.#known(waiting, waiting.next, request, history, retry, { again });
    }
    const repeated = retry === 0 ? this.#repeated(arrival, same) : null;
    if (repeated !== null) return this.#once(repeated, request, history, retry);
    if (replies === 0) return this.#begin(arrival, history, null);
    const parent = standing.passed(head);
    if (parent === null) {
      const told = replyHashes(request.messages);
      const edited = standing.tail(base, told.at(-1)!);
      if (edited !== null && gave(edited, told)) {
        const again = edited.unmet?.turn === edited.next;
        return this.#known(edited, edited.next, request, history, retry, { again, edited: true });
      }
    }
    return this.#begin(arrival, history, parent);
  }

  /**
   * A client says that it tries again (`retry`), and no attempt that came to nothing explains it. Of the tries before
   * this one, the one under way longest is superseded: clients of equal histories are one harness with one time-out,
   * so that whichever waits longest is the one that timed out. If none is, the reply that was given last was lost.
   */
  #retried({ retry, now }: Arrival, same: string): Tracked | null {
    const since = now - this.#options.retryMs;
    const flying = this.#standing.flying(same, retry - 1);
    if (flying !== null) return flying;
    // Tries between may not have reached the gateway (it was down); clients do not try often.
    for (let before = retry - 1; before >= Math.max(0, retry - TRIES); before--) {
      const answered = this.#standing.answered(same, before, since);
      if (answered !== null) return answered;
    }
    return null;
  }

  /**
   * A client that does not say so asks what was asked before, and nobody idle stands there. It is never a turn under
   * way: its client would have hung up, and the gateway seen it; two that wait at once are two branches. Else a reply
   * was lost, unless it was a session's first: equal beginnings one after another are what repeated trials look like.
   */
  #repeated({ now }: Arrival, same: string): Tracked | null {
    if (this.#standing.flying(same, null) !== null) return null;
    const one = this.#standing.answered(same, null, now - this.#options.retryMs);
    return one !== null && one.next - 1 > one.first ? one : null;
  }

  /** The turn under way, or the last one, once more. */
  #once(one: Tracked, request: ChatRequest, history: History, retry: number): Known {
    return this.#known(one, one.flight?.turn ?? one.next - 1, request, history, retry, { again: true });
  }

  #begin({ named, retry, now }: Arrival, history: History, before: Tracked | null): Placement {
    const { same, base, replies, head } = history;
    this.#bound(replies);
    if (this.#open >= this.#options.sessions) {
      this.#owed.add(joined(same, retry), now);
      throw new ApiError(429, `${this.#open} sessions are open, as many as the gateway takes`, {
        code: 'session_limit',
        retryAfter: this.#ages.roomIn(this.#options, now),
      });
    }
    const by: Binding = named?.by ?? 'content';
    const id = named === null ? this.#names.fresh(this.#options.newId) : this.#names.next(named.id);
    const name = named === null || named.weak ? null : named.id;
    const one = tracked(id, by, name, base, replies);
    this.#sessions.set(id, one);
    this.#open += 1;
    if (name !== null) this.#names.set(name, one);
    if (name !== null && before !== null) this.#branchedFrom.set(one, before);
    const seat = this.#seat(one, replies, history, retry);
    if (replies === 0) return { ...seat, kind: 'new', by, turn: 0 };
    const forkedFrom = before?.heads.includes(head) ? before.id : null;
    return { ...seat, kind: 'adopted', by, forkedFrom };
  }

  #known(
    one: Tracked,
    turn: number,
    { messages }: ChatRequest,
    history: History,
    retry: number,
    how: { readonly again: boolean; readonly edited?: boolean },
  ): Known {
    this.#bound(turn);
    const supersedes = one.flight !== null;
    const reopened = one.closed;
    this.#unrest(one);
    one.flight = null;
    if (reopened) {
      one.closed = false;
      this.#open += 1;
    }
    one.base = history.base;
    const seat = this.#seat(one, turn, history, retry);
    const fresh = turn === one.first ? messages : messages.slice(history.freshFrom);
    return {
      id: one.id,
      turn,
      attempt: seat.attempt,
      asked: seat.asked,
      kind: 'known',
      again: how.again,
      supersedes,
      reopened,
      edited: how.edited ?? false,
      fresh,
    };
  }

  #seat(one: Tracked, turn: number, { asked, calls }: History, retry: number): Seat {
    const attempt = ++this.#attempts;
    one.flight = { attempt, asked, calls, retry, turn };
    if (one.name === null) this.#standing.enter(one);
    return { id: one.id, turn, attempt, asked };
  }

  /** The session whose present attempt it is, and the attempt, which is over. */
  #land({ id, attempt }: Seat): { one: Tracked; flight: Flight } | null {
    const one = this.#sessions.get(id);
    const flight = one?.flight;
    if (one === undefined || flight?.attempt !== attempt) return null;
    this.#standing.leave(one);
    one.flight = null;
    return { one, flight };
  }

  #missed(seat: Seat, now: number): boolean {
    const landed = this.#land(seat);
    if (landed === null) return false;
    const { one, flight } = landed;
    const same = sameAs(flight.asked, flight.calls);
    one.unmet = { same, turn: flight.turn, at: now };
    if (one.name === null) this.#owed.add(joined(same, flight.retry), now);
    this.#rest(one, now);
    return true;
  }

  #rest(one: Tracked, now: number): void {
    if (one.name === null) this.#standing.enter(one);
    this.#ages.enter(one, now);
  }

  #unrest(one: Tracked): void {
    if (one.name === null) this.#standing.leave(one);
    this.#ages.leave(one);
  }

  #shut(one: Tracked): void {
    if (!one.closed) this.#open -= 1;
    one.closed = true;
  }

  #forget(one: Tracked): void {
    this.#standing.forget(one);
    this.#sessions.delete(one.id);
    this.#names.forget(one);
  }

  #bound(turn: number): void {
    const { turns } = this.#options;
    if (turn >= turns)
      throw ApiError.invalid(`a session has at most ${turns} turns of the user`, 'messages', 'turn_limit');
  }
}
