import type { Binding } from '../recorder/records.ts';
import { callsAfter, headAfter, replyHash, sameAs } from './history.ts';
import type { Spoken } from './session.ts';

export interface Flight {
  readonly attempt: number;
  readonly asked: string;
  /** `History.calls` of the request. */
  readonly calls: string;
  /** Which try of its client it is, from 0, as far as the client says. */
  readonly retry: number;
  readonly turn: number;
}

/** What the table keeps of a session: where it stands, as hashes. */
export interface Tracked {
  readonly id: string;
  readonly by: Binding;
  /** Its own name where that alone says whose turn it is; null = content does. */
  readonly name: string | null;
  /** `History.base` of its requests. */
  base: string;
  /** Number of the turn that it began with: above 0 where it was adopted. */
  first: number;
  /** Number of the turn that comes next. */
  next: number;
  /** Where its client stands: the history up to and including the last reply that was delivered. */
  head: string;
  /** `History.calls` there. */
  calls: string;
  /** Every head it ever had; replaced ones too, since a client may turn out to have got that reply after all. */
  readonly heads: string[];
  /** Of the replies delivered, by turn from `first`. */
  readonly replies: string[];
  /** Base and last reply, as one key, since it was last noted where the session stands. */
  tail: string;
  /** The last turn delivered, while nothing was asked after it. */
  answered: { readonly same: string; readonly retry: number; readonly at: number } | null;
  /** The last attempt, where it came to nothing. Its turn is `next`, or the one before that was asked once more. */
  unmet: { readonly same: string; readonly turn: number; readonly at: number } | null;
  flight: Flight | null;
  closed: boolean;
}

export function tracked(id: string, by: Binding, name: string | null, base: string, first: number): Tracked {
  return {
    id,
    by,
    name,
    base,
    first,
    next: first,
    head: '',
    calls: '',
    heads: [],
    replies: [],
    tail: '',
    answered: null,
    unmet: null,
    flight: null,
    closed: false,
  };
}

export const isAnswered = ({ first, next }: Tracked): boolean => next > first;

/** A reply was delivered: of the next turn, or once more of the last. */
export function advance(
  one: Tracked,
  { turn, asked, calls, retry }: Omit<Flight, 'attempt'>,
  reply: Spoken,
  now: number,
): void {
  one.head = headAfter(asked, reply);
  one.heads.push(one.head);
  one.calls = callsAfter(calls, reply.toolCalls);
  one.replies[turn - one.first] = replyHash(reply);
  one.next = turn + 1;
  one.answered = { same: sameAs(asked, calls), retry, at: now };
  one.unmet = null;
}

/** The replies in a history are replies of this session, in their order (some may be left out), the last one its last. */
export function gave(one: Tracked, replies: readonly string[]): boolean {
  if (replies.length === 0 || replies.at(-1) !== one.replies.at(-1)) return false;
  let at = 0;
  for (const reply of replies) {
    while (at < one.replies.length && one.replies[at] !== reply) at++;
    if (at++ >= one.replies.length) return false;
  }
  return true;
}
