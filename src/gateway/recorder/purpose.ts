import type { Split, Trajectory } from '../../trajectory/trajectory.ts';
import type { SessionFacts } from './records.ts';

/**
 * Model name of a probe of the population: drawn as `population`, but nobody trains on it, so that it passes while
 * training is held and enters no figure of training. What half-open asks for (docs/gateway.md).
 */
export const PROBE_MODEL = 'probe/population';

/** What a session is for: only `training` is ever held, and only it counts as an epoch's rows. */
export const PURPOSES = ['training', 'panel', 'probe', 'nested'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** What enters figures, and what may be trained on or measured: exports hold it where nothing else is asked for. */
export const COUNTED: readonly Purpose[] = ['training', 'panel'];

export function purposeOf({
  model,
  split,
  nested,
}: Pick<SessionFacts, 'model' | 'split' | 'nested'>): Purpose {
  if (nested !== null) return 'nested';
  if (model.replace(/^openai\//, '') === PROBE_MODEL) return 'probe';
  return purposeOfSplit(split);
}

/** Of an episode that the gateway did not serve. */
export function purposeOfEpisode({ split }: Pick<Trajectory, 'split'>): Purpose {
  return purposeOfSplit(split);
}

function purposeOfSplit(split: Split | null): Purpose {
  return split === 'selection' || split === 'test' ? 'panel' : 'training';
}
