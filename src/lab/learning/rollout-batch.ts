import { CollapseAwareError } from '../../errors.ts';
import type { NetworkShape } from './network-shape.ts';

/** Episodes as flat columns, one entry a step. Steps of an episode stand in their order; episodes may interleave. */
export interface RolloutBatch {
  /** Number of each step's episode, 0 .. episodes - 1. */
  readonly episode: Int32Array;
  /** steps x inputs. */
  readonly observation: Float64Array;
  readonly act: Int32Array;
  /** steps x acts, 0 = not allowed; null = all are. */
  readonly mask: Uint8Array | null;
  /** Log probability of the act under the policy that drew it. */
  readonly logProb: Float64Array;
  /** By episode. */
  readonly advantage: Float64Array;
}

/** Steps ordered by episode, whatever order they came in: those of episode e are `step[start[e]] .. step[start[e + 1] - 1]`. */
export interface EpisodeSteps {
  readonly start: Int32Array;
  readonly step: Int32Array;
}

/** Throws CA_INTERNAL where the columns do not fit each other or the network. */
export function checkBatch(batch: RolloutBatch, shape: NetworkShape): void {
  const steps = batch.episode.length;
  const fits =
    batch.act.length === steps &&
    batch.logProb.length === steps &&
    batch.observation.length === steps * shape.inputs &&
    (batch.mask === null || batch.mask.length === steps * shape.acts) &&
    batch.episode.every((episode) => episode >= 0 && episode < batch.advantage.length) &&
    batch.act.every((act) => act >= 0 && act < shape.acts);
  if (!fits)
    throw new CollapseAwareError(
      'CA_INTERNAL',
      `a batch of ${steps} steps has columns, acts or episodes that do not fit`,
    );
}

/** A counting sort by episode. */
export function episodeSteps(batch: Pick<RolloutBatch, 'episode' | 'advantage'>): EpisodeSteps {
  const start = new Int32Array(batch.advantage.length + 1);
  for (const episode of batch.episode) start[episode + 1]! += 1;
  for (let e = 0; e < batch.advantage.length; e++) start[e + 1]! += start[e]!;
  const next = start.slice();
  const step = new Int32Array(batch.episode.length);
  batch.episode.forEach((episode, at) => {
    step[next[episode]!++] = at;
  });
  return { start, step };
}
