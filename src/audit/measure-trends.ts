import { type Figure, meanFigure, slopeOf } from '../metrics/index.ts';
import { panelsOf, rewardRangeOf } from './measure-rewards.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport } from './report-data.ts';
import type { Sample, Samples } from './samples.ts';

type EpochOf = (sample: Sample, row: number) => number;

/** Means by context and epoch: the slope is taken within a context, the test over contexts. */
class ContextPaths {
  readonly #paths = new Map<number, Map<number, { sum: number; n: number }>>();
  #n = 0;

  add(context: number, step: number, value: number): void {
    let path = this.#paths.get(context);
    if (path === undefined) {
      path = new Map();
      this.#paths.set(context, path);
    }
    const at = path.get(step);
    if (at === undefined) path.set(step, { sum: value, n: 1 });
    else {
      at.sum += value;
      at.n += 1;
    }
    this.#n += 1;
  }

  /** Mean over contexts that every step has of the least-squares slope there; paired t. */
  slope(steps: readonly number[], unit: string): Figure {
    const slopes = [...this.#paths]
      .sort(([a], [b]) => a - b)
      .flatMap(([, path]) => {
        const values = steps.map((step) => path.get(step));
        return values.every((at) => at !== undefined)
          ? [
              slopeOf(
                steps,
                values.map((at) => at.sum / at.n),
              ),
            ]
          : [];
      });
    return meanFigure(slopes, {
      unitNoun: 'context',
      n: this.#n,
      name: 'slope-t',
      unit: `${unit} / step`,
      undefinedReason: 'no context stands in every epoch',
    });
  }
}

/** Slopes over epochs of the mean reward, on training and held-out simulators, and of the zero-variance share. */
export function contextTrends(
  samples: Samples,
  options: AuditOptions,
  steps: readonly number[],
  epochOf: EpochOf,
): AuditReport['trend'] {
  const range = rewardRangeOf(samples, options.rewardRange);
  if (range === null) return [];
  const panels = panelsOf(samples, options.heldOut);
  const length = range[1] - range[0];
  const reward = (metric: string, names: readonly string[]) => {
    const paths = new ContextPaths();
    for (const sample of samples.simulators)
      if (names.includes(sample.id))
        for (const row of sample.rows) {
          const value = sample.columns.reward[row]!;
          const step = epochOf(sample, row);
          if (!Number.isNaN(value) && !Number.isNaN(step))
            paths.add(sample.columns.context[row]!, step, value / length);
        }
    return { metric, slope: paths.slope(steps, 'reward range') };
  };
  const zero = zeroVariancePaths(samples, epochOf);
  return [
    reward('reward.seen', panels.training.length > 0 ? panels.training : samples.view.simulators),
    ...(panels.heldOut.length > 0 ? [reward('reward.heldOut', panels.heldOut)] : []),
    ...(zero === null ? [] : [{ metric: 'zeroVariance', slope: zero.slope(steps, 'share') }]),
  ];
}

interface Group {
  readonly context: number;
  readonly step: number;
  low: number;
  high: number;
  rollouts: number;
}

/** 1 for a group of two rollouts or more whose rewards are equal, 0 for one where they differ; null without groups. */
function zeroVariancePaths({ view, simulators }: Samples, epochOf: EpochOf): ContextPaths | null {
  const groups = new Map<string, Group>();
  for (const sample of simulators)
    for (const row of sample.rows) {
      const reward = sample.columns.reward[row]!;
      const step = epochOf(sample, row);
      if (Number.isNaN(reward) || Number.isNaN(step)) continue;
      const placed = view.profile.peek(sample.columns.profileRow[row]!);
      if (placed.group === null) continue;
      const key = JSON.stringify([placed.group, placed.policy, placed.checkpoint, placed.epoch]);
      const group = groups.get(key);
      if (group === undefined) {
        const context = sample.columns.context[row]!;
        groups.set(key, { context, step, low: reward, high: reward, rollouts: placed.ids.length });
      } else {
        group.low = Math.min(group.low, reward);
        group.high = Math.max(group.high, reward);
        group.rollouts += placed.ids.length;
      }
    }
  const paths = new ContextPaths();
  let found = false;
  for (const { context, step, low, high, rollouts } of groups.values())
    if (rollouts >= 2) {
      found = true;
      paths.add(context, step, high - low <= 1e-9 ? 1 : 0);
    }
  return found ? paths : null;
}
