import { type BreakerLevel, breakerActions } from '../../diagnosis/index.ts';
import { weightsAtGreen } from '../cast/index.ts';
import { type RaisedWeights, raisedWeights } from '../live/anti-collapse.ts';
import type { Members } from './members.ts';

export interface Raising extends RaisedWeights {
  /** Members that half of what falls to the others goes to at this level; none at green. */
  readonly raised: ReadonlySet<string>;
  /** Members that may not be asked now. */
  readonly resting: ReadonlySet<string>;
}

/** What the seen panel is drawn by at a level. Whoever rests has weight 0: half a share must not go to nobody. */
export function raisingAt(
  { cast, circuits }: Pick<Members, 'cast' | 'circuits'>,
  level: BreakerLevel,
  ticks: number,
): Raising {
  const { population } = cast;
  const resting = circuits.resting(ticks);
  const weights = [...weightsAtGreen(population)].map(
    ([id, weight]) => [id, resting.has(id) ? 0 : weight] as const,
  );
  const raised = breakerActions(level).synthesis === 'raised' ? population.antiCollapse : [];
  return {
    ...raisedWeights(new Map(weights), population.antiCollapse, level),
    raised: new Set(raised),
    resting,
  };
}
