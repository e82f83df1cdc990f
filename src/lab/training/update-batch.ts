import type { RolloutBatch } from '../learning/index.ts';
import type { StepColumns } from './columns.ts';

/**
 * Columns and advantages as an update takes them: episodes whose advantage is NaN have no step in it. Null where no
 * step is left.
 */
export function updateBatch(columns: StepColumns, advantage: Float64Array): RolloutBatch | null {
  const { episode, observation, mask, act, logProb } = columns.columns;
  if (episode.length === 0) return null;
  if (!advantage.some(Number.isNaN)) return { episode, observation, mask, act, logProb, advantage };
  const { inputs, acts } = columns;
  const kept = Int32Array.from(episode.keys()).filter((step) => !Number.isNaN(advantage[episode[step]!]!));
  if (kept.length === 0) return null;
  const rows = <T extends Float64Array | Uint8Array>(from: T, to: T, width: number): T => {
    kept.forEach((step, row) => {
      to.set(from.subarray(step * width, (step + 1) * width), row * width);
    });
    return to;
  };
  return {
    episode: kept.map((step) => episode[step]!),
    observation: rows(observation, new Float64Array(kept.length * inputs), inputs),
    mask: rows(mask, new Uint8Array(kept.length * acts), acts),
    act: kept.map((step) => act[step]!),
    logProb: Float64Array.from(kept, (step) => logProb[step]!),
    advantage: advantage.map((a) => (Number.isNaN(a) ? 0 : a)),
  };
}
