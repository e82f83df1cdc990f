import { curvePoint, type Figure, missing, modeConcentration } from '../metrics/index.ts';
import { type BehaviourSpace, compareView, type Profile } from '../space/index.ts';
import { measureGroups } from './measure-health.ts';
import type { MonitorPlan } from './monitor-plan.ts';
import { MOST_OUTSIDE, type Samples, samplesOf, shareOutside } from './samples.ts';

/** Figures of the simulators that the policy trains on; panels kept out of training do not enter. */
export interface StepFigures {
  readonly scd2: Figure;
  readonly scd: Figure;
  /** The most concentrated simulator. */
  readonly mci: { readonly simulator: string | null; readonly figure: Figure };
  /** Share of reward groups without a gradient. */
  readonly zeroVariance: Figure;
  readonly simulators: readonly { readonly id: string; readonly n: number; readonly mci: Figure }[];
  /** Simulators that SCD2 and SCD speak without, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Fewer leave no pair of rows from different units once one is deleted: the figure of all would have no interval. */
const LEAST_UNITS = 3;

/**
 * The same figures as the rows of an audit's `epochs`, in the plan's codebook and unit, but that a simulator seen in too
 * few units is left out of SCD2 and SCD, and said: one that is rarely drawn would otherwise leave everybody unwatched.
 * `range`: lowest and highest reward so far, for groups that all fail or all pass.
 */
export function stepFigures(
  profile: Profile,
  space: BehaviourSpace,
  plan: MonitorPlan,
  range: readonly [number, number] | null,
): StepFigures {
  const training = trainingSimulators(profile, plan.heldOut);
  const samples = training.length === 0 ? null : viewOf(profile, space, plan, training);
  if (samples === null) {
    const none = missing(
      training.length === 0
        ? 'no row of a simulator in training'
        : `no row has a cell under the control "${plan.control}"`,
    );
    return {
      scd2: none,
      scd: none,
      mci: { simulator: null, figure: none },
      zeroVariance: none,
      simulators: [],
      leftOut: [],
    };
  }
  const { simulators, interval } = samples;
  const enough = simulators.filter(({ tally }) => tally.units.length >= LEAST_UNITS);
  // Where all are seen in few units, the figure itself says why it has no interval.
  const watched = enough.length === 0 ? simulators : enough;
  const curve = curvePoint(
    watched.map(({ tally }) => tally),
    interval,
  );
  const outside = shareOutside(simulators.map(({ tally }) => tally));
  const unlessOutside = (figure: Figure): Figure =>
    outside > MOST_OUTSIDE
      ? missing(
          `off support: ${Math.round(100 * outside)} % of the rows are unlike any the space knows`,
          figure.n,
          figure.method,
        )
      : figure;
  const each = simulators.map((sample) => ({
    id: sample.id,
    n: sample.tally.n,
    mci:
      shareOutside([sample.tally]) > MOST_OUTSIDE
        ? missing('off support', sample.tally.n)
        : modeConcentration(sample.tally, interval),
  }));
  const worst = each.reduce<(typeof each)[number] | null>(
    (most, one) => ((one.mci.value ?? -1) > (most?.mci.value ?? -1) ? one : most),
    null,
  );
  return {
    scd2: unlessOutside(curve.scd2),
    scd: unlessOutside(curve.scd),
    mci:
      worst === null
        ? { simulator: null, figure: each[0]?.mci ?? missing('no row') }
        : { simulator: worst.id, figure: worst.mci },
    zeroVariance: measureGroups(samples, isRange(range) ? { rewardRange: range } : {}).zeroVariance.share,
    simulators: each,
    leftOut: simulators
      .filter((sample) => !watched.includes(sample))
      .map(
        ({ id, tally }) =>
          `${id} has rows of ${tally.units.length} ${interval.unitNoun ?? 'context'}${tally.units.length === 1 ? '' : 's'} alone: left out of SCD2`,
      ),
  };
}

/** Those not named as held out; where none is named, those without a row of a selection or test panel. */
export function trainingSimulators(profile: Profile, heldOut: readonly string[]): string[] {
  const all = new Set<string>();
  const held = new Set<string>(heldOut);
  for (let i = 0; i < profile.size; i++) {
    const { simulator, split, part } = profile.peek(i);
    if (part !== null) continue;
    all.add(simulator);
    if (heldOut.length === 0 && (split === 'selection' || split === 'test')) held.add(simulator);
  }
  return [...all].filter((id) => !held.has(id)).sort();
}

function viewOf(
  profile: Profile,
  space: BehaviourSpace,
  { control, unit }: MonitorPlan,
  simulators: readonly string[],
): Samples | null {
  const hasCell = (row: ReturnType<Profile['row']>) => control === 'interaction' || row.cell !== null;
  for (let i = 0; i < profile.size; i++) {
    const row = profile.peek(i);
    if (row.part === null && simulators.includes(row.simulator) && hasCell(row))
      return samplesOf(compareView(profile, space, { control, unit, simulators }), space);
  }
  return null;
}

/** Rewards that were all equal so far, as in the first steps of a hard task, have no range. */
function isRange(range: readonly [number, number] | null): range is readonly [number, number] {
  return range !== null && range[0] < range[1];
}
