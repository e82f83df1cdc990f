import {
  behaviouralDiversity,
  type CurveEpoch,
  collapseTrend,
  curvePoint,
  type EqualSize,
  type Figure,
  mergeTallies,
  missing,
  overfitting,
  type Tally,
  tallyOf,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import { panelsOf, rewardRangeOf } from './measure-rewards.ts';
import { contextTrends } from './measure-trends.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport, EpochRow } from './report-data.ts';
import type { Sample, Samples } from './samples.ts';

/** Deeper turns are seen in few episodes only. */
const MAXIMUM_DEPTH = 12;
const LEAST_AT_DEPTH = 20;

/** One row an epoch (or bucket of steps), all in one space; empty where rows carry no epoch. */
export function measureEpochs(
  samples: Samples,
  size: EqualSize | null,
  options: AuditOptions,
): { epochs: EpochRow[]; trend: AuditReport['trend'] } {
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
  if (steps.length === 0) return { epochs: [], trend: [] };
  const at = steps.map(
    (step): CurveEpoch => ({
      step,
      simulators: simulators.map((sample) =>
        tallyIn(
          samples,
          sample,
          sample.rows.filter((row) => epochOf(sample, row) === step),
        ),
      ),
    }),
  );
  const epochs = at.map(({ step, simulators: tallies }): EpochRow => {
    const curve = curvePoint(tallies, interval);
    return {
      epoch: step,
      n: curve.n,
      scd: curve.scd,
      scd2: curve.scd2,
      mci: curve.mci,
      bdi: diversityAt(samples, mergeTallies(tallies), size),
      psod: gapAt(samples, options, (sample, row) => epochOf(sample, row) === step),
    };
  });
  if (steps.length < 2) return { epochs, trend: [] };
  const slopes = collapseTrend(at, interval);
  return {
    epochs,
    trend: [
      { metric: 'scd', slope: slopes.scd },
      { metric: 'scd2', slope: slopes.scd2 },
      { metric: 'mci', slope: slopes.mci },
      ...contextTrends(samples, options, steps, epochOf),
    ],
  };
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

function gapAt(
  samples: Samples,
  options: AuditOptions,
  inEpoch: (sample: Sample, row: number) => boolean,
): Figure {
  const panels = panelsOf(samples, options.heldOut);
  const range = rewardRangeOf(samples, options.rewardRange);
  if (panels.heldOut.length === 0) return missing('no simulator is held out');
  if (range === null) return missing('no rewards, or all equal');
  const rewards = (names: readonly string[]) =>
    samples.simulators
      .filter(({ id }) => names.includes(id))
      .map((sample) => {
        const rows = sample.rows.filter(
          (row) => inEpoch(sample, row) && !Number.isNaN(sample.columns.reward[row]!),
        );
        return {
          simulator: sample.id,
          unit: rows.map((row) => sample.columns.context[row]!),
          reward: rows.map((row) => sample.columns.reward[row]!),
        };
      });
  const { psod } = overfitting(
    { training: rewards(panels.training), heldOut: rewards(panels.heldOut) },
    range,
    { unitNoun: 'context' },
  );
  return psod;
}

/** SCD2 and concentration of single simulator turns, by how deep in the episode they stand. */
export function measureDepth(samples: Samples, space: BehaviourSpace): AuditReport['depth'] {
  const { view, simulators, interval } = samples;
  const rows: AuditReport['depth'][number][] = [];
  for (let depth = 0; depth < MAXIMUM_DEPTH; depth++) {
    const tallies = simulators.map((sample) => {
      const reached = sample.rows.flatMap((row) => {
        const cell = view.profile.row(sample.columns.profileRow[row]!).turnCells[depth];
        return cell === undefined ? [] : [{ unit: sample.columns.unit[row]!, cell }];
      });
      return tallyOf({
        k: Math.max(1, space.turn.centroids.rows),
        unit: reached.map(({ unit }) => unit),
        cell: reached.map(({ cell }) => cell),
        outside: reached.map(() => false),
      });
    });
    const curve = curvePoint(tallies, interval);
    if (curve.n < LEAST_AT_DEPTH) break;
    rows.push({ depth, n: curve.n, scd2: curve.scd2, mci: curve.mci });
  }
  return rows;
}
