import {
  behaviouralDiversity,
  type CurveEpoch,
  type CurvePoint,
  collapseTrend,
  curvePoint,
  type EqualSize,
  equalSize,
  type Figure,
  headlineGap,
  mergeTallies,
  missing,
  overfitting,
  type RewardRange,
  relativeGrowth,
  type Tally,
  tallyOf,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import { panelsOf, rewardRangeOf } from './measure-rewards.ts';
import { contextTrends } from './measure-trends.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport, EpochRow } from './report-data.ts';
import { MOST_OUTSIDE, type Sample, type Samples, shareOutside } from './samples.ts';

/** Growth needs a first and a last. */
const ONE_ROUND = 'growth is stated between two epochs, or between two runs: compare them';
/** Deeper turns are seen in few episodes only. */
const MAXIMUM_DEPTH = 12;
const LEAST_AT_DEPTH = 20;

/** One row an epoch (or bucket of steps), all in one space; empty where rows carry no epoch. */
export function measureEpochs(
  samples: Samples,
  size: EqualSize | null,
  options: AuditOptions,
): { epochs: EpochRow[]; trend: AuditReport['trend']; growth: Figure } {
  const { simulators, interval } = samples;
  const bucket = options.epochBucket ?? 1;
  const epochOf = (sample: Sample, row: number) => Math.floor(sample.columns.epoch[row]! / bucket) * bucket;
  const steps = [
    ...new Set(
      simulators.flatMap((sample) =>
        sample.rows.flatMap((row) =>
          Number.isNaN(sample.columns.epoch[row]!) ? [] : [epochOf(sample, row)],
        ),
      ),
    ),
  ].sort((a, b) => a - b);
  if (steps.length === 0) return { epochs: [], trend: [], growth: missing(ONE_ROUND) };
  const rowsAt = simulators.map((sample) => {
    const rows = new Map<number, number[]>(steps.map((step) => [step, []]));
    for (const row of sample.rows) rows.get(epochOf(sample, row))?.push(row);
    return rows;
  });
  const at = steps.map(
    (step): CurveEpoch => ({
      step,
      simulators: simulators.map((sample, index) => tallyIn(samples, sample, rowsAt[index]!.get(step)!)),
    }),
  );
  const panels = panelsOf(samples, options.heldOut);
  const range = rewardRangeOf(samples, options.rewardRange);
  const epochs = at.map(({ step, simulators: tallies }): EpochRow => {
    const curve = unlessOutside(curvePoint(tallies, interval), tallies);
    return {
      epoch: step,
      n: curve.n,
      scd: curve.scd,
      scd2: curve.scd2,
      mci: curve.mci,
      bdi: diversityAt(samples, mergeTallies(tallies), size),
      psod: gapOf(samples, panels, range, (index) => rowsAt[index]!.get(step)!),
    };
  });
  if (steps.length < 2) return { epochs, trend: [], growth: missing(ONE_ROUND) };
  const [first, last] = [at[0]!, at.at(-1)!].map((epoch) => mergeTallies(epoch.simulators)) as [Tally, Tally];
  const off = at.some(({ simulators: tallies }) => shareOutside(tallies) > MOST_OUTSIDE);
  const none = missing('an epoch is off support', 0);
  const slopes = off ? { scd: none, scd2: none, mci: none } : collapseTrend(at, interval);
  return {
    epochs,
    growth: relativeGrowth(first, last, equalSize([first, last]), interval),
    trend: [
      { metric: 'scd', slope: slopes.scd },
      { metric: 'scd2', slope: slopes.scd2 },
      { metric: 'mci', slope: slopes.mci },
      ...contextTrends(samples, options, steps, epochOf),
    ],
  };
}

/** Where most rows lie outside the support their cells say nothing (metrics.md, "off support"). */
function unlessOutside(curve: CurvePoint, tallies: readonly Tally[]): CurvePoint {
  if (shareOutside(tallies) <= MOST_OUTSIDE) return curve;
  const none = missing('off support', curve.n);
  return { n: curve.n, scd: none, scd2: none, mci: none };
}

function tallyIn({ view }: Samples, sample: Sample, rows: readonly number[]): Tally {
  return tallyOf({
    k: view.k,
    unit: rows.map((row) => sample.columns.unit[row]!),
    cell: rows.map((row) => sample.columns.cell[row]!),
    outside: rows.map((row) => sample.columns.outside[row] === 1),
  });
}

function diversityAt({ people, interval }: Samples, tally: Tally, size: EqualSize | null): Figure {
  if (people === null) return missing('no human reference', tally.n);
  return behaviouralDiversity(tally, people.ceiling.tally, people.mass.tally, size, interval);
}

function gapOf(
  { simulators }: Samples,
  panels: ReturnType<typeof panelsOf>,
  range: RewardRange | null,
  rowsOf: (index: number) => readonly number[],
): Figure {
  if (panels.heldOut.length === 0) return missing('no simulator is held out');
  if (range === null) return missing('no rewards, or all equal');
  const rewards = (names: readonly string[]) =>
    simulators.flatMap((sample, index) => {
      if (!names.includes(sample.id)) return [];
      const rows = rowsOf(index).filter((row) => !Number.isNaN(sample.columns.reward[row]!));
      return {
        simulator: sample.id,
        unit: rows.map((row) => sample.columns.context[row]!),
        reward: rows.map((row) => sample.columns.reward[row]!),
      };
    });
  const at = { training: rewards(panels.training), heldOut: rewards(panels.heldOut) };
  return headlineGap((options) => overfitting(at, range, options).psod, { unitNoun: 'context' }).figure;
}

/** SCD2 and concentration of single simulator turns, by how deep in the episode they stand. */
export function measureDepth(samples: Samples, space: BehaviourSpace): AuditReport['depth'] {
  const { view, simulators, interval } = samples;
  const k = Math.max(1, space.turn.centroids.rows);
  const reached = simulators.map((sample) => {
    const depths = Array.from({ length: MAXIMUM_DEPTH }, () => ({
      unit: [] as number[],
      cell: [] as number[],
    }));
    for (const row of sample.rows) {
      const cells = view.profile.peek(sample.columns.profileRow[row]!).turnCells;
      const last = Math.min(cells.length, MAXIMUM_DEPTH);
      for (let depth = 0; depth < last; depth++) {
        depths[depth]!.unit.push(sample.columns.unit[row]!);
        depths[depth]!.cell.push(cells[depth]!);
      }
    }
    return depths;
  });
  const rows: AuditReport['depth'][number][] = [];
  for (let depth = 0; depth < MAXIMUM_DEPTH; depth++) {
    const tallies = reached.map((depths) => {
      const { unit, cell } = depths[depth]!;
      return tallyOf({ k, unit, cell, outside: new Uint8Array(unit.length) as ArrayLike<0 | 1> });
    });
    const curve = curvePoint(tallies, interval);
    if (curve.n < LEAST_AT_DEPTH) break;
    rows.push({ depth, n: curve.n, scd2: curve.scd2, mci: curve.mci });
  }
  return rows;
}
