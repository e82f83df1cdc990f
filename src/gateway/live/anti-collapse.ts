import { type BreakerLevel, breakerActions } from '../../diagnosis/index.ts';

export interface RaisedWeights {
  /** By id, every id of `weights`. Their sum stays what it was. */
  readonly weights: ReadonlyMap<string, number>;
  /** Share of the anti-collapse members under these weights. */
  readonly share: number;
  /** Why nothing was raised where the level asks for it; null elsewhere. */
  readonly note: string | null;
}

/**
 * The stated rule of yellow, red and half-open: with s the share of anti-collapse members, they are served with
 * 1 - (1 - s) / 2: half of the others' share goes to them, in proportion to their weights. At green: as configured.
 * `weights`: of the panel `seen`, by id, not negative.
 */
export function raisedWeights(
  weights: ReadonlyMap<string, number>,
  antiCollapse: readonly string[],
  level: BreakerLevel,
): RaisedWeights {
  const anti = new Set(antiCollapse);
  let total = 0;
  let own = 0;
  for (const [id, weight] of weights) {
    total += weight;
    if (anti.has(id)) own += weight;
  }
  const share = total === 0 ? 0 : own / total;
  if (breakerActions(level).synthesis !== 'raised') return { weights: new Map(weights), share, note: null };
  if (share === 0)
    return {
      weights: new Map(weights),
      share,
      note: 'no member of antiCollapse is in service with a weight above 0: the population is served as at green',
    };
  const raised = (1 + share) / 2;
  return {
    weights: new Map(
      [...weights].map(([id, weight]) => [id, anti.has(id) ? (weight * raised) / share : weight / 2]),
    ),
    share: raised,
    note: null,
  };
}
