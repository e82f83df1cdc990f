import type { Binding } from '../recorder/records.ts';
import type { Said } from '../speakers/speaker.ts';
import type { ChatRequest } from '../wire/chat-request.ts';

/** What a request says about whose turn it is. */
export interface Arrival {
  readonly request: ChatRequest;
  /** Null = nothing but the content says. `namedBy` (named.ts) finds it. */
  readonly named: Named | null;
  /** `x-stainless-retry-count`, 0 where there is none. */
  readonly retry: number;
  /** Milliseconds; never runs backwards (monotonic). */
  readonly now: number;
}

export interface Named {
  readonly id: string;
  readonly by: Exclude<Binding, 'content'>;
  /**
   * The name may stand for more than one dialogue (`user`, which many clients keep constant): dialogues under it are
   * told apart by their content as well, and only those under another name are kept from one another by it.
   */
  readonly weak: boolean;
}

/** One attempt at one turn of one session: what the end of the attempt is reported with. */
export interface Seat {
  readonly id: string;
  /** Of the simulated user, from 0. */
  readonly turn: number;
  /** Unique in a process. An attempt that another one took the place of (`supersedes`) can end nothing any more. */
  readonly attempt: number;
  /** Hash of the request: goes on record (`asked`), and is all that a restart needs to go on. */
  readonly asked: string;
}

/** Where a request belongs (integrations: which conversation is this?). */
export type Placement = Seat &
  (
    | { readonly kind: 'new'; readonly by: Binding; readonly turn: 0 }
    | {
        readonly kind: 'known';
        /** The turn was asked before: its reply never arrived, or is asked for once more (the later one counts). */
        readonly again: boolean;
        /** Another attempt at this turn is under way: nobody waits for it any more, cancel it. */
        readonly supersedes: boolean;
        /** The session was closed and is open again (its last reply was lost): it has to be closed anew. */
        readonly reopened: boolean;
        /** The client changed what was said before, or the seed: the record is no longer word for word what it sent. */
        readonly edited: boolean;
        /** Messages that are new since the reply before this turn; all of them at the session's first turn. */
        readonly fresh: ChatRequest['messages'];
      }
    /**
     * The history holds replies that are not this session's: they are all messages of its first exchange. `forkedFrom`:
     * the session that gave them, which goes its own way; null = the gateway does not know them (any more).
     */
    | { readonly kind: 'adopted'; readonly by: Binding; readonly forkedFrom: string | null }
  );

/** What of a reply a client sends back in the next history. */
export interface Spoken {
  readonly text: Said['text'];
  readonly toolCalls: Said['toolCalls'];
}

export interface Ended {
  readonly id: string;
  /** Not one reply of it was ever delivered: it is not counted as a session. */
  readonly orphan: boolean;
}

export interface TableOptions {
  /** Milliseconds: how long a first turn without an answer, or a lost reply, waits for its retry. */
  readonly retryMs: number;
  /** Milliseconds without a request after which a session is over. */
  readonly idleMs: number;
  /** Turns of the simulated user in one session; more are refused with 400 `turn_limit`. */
  readonly turns: number;
  /** Sessions open at once; more are refused with 429 `session_limit`. */
  readonly sessions: number;
  /** Ids for sessions that nobody named (session-id.ts). */
  readonly newId: () => string;
  /** Ids that sessions of the past hold (the recorder's); those in the table need not be among them. */
  readonly taken?: (id: string) => boolean;
}
