import type { Binding } from '../recorder/records.ts';
import type { Reply } from '../speakers/speaker.ts';
import type { ChatRequest } from '../wire/chat-request.ts';

/** What a request says about whose turn it is. */
export interface Arrival {
  readonly request: ChatRequest;
  /** From the path, a header or a session's key; null = none of them says. */
  readonly named: { readonly id: string; readonly by: Exclude<Binding, 'content'> } | null;
  /** `x-stainless-retry-count`, 0 where there is none. */
  readonly retry: number;
  /** Milliseconds; never runs backwards (monotonic). */
  readonly now: number;
}

/**
 * Where a request belongs (integrations: which conversation is this?). `turn` counts the simulated user's turns from 0.
 * `again`: the turn was asked before: its reply never arrived (`undelivered`), or is asked for once more.
 */
export type Placement =
  | { readonly kind: 'new'; readonly id: string; readonly by: Binding; readonly turn: 0 }
  | {
      readonly kind: 'known';
      readonly id: string;
      readonly turn: number;
      readonly again: boolean;
      /** Messages that are new since the reply before this turn. */
      readonly fresh: ChatRequest['messages'];
    }
  /** The history holds replies that the gateway never gave: it goes on as a session of its own, marked so. */
  | { readonly kind: 'adopted'; readonly id: string; readonly by: Binding; readonly turn: number };

export type { Reply };
