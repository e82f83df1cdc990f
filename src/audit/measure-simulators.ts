import { readSimulator, THRESHOLDS } from '../diagnosis/index.ts';
import { minimum, quantile } from '../math/index.ts';
import {
  behaviouralMass,
  concentrationDifference,
  type EqualSize,
  effectiveModes,
  effectiveRank,
  equalSize,
  type Figure,
  firstRows,
  holmFamily,
  type KnnCoverage,
  knnCoverage,
  massDifference,
  missing,
  modeConcentration,
  outsideShare,
  pairCollapse,
  type ReferenceBalls,
  realism,
  referenceBalls,
  spread,
  standardisedDifference,
  type Tally,
  vendi,
  withinContext,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import type { SimulatorReport } from './report-data.ts';
import {
  equalVectors,
  joinVectors,
  MOST_OUTSIDE,
  onSupport,
  type Sample,
  type Samples,
  shareOutside,
} from './samples.ts';

const DRIVERS = 6;
const EXEMPLARS = 3;

/** The one size at which coverage of all compared data is stated (g0), people's ceiling included. */
export function comparedSize({ simulators, people }: Samples): EqualSize | null {
  const tallies = simulators.map(({ tally }) => tally);
  return people === null ? null : equalSize([...tallies, people.ceiling.tally]);
}

/** Everything that is said of one simulator at a time. */
export function measureSimulators(
  samples: Samples,
  space: BehaviourSpace,
  size: EqualSize | null,
  balls: ReferenceBalls | null,
): SimulatorReport[] {
  const { view, simulators, people, interval } = samples;
  const against = people === null ? equalVectors(simulators) : joinVectors([people.mass, people.ceiling]);
  const pool = pairCollapse(
    simulators.map(({ tally }) => tally),
    interval,
  );
  const compared = people === null ? simulators : [...simulators, people.ceiling];
  const equal = minimum(compared.map(({ vectors }) => vectors.unit.length));
  const concentrations = simulators.map(({ tally }) =>
    unlessOutside(tally, modeConcentration(tally, interval)),
  );
  const differences = simulators.map((sample) => differencesTo(samples, sample, size));
  const mciHolm = holmFamily(differences.map((one) => one?.mci ?? missing('no people')));
  const massHolm = holmFamily(differences.map((one) => one?.bdiMass ?? missing('no people')));
  const bar = pool.concentration.value === null ? null : THRESHOLDS.poolFactor * pool.concentration.value;
  const poolHolm = bar === null ? [] : holmFamily(concentrations, bar);
  return simulators.map((sample, index): SimulatorReport => {
    const { tally, vectors } = sample;
    const shares = view.shares.simulators[index]!;
    const mci = concentrations[index]!;
    const alike = firstRows(vectors, equal);
    const knn =
      balls === null
        ? { coverage: missing('no human reference', tally.n), expected: null }
        : knnCoverage(vectors, balls, { limit: equal });
    const difference = differences[index]!;
    const draft = {
      id: sample.id,
      kind: kindOf(sample, samples),
      n: tally.n,
      contexts: new Set(sample.rows.map((row) => sample.columns.context[row])).size,
      policies: [...new Set(sample.rows.map((row) => view.policies[sample.columns.policy[row]!]!))].sort(),
      mci,
      effectiveModes: mci.value === null ? mci : effectiveModes(mci, view.k),
      spread: spread(vectors, against.vectors, interval),
      effectiveRank: effectiveRank(alike),
      withinContext: withinContext(vectors, against.vectors, {
        ...interval,
        contexts: { simulator: sample.contexts, reference: against.contexts },
      }),
      vendi: vendi(alike),
      outside: onSupport(samples, outsideShare(tally, interval)),
      style: styleOf(shares.outside.semantic, shares.rows),
      bdi: {
        mass:
          people === null
            ? missing('no human reference', tally.n)
            : behaviouralMass(tally, people.mass.tally, size, interval),
        knn: knn.coverage,
        knnExpected: knn.expected,
        realism: onSupport(samples, realism(tally, interval)),
      },
      versusReference:
        difference === null
          ? null
          : {
              ...difference,
              mciHolm: mciHolm[index]!,
              bdiMassHolm: massHolm[index]!,
            },
      drivers: driversOf(sample, samples, space),
      shares: Array.from(tally.counts, (count) => (tally.n === 0 ? 0 : count / tally.n)),
      reward: rewardsOf(sample),
      exemplars: exemplarsOf(sample),
    };
    const poolConcentration = {
      mci: pool.concentration.value,
      simulators: simulators.length,
      holm: poolHolm[index] ?? null,
    };
    return { ...draft, verdict: readSimulator(draft, poolConcentration).verdict };
  });
}

/** Cells of a sample that lies mostly outside the support say nothing, and it is no part of a family of tests. */
function unlessOutside(tally: Tally, figure: Figure): Figure {
  return shareOutside([tally]) > MOST_OUTSIDE ? missing('off support', figure.n, figure.method) : figure;
}

function differencesTo(
  { people, interval }: Samples,
  { tally }: Sample,
  size: EqualSize | null,
): { mci: Figure; bdiMass: Figure } | null {
  if (people === null) return null;
  return {
    mci: unlessOutside(tally, concentrationDifference(tally, people.ceiling.tally, interval)),
    bdiMass: massDifference(tally, people.ceiling.tally, people.mass.tally, size, interval),
  };
}

/** Coverage of the ceiling people by the rule of every simulator's: PRDC over the mass part, at one N and M. */
export function ceilingCoverage(samples: Samples, balls: ReferenceBalls | null): KnnCoverage {
  const { simulators, people } = samples;
  if (people === null || balls === null) return { coverage: missing('no human reference'), expected: null };
  const limit = minimum([...simulators, people.ceiling].map(({ vectors }) => vectors.unit.length));
  return knnCoverage(people.ceiling.vectors, balls, { limit });
}

/** The mass people with their neighbour distances, found once for everything that is held against them. */
export function massBalls({ people }: Samples): ReferenceBalls | null {
  return people === null ? null : referenceBalls(people.mass.vectors);
}

function styleOf(share: number, n: number): Figure {
  return { value: share, low: null, high: null, n, method: 'share outside, semantic block' };
}

function kindOf(sample: Sample, { view }: Samples): string {
  const first = sample.rows[0];
  return first === undefined ? 'llm' : view.profile.peek(sample.columns.profileRow[first]!).kind;
}

/** Features in which the simulator differs most from people, or from the other simulators together. */
function driversOf(
  sample: Sample,
  { simulators, people }: Samples,
  space: BehaviourSpace,
): SimulatorReport['drivers'] {
  const others =
    people === null ? simulators.filter(({ id }) => id !== sample.id) : [people.mass, people.ceiling];
  // With one row nothing is known of any feature: thousands of such simulators would each gather all the others.
  if (others.length === 0 || sample.reservoir.length < 2) return [];
  const unitsOf = (parts: readonly Sample[]) =>
    Int32Array.from(parts.flatMap(({ reservoirUnits }) => Array.from(reservoirUnits)));
  const valuesOf = (parts: readonly Sample[], feature: number) => {
    const values = new Float64Array(parts.reduce((n, { reservoir }) => n + reservoir.length, 0));
    let at = 0;
    for (const part of parts) {
      const column = featureColumns(part, space.features.length)[feature]!;
      values.set(column, at);
      at += column.length;
    }
    return values;
  };
  const [own, other] = [unitsOf([sample]), unitsOf(others)];
  return space.features
    .map((feature, at) => ({
      feature,
      difference: standardisedDifference(
        { unit: own, value: valuesOf([sample], at) },
        { unit: other, value: valuesOf(others, at) },
      ),
    }))
    .filter(({ difference }) => difference.value !== null)
    .sort(
      (a, b) =>
        Math.abs(b.difference.value!) - Math.abs(a.difference.value!) || (a.feature < b.feature ? -1 : 1),
    )
    .slice(0, DRIVERS);
}

/** The features of a sample's reservoir by column: every other simulator is held against them. */
const COLUMNS = new WeakMap<Sample, Float64Array[]>();

function featureColumns(sample: Sample, features: number): readonly Float64Array[] {
  let columns = COLUMNS.get(sample);
  if (columns === undefined) {
    columns = Array.from({ length: features }, () => new Float64Array(sample.reservoir.length));
    for (const [row, { features: values }] of sample.reservoir.entries())
      for (let feature = 0; feature < features; feature++) columns[feature]![row] = values[feature]!;
    COLUMNS.set(sample, columns);
  }
  return columns;
}

function rewardsOf(sample: Sample): SimulatorReport['reward'] {
  const known = sample.rows
    .map((row) => sample.columns.reward[row]!)
    .filter((reward) => !Number.isNaN(reward))
    .sort((a, b) => a - b);
  return {
    n: known.length,
    mean: known.length === 0 ? null : known.reduce((sum, reward) => sum + reward, 0) / known.length,
    quantiles: known.length === 0 ? [] : [0, 0.25, 0.5, 0.75, 1].map((p) => quantile(known, p)),
    missing: sample.rows.length - known.length,
  };
}

/** One dialogue of each of the simulator's largest modes: the first of the reservoir, in hash order. */
function exemplarsOf(sample: Sample): SimulatorReport['exemplars'] {
  const modes = Array.from(sample.tally.counts, (count, mode) => ({ count, mode }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.mode - b.mode)
    .slice(0, EXEMPLARS);
  return modes.flatMap(({ mode }) => {
    const row = sample.reservoir[sample.reservoirCells.indexOf(mode)];
    return row === undefined ? [] : [{ mode, text: row.excerpt }];
  });
}
