import { type Figure, missing } from './figure.ts';
import { groupLost, jackknifeFigure, jackknifePlan, meanFigure } from './interval.ts';
import {
  designNote,
  emptyPanel,
  NO_CONTEXT,
  type OverfittingOptions,
  type PanelRewards,
  panelGaps,
  panelNames,
  rowsIn,
} from './panel-gaps.ts';
import type { RewardRange } from './rewards.ts';
import { mannKendall, slopeOf } from './slope.ts';

/** Fewest simulators a panel needs before anything is said about simulators outside it. */
export const LEAST_PANEL = 6;

export interface Overfitting {
  /** R(training) - R(held-out) in units of the reward range; also above 0 where held-out users are just harder. */
  readonly psod: Figure;
  /** Whether panels are large enough (6 each) to speak of simulators other than the named ones. */
  readonly scope: 'named panel' | 'simulators like these';
}

/**
 * PSOD of one checkpoint: per context the mean over training simulators of their mean reward minus the same over
 * held-out ones, on contexts that every simulator of both panels played; paired t over contexts. `drawn`: the mean over
 * rows of training simulators minus that over rows of held-out ones, on contexts with both; unbiased for the difference
 * of the two panels as they are drawn, where draws do not hang on the context or on one another.
 */
export function overfitting(
  panels: PanelRewards,
  range: RewardRange,
  options: OverfittingOptions = {},
): Overfitting {
  const n = rowsIn(panels);
  const scope =
    Math.min(met(panels.training), met(panels.heldOut)) >= LEAST_PANEL
      ? 'simulators like these'
      : 'named panel';
  const reason = emptyPanel(panels);
  if (reason !== null) return { psod: missing(reason, n), scope };
  const gaps = panelGaps(panels, range, options.design);
  const psod = meanFigure([...gaps.values()], {
    ...options,
    ...designNote(options.design),
    n,
    name: 'paired-t',
    unit: 'reward range',
    undefinedReason: NO_CONTEXT[options.design ?? 'crossed'],
  });
  return { psod, scope };
}

/**
 * PSOD of `a` minus PSOD of `b` (two runs): difference of the means over each run's contexts. A context of both
 * leaves both at once; without shared contexts variances add.
 */
export function overfittingDifference(
  a: PanelRewards,
  b: PanelRewards,
  range: RewardRange,
  options: OverfittingOptions = {},
): Figure {
  const n = rowsIn(a) + rowsIn(b);
  const reason = emptyPanel(a) ?? emptyPanel(b);
  if (reason !== null) return missing(reason, n);
  const gaps = [panelGaps(a, range, options.design), panelGaps(b, range, options.design)];
  const units = gaps.map((gap) => [...gap.keys()].sort((x, y) => x - y));
  if (units.some((present) => present.length === 0))
    return missing(NO_CONTEXT[options.design ?? 'crossed'], n);
  const plan = jackknifePlan(units.map((present) => ({ units: present })));
  const meanWithout = (sample: number, group: number): number => {
    const { groupOf } = plan.components[plan.componentOf[sample]!]!;
    let [total, count] = [0, 0];
    for (const unit of units[sample]!) {
      if (groupOf[unit] === group) continue;
      total += gaps[sample]!.get(unit)!;
      count += 1;
    }
    return total / count;
  };
  return jackknifeFigure(
    plan,
    (deletion) => meanWithout(0, groupLost(plan, 0, deletion)) - meanWithout(1, groupLost(plan, 1, deletion)),
    {
      ...options,
      ...designNote(options.design),
      n,
      unit: 'reward range',
      tested: units.every((present) => present.length >= 50),
      count: 'each',
      undefinedReason: 'no context',
    },
  );
}

export interface CheckpointPanels extends PanelRewards {
  /** Training step or number of the checkpoint: the horizontal axis of the trend. */
  readonly step: number;
}

export interface OverfittingTrend {
  /** Least-squares slope of the gap on the step, per context, mean over contexts; reward range per step. */
  readonly slope: Figure;
  /** Mann-Kendall's S and tau of PSOD(t): description only, checkpoints are autocorrelated. */
  readonly mannKendall: { readonly s: number; readonly tau: number } | null;
}

/** Trend over checkpoints on contexts every checkpoint has. Needs two different steps. */
export function overfittingTrend(
  checkpoints: readonly CheckpointPanels[],
  range: RewardRange,
  options: OverfittingOptions = {},
): OverfittingTrend {
  const n = checkpoints.reduce((rows, panels) => rows + rowsIn(panels), 0);
  const ordered = [...checkpoints].sort((a, b) => a.step - b.step);
  if (new Set(ordered.map(({ step }) => step)).size < 2)
    return { slope: missing('fewer than 2 checkpoints', n), mannKendall: null };
  const reason = ordered.map(emptyPanel).find((text) => text !== null) ?? null;
  if (reason !== null) return { slope: missing(reason, n), mannKendall: null };
  if (options.design !== 'drawn' && new Set(ordered.map(panelNames)).size > 1)
    return { slope: missing('the panels of the checkpoints differ', n), mannKendall: null };
  const gaps = ordered.map((panels) => panelGaps(panels, range, options.design));
  const shared = [...gaps[0]!.keys()].filter((unit) => gaps.every((gap) => gap.has(unit)));
  const steps = ordered.map(({ step }) => step);
  const slope = meanFigure(
    shared.map((unit) =>
      slopeOf(
        steps,
        gaps.map((gap) => gap.get(unit)!),
      ),
    ),
    {
      ...options,
      ...designNote(options.design),
      n,
      name: 'slope-t',
      unit: 'reward range / step',
      undefinedReason: 'no context is shared by all checkpoints',
    },
  );
  const path = gaps.map((gap) => shared.reduce((sum, unit) => sum + gap.get(unit)!, 0));
  return { slope, mannKendall: shared.length === 0 ? null : mannKendall(path) };
}

/** Simulators that came at all. */
function met(panel: PanelRewards['training']): number {
  return panel.filter(({ unit }) => unit.length > 0).length;
}
