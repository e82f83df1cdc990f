import type { LoopAnswer } from './answer.ts';
import type { LoopRequest } from './request.ts';

/** What whoever performs a request may use besides the request itself. */
export interface PerformContext {
  /** The text of a checkpoint that a request names. */
  read(checkpoint: string): Promise<string>;
  /** Keeps the text of a checkpoint for good, and gives the name that an answer calls it by: the hash of its content. */
  keep(text: string): Promise<string>;
  /** Aborted where the answer is not waited for any longer. */
  readonly signal: AbortSignal;
  readonly round: number;
}

/**
 * Does what a run asks for. An answer hangs on the request alone, not on who performed it, when, or what was asked
 * before: a request that was under way when a run was killed is performed again, and members of a probe are asked for
 * apart, in any order and place.
 */
export interface Performer {
  perform(request: LoopRequest, context: PerformContext): Promise<LoopAnswer>;
  close(): Promise<void>;
}

/**
 * What a performer is made from, as plain data: it stands in the run's folder, and workers elsewhere make theirs from
 * it. `kind` says who can.
 */
export interface Stage {
  readonly kind: string;
  readonly [setting: string]: unknown;
}

export type PerformerMaker = (stage: Stage) => Performer | Promise<Performer>;
