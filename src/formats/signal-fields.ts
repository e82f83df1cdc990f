import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { CellKind } from './parquet-cell.ts';

/** Training signals as columns of exports: their names, in order, and types. */
export const SIGNAL_KINDS = {
  hash: 'VARCHAR',
  weight: 'DOUBLE',
  gradient_scale: 'DOUBLE',
  inclusion_probability: 'DOUBLE',
  mode: 'INTEGER',
  advantage: 'DOUBLE',
  batch: 'INTEGER',
} as const satisfies Record<string, CellKind>;

/** Signals as fields of a record; none where there are no signals. */
export function signalFields(
  signals: TrainingSignals | undefined,
): Partial<Record<keyof typeof SIGNAL_KINDS, string | number | null>> {
  if (signals === undefined) return {};
  const { hash, weight, gradientScale, inclusionProbability, mode, advantage, batch } = signals;
  return {
    hash,
    weight,
    gradient_scale: gradientScale,
    inclusion_probability: inclusionProbability,
    mode,
    advantage,
    batch,
  };
}
