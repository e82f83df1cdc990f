import type { Figure } from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { LoopRequest } from './request.ts';

/** What came of a request, as plain data: it is what a run's journal keeps. */
export type LoopAnswer = OpenAnswer | ProbeAnswer | TrainAnswer | ExamAnswer | GateAnswer;

export type AnswerTo<R extends LoopRequest> = Extract<LoopAnswer, { readonly kind: R['kind'] }>;

/** People of one part of the reference, as they are placed in the space. */
export interface PeopleCounts {
  readonly units: readonly string[];
  readonly cells: readonly number[];
  readonly outside: readonly boolean[];
}

export interface OpenAnswer {
  readonly kind: 'open';
  /** Modes of the space. */
  readonly k: number;
  /** Id of the space: figures of two spaces are never compared. */
  readonly space: string;
  /** People who tell how often each mode is (p_ref), and those who are measured as if they were a simulator. */
  readonly people: { readonly mass: PeopleCounts; readonly ceiling: PeopleCounts } | null;
  /** Descriptions of people that a member can be asked to be; `mode`: whom of people it describes, null = nobody in particular. */
  readonly personas: readonly {
    readonly mode: number | null;
    readonly text: string;
    readonly exemplars: readonly string[];
  }[];
  /** Name of the policy before training. */
  readonly checkpoint: string;
  readonly rewardRange: readonly [number, number];
}

/** Episodes that could not be played or placed: they are no rows, and no zeros. */
export interface LostEpisodes {
  readonly simulator: string;
  readonly reason: string;
  readonly count: number;
}

export interface ProbeAnswer {
  readonly kind: 'probe';
  readonly rows: readonly PlacedRow[];
  readonly lost: readonly LostEpisodes[];
  /** First user turns that were answered again, as often as was asked for; none where they cannot be. */
  readonly replied?: readonly RepliedTurn[];
  /** Of a performer that measures the population's per-turn error itself. */
  readonly epsilon?: Figure;
}

/** Replies drawn again at one visited first user turn, each by a member that was drawn by share. */
export interface RepliedTurn {
  readonly context: string;
  /** `kind`: the class of what was said, whole and not below 0. */
  readonly replies: readonly { readonly simulator: string; readonly kind: number }[];
}

export interface TrainAnswer {
  readonly kind: 'train';
  /** Where the policy is now; the one before where it diverged. */
  readonly checkpoint: string;
  readonly steps: number;
  /** The episodes that were trained on, of the last steps at most. */
  readonly rows: readonly PlacedRow[];
  readonly lost: readonly LostEpisodes[];
  /** A step each. */
  readonly curve: readonly {
    readonly step: number;
    readonly reward: number | null;
    /** Null where no group has a reward. */
    readonly zeroVariance: number | null;
    readonly entropy: number | null;
  }[];
  readonly episodes: number;
  readonly turns: number;
  /** Why training stopped early; null = it did not. */
  readonly stopped: string | null;
}

export interface ExamAnswer {
  readonly kind: 'exam';
  readonly rows: readonly ExamRow[];
  readonly turns: number;
}

export interface ExamRow {
  readonly context: string;
  readonly simulator: string;
  /** Null = the episode failed. */
  readonly reward: number | null;
}

export interface GateAnswer {
  readonly kind: 'gate';
  /** Whether whoever trains is known to obey. */
  readonly acknowledged: boolean;
}
