import { CollapseAwareError } from '../errors.ts';
import { mean } from '../math/summary.ts';
import { type Figure, missing } from '../metrics/figure.ts';
import { meanFigure } from '../metrics/interval.ts';
import { type RewardRange, rangeLength } from '../metrics/rewards.ts';
import { expectRows } from './argument.ts';
import { distinctRows } from './distinct-rows.ts';
import type { PlacedRow } from './placed-row.ts';
import { reaches, rowShare } from './row-share.ts';
import { unitsOf } from './row-units.ts';

/** What the policy can still learn on one simulator. All in units of the reward range. */
export interface Learnability {
  readonly simulator: string;
  /**
   * Mean over contexts of 4 x the variance of the reward within the context: p (1 - p) x 4 where rewards are failure and
   * success (Rutherford et al. 2024, "No Regrets"). 0: always lost or always won, nothing to learn from; 1: won half the time.
   */
  readonly learnability: Figure;
  /**
   * Best known reward of the context minus the own mean (MaxMC, Jiang et al. 2021), mean over contexts: what somebody
   * showed to be possible. Null where no context is known from anybody else.
   */
  readonly regret: Figure | null;
  /** Highest possible reward minus the mean: high for a simulator that refuses everything, so nothing is ranked by it. */
  readonly loss: Figure;
  /** Share of episodes inside people's support. */
  readonly realism: Figure;
}

export interface LearnabilityOptions {
  /** Best reward known of a context from elsewhere (an earlier checkpoint, a solver), beside those of the rows. */
  readonly best?: ReadonlyMap<string, number>;
  /**
   * Rows of equal content and different ids were played each, as a caller knows who played them: a member that says the
   * same again and again has a variance near 0. Default: they are copies of one.
   */
  readonly played?: boolean;
}

/**
 * Simulators by what the policy can still learn on them, the most learnable first; without a figure last, ties by id.
 * Rows without a reward count for realism alone. @throws CA_USAGE for a reward outside the range.
 */
export function learnability(
  rows: readonly PlacedRow[],
  rewardRange: RewardRange,
  { best = new Map(), played = false }: LearnabilityOptions = {},
): readonly Learnability[] {
  expectRows(rows);
  const length = rangeLength(rewardRange);
  const all = distinctRows(rows, played ? 'played' : 'content');
  const members = new Map<string, PlacedRow[]>();
  for (const row of all) {
    const { reward, simulator } = row;
    if (reward !== null && !(reward >= rewardRange[0] && reward <= rewardRange[1]))
      throw new CollapseAwareError('CA_USAGE', `a reward of ${reward} outside ${rewardRange.join(' .. ')}`, {
        todo: 'give the range of rewards that are possible',
      });
    const held = members.get(simulator);
    if (held === undefined) members.set(simulator, [row]);
    else held.push(row);
  }
  const known = bestKnown(all, best);
  return [...members]
    .map(([simulator, own]) => ofMember(simulator, own, known, rewardRange[1], length))
    .sort(
      (a, b) =>
        (b.learnability.value ?? -1) - (a.learnability.value ?? -1) || (a.simulator < b.simulator ? -1 : 1),
    );
}

interface Known {
  readonly best: number;
  /** Who was seen in it; somebody from elsewhere counts as null. */
  readonly by: ReadonlySet<string | null>;
}

function bestKnown(rows: readonly PlacedRow[], elsewhere: ReadonlyMap<string, number>): Map<string, Known> {
  const known = new Map<string, { best: number; by: Set<string | null> }>();
  const add = (context: string, reward: number, who: string | null) => {
    const held = known.get(context) ?? { best: Number.NEGATIVE_INFINITY, by: new Set() };
    held.best = Math.max(held.best, reward);
    held.by.add(who);
    known.set(context, held);
  };
  for (const { context, reward, simulator } of rows) if (reward !== null) add(context, reward, simulator);
  for (const [context, reward] of elsewhere) add(context, reward, null);
  return known;
}

function ofMember(
  simulator: string,
  own: readonly PlacedRow[],
  known: ReadonlyMap<string, Known>,
  highest: number,
  length: number,
): Learnability {
  const contexts = new Map<string, number[]>();
  for (const { context, reward } of own) {
    if (reward === null) continue;
    const held = contexts.get(context);
    if (held === undefined) contexts.set(context, [reward]);
    else held.push(reward);
  }
  // In the order of contents, which the rows come in.
  const lists = [...contexts].map(([context, list]) => ({ context, list, mean: mean(list) }));
  const n = lists.reduce((sum, { list }) => sum + list.length, 0);
  const over = (values: readonly number[], rows: number, undefinedReason: string): Figure =>
    n === 0 ? missing('no rewards') : meanFigure(values, { n: rows, undefinedReason });
  const twice = lists.filter(({ list }) => list.length >= 2);
  const others = lists.filter(({ context }) => [...known.get(context)!.by].some((who) => who !== simulator));
  return {
    simulator,
    learnability: over(
      twice.map(({ list, mean: centre }) => {
        const squares = list.reduce((sum, reward) => sum + (reward - centre) ** 2, 0);
        return (4 * squares) / (list.length - 1) / length ** 2;
      }),
      twice.reduce((sum, { list }) => sum + list.length, 0),
      'no context with two rewards',
    ),
    regret:
      others.length === 0
        ? null
        : over(
            others.map(({ context, mean: own }) => (known.get(context)!.best - own) / length),
            others.reduce((sum, { list }) => sum + list.length, 0),
            'no rewards',
          ),
    loss: over(
      lists.map(({ mean: own }) => (highest - own) / length),
      n,
      'no rewards',
    ),
    realism: rowShare(
      own.map(({ outside }) => !outside),
      unitsOf(own),
    ),
  };
}

/** Those whose realism is shown to reach the floor, in the order given. */
export function realistic<T extends Pick<Learnability, 'realism'>>(
  ranked: readonly T[],
  floor: number,
): readonly T[] {
  return ranked.filter(({ realism }) => reaches(realism, floor));
}
