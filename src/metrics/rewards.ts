/** Rewarded rows of one simulator under one checkpoint; rows without a reward are not among them. */
export interface RewardRows {
  readonly simulator: string;
  readonly unit: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
}

/** Lowest and highest reward there can be; figures are in units of its length. */
export type RewardRange = readonly [low: number, high: number];

/** Rewards of each context, ascending by context, each list ascending: the order of rows is gone. */
export function rewardsByUnit(rows: RewardRows): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  for (let i = 0; i < rows.unit.length; i++) {
    const list = lists.get(rows.unit[i]!);
    if (list === undefined) lists.set(rows.unit[i]!, [rows.reward[i]!]);
    else list.push(rows.reward[i]!);
  }
  for (const list of lists.values()) list.sort((a, b) => a - b);
  return new Map([...lists].sort(([a], [b]) => a - b));
}

export function rangeLength([low, high]: RewardRange): number {
  if (!(high > low)) throw new RangeError(`reward range ${low} .. ${high}`);
  return high - low;
}
