import type { ToolCall } from '../../trajectory/trajectory.ts';
import type { Slots } from '../speech/pattern.ts';

export type Phase = 'agent' | 'user' | 'over';

/** One act as it happened, for whoever writes the dialogue down. */
export interface Step {
  readonly side: 'agent' | 'user';
  /** Index in the side's acts. */
  readonly act: number;
  /** Facts that the wording may name, beside the setting's slots. */
  readonly slots?: Slots;
  /** A tool call that the act is, and its answer (JSON). */
  readonly tool?: { readonly call: ToolCall; readonly answer: string };
}

/** A dialogue under way. */
export interface Encounter {
  readonly phase: Phase;
  /** Turns that the agent has taken. */
  readonly turn: number;
  readonly steps: readonly Step[];
  /** Writes the agent's observation to `into[at] ..`: only what the agent can have seen. */
  observe(into: Float64Array, at: number): void;
  /** 1 where the agent may act so, else 0. At least one may. */
  allowed(into: Uint8Array, at: number): void;
  /** The agent acts. After a tool call of its own it is still the agent's phase. */
  actAgent(act: number): void;
  /** Writes what a trained simulator sees: the observable history from the user's side, each about 0..1. */
  cues(into: Float64Array, at: number): void;
  /**
   * P(user act | history, the user is `users[who]`) to `into[0 ..]`; sums to 1. Acts that are not possible have 0, and
   * which are possible does not depend on `who`.
   */
  law(who: number, into: Float64Array): void;
  actUser(act: number): void;
  /** 0..1, null while the dialogue goes on. */
  readonly reward: number | null;
  readonly outcome: string;
  /** `user`, `agent` or `turn limit`; null while it goes on. */
  readonly termination: string | null;
}
