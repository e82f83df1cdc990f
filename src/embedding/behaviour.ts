import type { SimulatorKind, Split } from '../trajectory/trajectory.ts';

/** What the metrics need to know of an episode beside how the user behaved in it. */
export interface EpisodeFacts {
  /** Content hash (trajectory/identity.ts): order of every sum, key of every sample. */
  readonly hash: string;
  readonly id: string;
  readonly context: string;
  readonly contextFrom: 'scenario' | 'label' | 'none';
  readonly contextLabel: string | null;
  readonly person: string | null;
  readonly simulator: string;
  readonly kind: SimulatorKind;
  readonly policy: string;
  readonly checkpoint: string | null;
  readonly epoch: number | null;
  readonly group: string | null;
  readonly split: Split | null;
  readonly reward: number | null;
  /** Annotated acts of the simulator's turns (one list a turn), null where the file has none. */
  readonly acts: readonly (readonly string[])[] | null;
  /** A short readable stretch of the dialogue, for exemplars (at most 1,200 characters). */
  readonly excerpt: string;
}

/** An episode as vectors, before any space: input of space/ (fit and assign). */
export interface Behaviour {
  readonly facts: EpisodeFacts;
  /** Mean of the L2-normalised embeddings of the simulator's turns, `d` long. */
  readonly semantic: Float32Array;
  /** Row-major `t x d`: each simulator turn's embedding. */
  readonly turns: Float32Array;
  /** Topic-free features in the order of FEATURES; NaN = missing (never 0). */
  readonly interaction: Float64Array;
  /** Row-major `a x d`: each agent turn's embedding (policy classes). */
  readonly policyTurns: Float32Array;
  /** Simulator turns that were answered again (on-policy probes); absent where the record has none. */
  readonly resampled?: readonly ResampledTurn[];
}

/** Replies drawn again at one visited history, by one law. */
export interface ResampledTurn {
  /** Which of the simulator's turns, from 0. */
  readonly depth: number;
  readonly law: 'member' | 'population';
  /** Chance with which the turn was probed, in (0, 1]. */
  readonly probability: number;
  /** Row-major `m x d`; replies without words are not among them. */
  readonly replies: Float32Array;
  /** Replies without words (tool calls only). */
  readonly silent: number;
  /** Annotated acts of every reply, those without words too; absent where some reply has none. */
  readonly acts?: readonly (readonly string[])[];
}
