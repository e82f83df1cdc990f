import type { Random } from '../../src/math/random.ts';
import type { PanelRewards, RewardRows } from '../../src/metrics/index.ts';

/** A policy's rewards where simulators are drawn: every simulator has a level of its own, every context another. */
export interface DrawnSpec {
  readonly training: readonly number[];
  readonly heldOut: readonly number[];
  /** Share of each training simulator in the draws; absent: each alike. */
  readonly weights?: readonly number[];
  /** Rollouts of a context, and whether one simulator serves them all. */
  readonly rollouts: number;
  readonly grouped: boolean;
  /** Sessions of the held-out panel in a context, each with a simulator of its own. */
  readonly panel: number;
  /** Spread of contexts, of simulators within a context, of one rollout. */
  readonly spread: { readonly context: number; readonly meeting: number; readonly rollout: number };
  /** Rewards are 0 or 1, with the level as the chance. */
  readonly binary?: boolean;
}

/** PSOD of the mixtures that are drawn from. */
export function gapOfSpec({ training, heldOut, weights }: DrawnSpec): number {
  const each = weights ?? training.map(() => 1 / training.length);
  const total = each.reduce((sum, one) => sum + one, 0);
  return (
    training.reduce((sum, level, i) => sum + (level * each[i]!) / total, 0) -
    heldOut.reduce((sum, level) => sum + level / heldOut.length, 0)
  );
}

/** Levels of contexts: kept where the same contexts are played again. */
export const drawContexts = (contexts: number, { spread }: DrawnSpec, random: Random): number[] =>
  Array.from({ length: contexts }, () =>
    spread.context === 0 ? 0 : spread.context * Math.sqrt(3) * (2 * random.next() - 1),
  );

/** One look: `rise` is what training has added to every training simulator's level. */
export function drawLook(
  spec: DrawnSpec,
  contexts: readonly number[],
  random: Random,
  { rise = 0, first = 0 }: { readonly rise?: number; readonly first?: number } = {},
): PanelRewards {
  const rows = (prefix: string, count: number): { simulator: string; unit: number[]; reward: number[] }[] =>
    Array.from({ length: count }, (_, i) => ({ simulator: `${prefix}${i}`, unit: [], reward: [] }));
  const [training, heldOut] = [rows('t', spec.training.length), rows('h', spec.heldOut.length)];
  const reward = (level: number) =>
    spec.binary === true ? (random.next() < level ? 1 : 0) : level + spec.spread.rollout * random.normal();
  const play = (row: (typeof training)[number], unit: number, level: number, times: number) => {
    const met = level + spec.spread.meeting * random.normal();
    for (let i = 0; i < times; i++) {
      row.unit.push(unit);
      row.reward.push(reward(met));
    }
  };
  contexts.forEach((context, at) => {
    const unit = first + at;
    const draws = spec.grouped ? 1 : spec.rollouts;
    for (let d = 0; d < draws; d++) {
      const i = drawn(spec.training, spec.weights, random);
      play(training[i]!, unit, context + spec.training[i]! + rise, spec.rollouts / draws);
    }
    for (let s = 0; s < spec.panel; s++) {
      const i = random.integer(spec.heldOut.length);
      play(heldOut[i]!, unit, context + spec.heldOut[i]!, 1);
    }
  });
  const came = (all: readonly RewardRows[]) => all.filter(({ unit }) => unit.length > 0);
  return { training: came(training), heldOut: came(heldOut) };
}

function drawn(members: readonly number[], weights: readonly number[] | undefined, random: Random): number {
  if (weights === undefined) return random.integer(members.length);
  let left = random.next() * weights.reduce((sum, one) => sum + one, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}
