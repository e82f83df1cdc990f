import type { BreakerLevel } from '../../diagnosis/index.ts';
import type { Resample, SimulatorFacts, Split, Trajectory } from '../../trajectory/trajectory.ts';
import type { Said } from '../speakers/speaker.ts';
import type { Tokens } from '../speakers/token-sums.ts';
import type { WireMessage } from '../wire/chat-request.ts';

/** How a session was told from others (docs/gateway.md), the surest first. */
export type Binding = 'path' | 'header' | 'key' | 'body' | 'content';

/** What is decided once for a session. */
export interface SessionFacts {
  readonly id: string;
  readonly bound: Binding;
  /** `population`, `panel/selection`, ... as the client asked. */
  readonly model: string;
  readonly simulator: SimulatorFacts;
  readonly split: Split | null;
  readonly group: string | null;
  /** What the group's member was drawn by: its name in its epoch (groupKey). Absent = the session stands alone. */
  readonly groupKey?: string;
  /** The client named the member, be it by an alias. Absent = one was drawn. */
  readonly pinned?: true;
  readonly epoch: number | null;
  readonly run: string | null;
  readonly policy: Trajectory['policy'];
  /** Of the scenario: what the trainer calls it, where it says so. */
  readonly contextLabel: string | null;
  readonly benchmark: string | null;
  readonly domain: string | null;
  /** Seeds of a nested re-simulation; null elsewhere. */
  readonly nested: { readonly agentSeed: string; readonly userSeed: string } | null;
  /** Draws persona, checkpoint and every reply of the session. */
  readonly seed: string;
  /** Other ids that the trainer gave it (a trace, a rollout): rewards may come by them. */
  readonly names?: readonly string[];
}

/**
 * One line of the journal. Append-only: the state of a gateway is what its records add up to, in the order of `seq`.
 * `at`: milliseconds since 1970, by the gateway's clock; nothing is ordered by it.
 */
export type JournalRecord = { readonly at: number; readonly session: string | null } & (
  | { readonly kind: 'open'; readonly facts: SessionFacts }
  | {
      readonly kind: 'exchange';
      /** Number of the user's turn in the session, from 0. A later record of the same number replaces an earlier one. */
      readonly turn: number;
      /** Messages that came since the reply before this one (all of them at turn 0). */
      readonly messages: readonly WireMessage[];
      /** Hash of the whole request's messages: a retry asks the same. */
      readonly asked: string;
      readonly said: Said;
      /** Milliseconds spent in the gateway itself. */
      readonly overheadMs: number;
      /** Where `said.usage` does not say it all: of several requests some had no account. */
      readonly tokens?: Tokens;
    }
  /** The client went away before the reply of `turn` was whole: the last exchange of that number does not count. */
  | { readonly kind: 'undelivered'; readonly turn: number }
  | {
      readonly kind: 'probe';
      readonly turn: number;
      readonly resamples: readonly Resample[];
      readonly probability: number;
      readonly promptTokens: number;
      /** With an estimate where the upstream gave no account. */
      readonly completionTokens: number;
      /** The same by member that was asked, by account alone; absent in records of earlier versions. */
      readonly tokens?: Readonly<Record<string, Tokens>>;
    }
  /** Tokens of requests that no reply on record came of. `probe`: nobody but the gateway had asked. */
  | { readonly kind: 'spent'; readonly member: string; readonly probe: boolean; readonly tokens: Tokens }
  /** Joined by the session's id, or by an id that the trainer gave when the session began. */
  | { readonly kind: 'reward'; readonly reward: number | null; readonly outcome: string | null }
  | { readonly kind: 'close'; readonly termination: string }
  /** A member could not answer; nothing was said. */
  | { readonly kind: 'failure'; readonly member: string; readonly code: string | null }
  /** An episode that the gateway did not serve (POST /api/record). */
  | { readonly kind: 'episode'; readonly trajectory: Trajectory }
  | { readonly kind: 'population'; readonly population: unknown; readonly by: string }
  | {
      readonly kind: 'epoch';
      readonly epoch: number;
      readonly policy: Trajectory['policy'] | null;
      readonly run: string | null;
    }
  | {
      readonly kind: 'breaker';
      readonly level: BreakerLevel;
      readonly rules: BreakerLevel;
      readonly notes: readonly string[];
      readonly monitor: unknown;
    }
  /** What all sessions that retention has dropped add up to; a later one replaces it. Written by the recorder alone. */
  | { readonly kind: 'tally'; readonly members: MemberTallies; readonly dropped: Dropped }
);

/** By member's id. */
export type MemberTallies = Readonly<Record<string, MemberTally>>;

export interface MemberTally {
  readonly sessions: number;
  /** Replies that were given, be it twice or to a client that had gone. */
  readonly turns: number;
  readonly failures: number;
  readonly fallbacks: number;
  readonly tokens: Tokens;
  /** Of probes; absent in records of earlier versions. */
  readonly probeTokens?: Tokens;
}

export interface Dropped {
  readonly sessions: number;
  readonly records: number;
  /** Milliseconds since 1970; null = never. */
  readonly lastAt: number | null;
}
