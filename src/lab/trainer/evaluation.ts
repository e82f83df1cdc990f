import type { Random } from '../../math/random.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import type { Simulator } from '../simulators/index.ts';
import type { EpisodePlan, Stage } from '../training/rollout.ts';
import type { World } from '../world/index.ts';

/** Settings from here on are for looks at a policy: none is trained on. */
export const FRESH = 100_000;

export interface Score {
  readonly simulator: string;
  /** Mean reward, 0..1; null where no episode had one. */
  readonly reward: number | null;
  readonly n: number;
}

/** Dialogues with each simulator, one after the other, on the settings `first`, `first` + 1, ... of the seed. */
export function panelPlans(
  world: World,
  simulators: readonly Simulator[],
  dialogues: number,
  first: number,
  seed: number,
  random: Random,
): EpisodePlan[] {
  return simulators.flatMap((simulator, group) =>
    Array.from({ length: dialogues }, (_, i) => ({
      setting: world.setting(first + i, seed),
      simulator,
      group,
      random: random.fork(`${simulator.id}/${i}`),
    })),
  );
}

/** Of rewards in the order of `panelPlans`. */
export function panelScores(simulators: readonly Simulator[], reward: Float64Array): Score[] {
  const dialogues = reward.length / simulators.length;
  return simulators.map(({ id }, group) => {
    let sum = 0;
    let n = 0;
    for (let i = 0; i < dialogues; i++) {
      const r = reward[group * dialogues + i]!;
      if (Number.isNaN(r)) continue;
      sum += r;
      n += 1;
    }
    return { simulator: id, reward: n === 0 ? null : sum / n, n };
  });
}

/**
 * Mean reward with each simulator, on the settings `first`, `first` + 1, ... of the seed, one dialogue each: every
 * simulator and every policy meets the same ones, with the same streams.
 */
export function scores(
  stage: Stage,
  policy: PolicyNetwork,
  simulators: readonly Simulator[],
  dialogues: number,
  first: number,
  seed: number,
  random: Random,
): Score[] {
  const plans = panelPlans(stage.world, simulators, dialogues, first, seed, random);
  return panelScores(simulators, stage.play(policy, plans).reward);
}

/** Mean over simulators, each alike; null where one has none: a panel that lost a member is another panel. */
export function panelMean(panel: readonly Score[]): number | null {
  if (panel.length === 0 || panel.some(({ reward }) => reward === null)) return null;
  return panel.reduce((sum, { reward }) => sum + reward!, 0) / panel.length;
}
