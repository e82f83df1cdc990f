import type { Measures } from '../measure/measures.ts';
import type { Divergence, Look, Score, StepRecord } from '../trainer/index.ts';
import type { WorldId } from '../world/index.ts';

export const CELL_SCHEMA = 'collapse-aware/lab-cell@1';

/** Rewards of one checkpoint with everybody, on fresh settings, the same for every method of a seed. */
export interface CheckpointScores {
  readonly step: number;
  /** Those that were trained against in the end. */
  readonly population: readonly Score[];
  readonly test: readonly Score[];
  /** The test people, together. */
  readonly people: Score;
}

/** One (world, method, seed) of a table: everything that was measured of it, and nothing that was not. */
export interface Cell {
  readonly schema: typeof CELL_SCHEMA;
  /** Hash of settings and panels: cells of different studies are never put in one table. */
  readonly study: string;
  readonly world: WorldId;
  readonly horizon: number;
  readonly method: string;
  readonly seed: number;
  /** A diverged run keeps what it has; tables count it and never average it. */
  readonly status: 'done' | 'diverged';
  readonly diverged: Divergence | null;
  readonly history: readonly StepRecord[];
  readonly looks: readonly Look[];
  readonly base: CheckpointScores;
  readonly selected: CheckpointScores;
  readonly last: CheckpointScores;
  /** Of the population in the end, met by the selected policy; null where the run diverged. */
  readonly measures: Measures | null;
  /** Turns of both sides played in training, updates of a simulator. */
  readonly cost: { readonly turns: number; readonly simulatorUpdates: number };
}
