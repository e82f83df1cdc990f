import { CollapseAwareError } from '../errors.ts';
import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan, meanFigure } from './interval.ts';
import { type RewardRange, type RewardRows, rangeLength, rewardsByUnit } from './rewards.ts';
import { mannKendall, slopeOf } from './slope.ts';

/** The simulators a policy was trained against and those held out, under one checkpoint. */
export interface PanelRewards {
  readonly training: readonly RewardRows[];
  readonly heldOut: readonly RewardRows[];
}

/** Fewest simulators a panel needs before anything is said about simulators outside it. */
export const LEAST_PANEL = 6;

/** Throws CA_PANEL_OVERLAP where one simulator stands in two panels (or twice in one). */
export function checkPanels(panels: Readonly<Record<string, readonly string[]>>): void {
  const seen = new Map<string, string>();
  for (const [name, simulators] of Object.entries(panels))
    for (const simulator of simulators) {
      const other = seen.get(simulator);
      if (other !== undefined)
        throw new CollapseAwareError(
          'CA_PANEL_OVERLAP',
          other === name
            ? `simulator ${simulator} stands twice in panel ${name}`
            : `simulator ${simulator} stands in panels ${other} and ${name}`,
          { todo: 'give every simulator one panel' },
        );
      seen.set(simulator, name);
    }
}

export interface Overfitting {
  /** R(training) - R(held-out) in units of the reward range; also above 0 where held-out users are just harder. */
  readonly psod: Figure;
  /** Whether panels are large enough (6 each) to speak of simulators other than the named ones. */
  readonly scope: 'named panel' | 'simulators like these';
}

/**
 * PSOD of one checkpoint: per context the mean over training simulators of their mean reward minus the same over
 * held-out ones, on contexts that every simulator of both panels played; paired t over contexts.
 */
export function overfitting(
  panels: PanelRewards,
  range: RewardRange,
  options: IntervalOptions = {},
): Overfitting {
  const n = rowsIn(panels);
  const scope =
    Math.min(panels.training.length, panels.heldOut.length) >= LEAST_PANEL
      ? 'simulators like these'
      : 'named panel';
  const reason = emptyPanel(panels);
  if (reason !== null) return { psod: missing(reason, n), scope };
  const gaps = panelGaps(panels, range);
  const psod = meanFigure([...gaps.values()], {
    ...options,
    n,
    name: 'paired-t',
    unit: 'reward range',
    undefinedReason: 'no context was played by every simulator of both panels',
  });
  return { psod, scope };
}

/** PSOD(t) - PSOD(base), paired on contexts both checkpoints have: what diagnosis and breaker read. */
export function overfittingRise(
  panels: PanelRewards,
  base: PanelRewards | null,
  range: RewardRange,
  options: IntervalOptions = {},
): Figure {
  const n = rowsIn(panels) + (base === null ? 0 : rowsIn(base));
  if (base === null) return missing('no base checkpoint', n);
  const reason = emptyPanel(panels) ?? emptyPanel(base);
  if (reason !== null) return missing(reason, n);
  if (names(panels) !== names(base)) return missing('the panels of the two checkpoints differ', n);
  const before = panelGaps(base, range);
  const rises: number[] = [];
  for (const [unit, gap] of panelGaps(panels, range)) {
    const start = before.get(unit);
    if (start !== undefined) rises.push(gap - start);
  }
  return meanFigure(rises, {
    ...options,
    n,
    name: 'paired-t',
    unit: 'reward range',
    undefinedReason: 'no context is shared with the base checkpoint',
  });
}

/**
 * PSOD of `a` minus PSOD of `b` (two runs): difference of the means over each run's contexts. A context of both
 * leaves both at once; without shared contexts variances add.
 */
export function overfittingDifference(
  a: PanelRewards,
  b: PanelRewards,
  range: RewardRange,
  options: IntervalOptions = {},
): Figure {
  const n = rowsIn(a) + rowsIn(b);
  const reason = emptyPanel(a) ?? emptyPanel(b);
  if (reason !== null) return missing(reason, n);
  const gaps = [panelGaps(a, range), panelGaps(b, range)];
  const units = gaps.map((gap) => [...gap.keys()].sort((x, y) => x - y));
  if (units.some((present) => present.length === 0))
    return missing('no context was played by every simulator of both panels', n);
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
  options: IntervalOptions = {},
): OverfittingTrend {
  const n = checkpoints.reduce((rows, panels) => rows + rowsIn(panels), 0);
  const ordered = [...checkpoints].sort((a, b) => a.step - b.step);
  if (new Set(ordered.map(({ step }) => step)).size < 2)
    return { slope: missing('fewer than 2 checkpoints', n), mannKendall: null };
  const reason = ordered.map(emptyPanel).find((text) => text !== null) ?? null;
  if (reason !== null) return { slope: missing(reason, n), mannKendall: null };
  if (new Set(ordered.map(names)).size > 1)
    return { slope: missing('the panels of the checkpoints differ', n), mannKendall: null };
  const gaps = ordered.map((panels) => panelGaps(panels, range));
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
      n,
      name: 'slope-t',
      unit: 'reward range / step',
      undefinedReason: 'no context is shared by all checkpoints',
    },
  );
  const path = gaps.map((gap) => shared.reduce((sum, unit) => sum + gap.get(unit)!, 0));
  return { slope, mannKendall: shared.length === 0 ? null : mannKendall(path) };
}

/** Gap of every context that all simulators of both panels played, in units of the range, ascending by context. */
function panelGaps(panels: PanelRewards, range: RewardRange): Map<number, number> {
  checkPanels({
    training: panels.training.map(({ simulator }) => simulator),
    'held-out': panels.heldOut.map(({ simulator }) => simulator),
  });
  const length = rangeLength(range);
  const [training, heldOut] = [panels.training, panels.heldOut].map((panel) => panel.map(contextMeans)) as [
    Map<number, number>[],
    Map<number, number>[],
  ];
  const gaps = new Map<number, number>();
  for (const unit of training[0]!.keys()) {
    if (![...training, ...heldOut].every((means) => means.has(unit))) continue;
    gaps.set(unit, (panelMean(training, unit) - panelMean(heldOut, unit)) / length);
  }
  return gaps;
}

function contextMeans(rows: RewardRows): Map<number, number> {
  const means = new Map<number, number>();
  for (const [unit, rewards] of rewardsByUnit(rows))
    means.set(unit, rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length);
  return means;
}

/** Summed in ascending order, so that renaming simulators moves no digit. */
function panelMean(panel: readonly Map<number, number>[], unit: number): number {
  const values = panel.map((means) => means.get(unit)!).sort((a, b) => a - b);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function emptyPanel({ training, heldOut }: PanelRewards): string | null {
  if (training.length === 0) return 'no training simulator';
  return heldOut.length === 0 ? 'no held-out simulator' : null;
}

function names({ training, heldOut }: PanelRewards): string {
  const list = (panel: readonly RewardRows[]) => panel.map(({ simulator }) => simulator).sort();
  return JSON.stringify([list(training), list(heldOut)]);
}

function rowsIn({ training, heldOut }: PanelRewards): number {
  return [...training, ...heldOut].reduce((rows, { unit }) => rows + unit.length, 0);
}
