/**
 * What curation says of an episode, as a trainer reads it beside the row. Columns of exports carry these names in
 * snake case. `null` where the stage that makes the number was not asked for or could not judge the row.
 */
export interface TrainingSignals {
  /** Content hash of the episode: with the simulator it joins rows to weights.jsonl where the file has no ids. */
  readonly hash: string;
  /** Loss weight, mean 1 over the data set; 1 where nothing was weighted. */
  readonly weight: number;
  /** Factor for the advantage AFTER group normalisation, in (0, 1]; 1 where none applies. */
  readonly gradientScale: number;
  /** Chance with which the row was kept of its group, in (0, 1]; null where no selection took place. */
  readonly inclusionProbability: number | null;
  /** Cell of the codebook that the data were compared in. */
  readonly mode: number | null;
  /** Advantage by the recipe's baseline, with consistency, before `gradientScale`. */
  readonly advantage: number | null;
  /** Number of its batch, from 0; null where it is in none. */
  readonly batch: number | null;
}
