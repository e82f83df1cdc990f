/** A policy of three behaviours, each paid 1 or 0: its rollouts are of six types, and every expectation is a sum. */
export interface RolloutType {
  readonly behaviour: number;
  readonly reward: number;
  /** Loss weight, a function of the rollout itself. */
  readonly weight: number;
  readonly chance: number;
  /** grad log P(behaviour) by the logits. */
  readonly score: readonly number[];
}

export const LOGITS: readonly number[] = [1.2, 0.2, -0.8];
const SUCCESS = [0.35, 0.8, 0.55];
/** Weights of (behaviour, reward): on the reward too, as a density weight may be. */
const WEIGHTS = [
  [0.5, 0.8],
  [1.5, 1],
  [4, 2],
];

export function rolloutTypes(logits: readonly number[] = LOGITS): RolloutType[] {
  const raw = logits.map(Math.exp);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.flatMap((part, behaviour) =>
    [0, 1].map((reward) => ({
      behaviour,
      reward,
      weight: WEIGHTS[behaviour]![reward]!,
      chance: (part / total) * (reward === 1 ? SUCCESS[behaviour]! : 1 - SUCCESS[behaviour]!),
      score: raw.map((own, other) => (other === behaviour ? 1 : 0) - own / total),
    })),
  );
}

/** E over rollouts. */
export const mean = (types: readonly RolloutType[], of: (type: RolloutType) => number): number =>
  types.reduce((sum, type) => sum + type.chance * of(type), 0);

/** E[w r] / E[w]. */
export const weightedValue = (types: readonly RolloutType[]): number =>
  mean(types, ({ weight, reward }) => weight * reward) / mean(types, ({ weight }) => weight);

/** Every group of n rollouts as counts of types, with its chance. */
export function* everyGroup(
  types: readonly RolloutType[],
  n: number,
): Generator<{ group: RolloutType[]; chance: number }> {
  function* counted(
    type: number,
    left: number,
    chance: number,
    group: RolloutType[],
  ): ReturnType<typeof everyGroup> {
    const own = types[type]!;
    if (type === types.length - 1) {
      yield {
        group: [...group, ...new Array<RolloutType>(left).fill(own)],
        chance: chance * own.chance ** left,
      };
      return;
    }
    let ways = 1;
    for (let count = 0; count <= left; count++) {
      yield* counted(type + 1, left - count, chance * ways * own.chance ** count, [
        ...group,
        ...new Array<RolloutType>(count).fill(own),
      ]);
      ways = (ways * (left - count)) / (count + 1);
    }
  }
  yield* counted(0, n, 1, []);
}

/** Sum over rollouts of advantage * score: what an optimiser makes of them. */
export const step = (group: readonly RolloutType[], advantages: ArrayLike<number>): number[] =>
  LOGITS.map((_, at) => group.reduce((sum, { score }, i) => sum + advantages[i]! * score[at]!, 0));
