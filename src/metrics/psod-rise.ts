import { mean, sum } from '../math/summary.ts';
import { type Figure, missing } from './figure.ts';
import { LEAST_UNITS, meanFigure, withInterval } from './interval.ts';
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
import type { RewardRange, RewardRows } from './rewards.ts';

/**
 * PSOD(t) - PSOD(base): what diagnosis and breaker read. Crossed: paired on contexts both checkpoints have. Drawn: paired
 * where they share half the contexts of the one that has fewer (and 8), else the difference of two means whose variances
 * add (Welch); which it was depends on contexts alone, and `method` says it.
 */
export function overfittingRise(
  panels: PanelRewards,
  base: PanelRewards | null,
  range: RewardRange,
  options: OverfittingOptions = {},
): Figure {
  const n = rowsIn(panels) + (base === null ? 0 : rowsIn(base));
  if (base === null) return missing('no base checkpoint', n);
  const reason = emptyPanel(panels) ?? emptyPanel(base) ?? otherPanels(panels, base, options);
  if (reason !== null) return missing(reason, n);
  const [before, now] = [base, panels].map((one) => panelGaps(one, range, options.design)) as [
    Map<number, number>,
    Map<number, number>,
  ];
  const rises: number[] = [];
  for (const [unit, gap] of now) {
    const start = before.get(unit);
    if (start !== undefined) rises.push(gap - start);
  }
  const fewer = Math.min(before.size, now.size);
  if (options.design === 'drawn' && (rises.length < LEAST_UNITS || 2 * rises.length < fewer))
    return welchFigure([...now.values()], [...before.values()], n, options);
  return meanFigure(rises, {
    ...options,
    ...designNote(options.design),
    n,
    name: 'paired-t',
    unit: 'reward range',
    undefinedReason: 'no context is shared with the base checkpoint',
  });
}

/** Two looks at different contexts of one kind; contexts that both have only make the interval too wide. */
function welchFigure(
  now: readonly number[],
  before: readonly number[],
  n: number,
  { unitNoun: noun = 'context', design = 'crossed' }: OverfittingOptions,
): Figure {
  const note = designNote(design).note;
  const method = `welch-t-${noun}(G=${now.length}; G=${before.length}${note === undefined ? '' : `, ${note}`})`;
  if (now.length === 0 || before.length === 0) return missing(NO_CONTEXT[design], n, method);
  const base = { value: mean(now) - mean(before), n, method, unit: 'reward range' };
  const fewer = Math.min(now.length, before.length);
  if (fewer < LEAST_UNITS)
    return { ...base, low: null, high: null, reason: `fewer than ${LEAST_UNITS} ${noun}s` };
  const parts = [now, before].map((values) => {
    const centre = mean(values);
    const variance = sum(values.map((x) => (x - centre) ** 2)) / (values.length - 1) / values.length;
    return { variance, df: values.length - 1 };
  });
  const variance = sum(parts.map((part) => part.variance));
  const spread = sum(parts.map((part) => part.variance ** 2 / part.df));
  const df = spread === 0 ? fewer - 1 : variance ** 2 / spread;
  return withInterval(base, Math.sqrt(variance), df, fewer >= 50);
}

/** Rarer than this by chance: the draws were from other members. */
const RARE = 0.001;

function otherPanels(a: PanelRewards, b: PanelRewards, { design }: OverfittingOptions): string | null {
  const differ = 'the panels of the two checkpoints differ';
  if (design !== 'drawn') return panelNames(a) === panelNames(b) ? null : differ;
  // A draw may miss a member; that it misses one who came often is a change of the population.
  for (const panel of ['training', 'heldOut'] as const)
    for (const [first, second] of [
      [a[panel], b[panel]],
      [b[panel], a[panel]],
    ] as const) {
      const [here, there] = [contextsOf(first).size, contextsOf(second).size];
      const known = new Set(second.map(({ simulator }) => simulator));
      for (const one of first)
        if (!known.has(one.simulator) && missedByChance(contextsOf([one]).size, here, there) < RARE)
          return `${differ}: ${one.simulator} was met in one alone`;
    }
  return null;
}

function contextsOf(panel: readonly RewardRows[]): Set<number> {
  return new Set(panel.flatMap(({ unit }) => Array.from(unit)));
}

/** Probability that all `met` of here + there contexts lie among the first ones (Fisher's exact test). */
function missedByChance(met: number, here: number, there: number): number {
  let probability = 1;
  for (let i = 0; i < met; i++) probability *= (here - i) / (here + there - i);
  return probability;
}
