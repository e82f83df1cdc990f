import { seeded } from '../math/index.ts';
import {
  behaviouralDiversity,
  behaviouralMass,
  type EqualSize,
  jointCollapse,
  kernelCollapse,
  knnCoverage,
  mergeTallies,
  missing,
  missingModes,
  modeConcentration,
  pairCollapse,
  pooledCollapse,
  type ReferenceBalls,
  realism,
  support,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import { ceilingCoverage } from './measure-simulators.ts';
import type { AuditReport } from './report-data.ts';
import { joinVectors, MOST_OUTSIDE, onSupport, type Samples, shareOutside } from './samples.ts';

/**
 * Collapse of the population of simulators. Where more than half of it (each simulator counting the same) lies
 * outside the support, its cells say nothing: `null: off support`.
 */
export function measureCollapse(samples: Samples, seed: number): Omit<AuditReport['scd'], 'conditional'> {
  const { simulators, interval } = samples;
  const tallies = simulators.map(({ tally }) => tally);
  if (shareOutside(tallies) > MOST_OUTSIDE) {
    const none = missing(
      'off support',
      tallies.reduce((sum, { n }) => sum + n, 0),
    );
    return {
      pooled: none,
      within: none,
      between: none,
      pooled2: none,
      pooled2Within: none,
      pooled2Alike: none,
      joint: none,
      kernel: kernelOf(samples),
    };
  }
  const pooled = pooledCollapse(tallies, interval);
  const pairs = pairCollapse(tallies, interval);
  return {
    pooled: pooled.pooled,
    within: pooled.within,
    between: pooled.between,
    pooled2: pairs.pooled2,
    pooled2Within: pairs.within,
    pooled2Alike: pairs.alike,
    joint: jointCollapse(tallies, { ...interval, random: seeded(`${seed}/joint`) }).joint,
    kernel: kernelOf(samples),
  };
}

/** Needs no cells. */
function kernelOf({ simulators, interval }: Samples) {
  return kernelCollapse(
    simulators.map(({ vectors }) => vectors),
    interval,
  );
}

/** Coverage of people's behaviour by all simulators together. */
export function measureDiversity(
  samples: Samples,
  size: EqualSize | null,
  balls: ReferenceBalls | null,
): Omit<AuditReport['bdi'], 'relative'> {
  const { simulators, people, interval } = samples;
  const all = mergeTallies(simulators.map(({ tally }) => tally));
  const none = missing('no human reference, so there is no absolute coverage', all.n);
  if (people === null)
    return {
      headline: none,
      mass: none,
      support: support(all),
      knn: none,
      knnExpected: null,
      realism: onSupport(samples, realism(all, interval)),
      g0: null,
    };
  const joined = joinVectors(simulators).vectors;
  const knn =
    balls === null
      ? { coverage: none, expected: null }
      : knnCoverage(joined, balls, {
          limit: Math.min(joined.unit.length, people.ceiling.vectors.unit.length),
        });
  return {
    headline: behaviouralDiversity(all, people.ceiling.tally, people.mass.tally, size, interval),
    mass: behaviouralMass(all, people.mass.tally, size, interval),
    support: support(all),
    knn: knn.coverage,
    knnExpected: knn.expected,
    realism: onSupport(samples, realism(all, interval)),
    g0: size?.contexts ?? null,
  };
}

/** Fresh people measured as if they were a simulator. */
export function measureReference(
  samples: Samples,
  size: EqualSize | null,
  balls: ReferenceBalls | null,
): AuditReport['reference'] {
  const { people, interval, view } = samples;
  if (people === null || view.people === null) return null;
  const { ceiling, mass } = people;
  const knn = ceilingCoverage(samples, balls);
  return {
    id: 'people',
    n: view.people.fit + mass.tally.n + ceiling.tally.n,
    parts: { fit: view.people.fit, mass: mass.tally.n, ceiling: ceiling.tally.n },
    mci: modeConcentration(ceiling.tally, interval),
    scd: pooledCollapse([ceiling.tally], interval).pooled,
    scd2: pairCollapse([ceiling.tally], interval).pooled2,
    ceiling: {
      mass: behaviouralMass(ceiling.tally, mass.tally, size, interval),
      knn: knn.coverage,
      knnExpected: knn.expected,
      realism: onSupport(samples, realism(ceiling.tally, interval)),
    },
    shares: Array.from(mergeTallies([mass.tally, ceiling.tally]).counts, (count, _) =>
      mass.tally.n + ceiling.tally.n === 0 ? 0 : count / (mass.tally.n + ceiling.tally.n),
    ),
  };
}

/** Modes of people that no simulator visits, with what people did there. */
export function measureMissing(samples: Samples, space: BehaviourSpace): AuditReport['missing'] {
  const { simulators, people, interval, view } = samples;
  if (people === null) return [];
  const all = mergeTallies(simulators.map(({ tally }) => tally));
  const book = view.codebook === 'interactionEpisode' ? space.interactionEpisode : space.episode;
  return missingModes(all, people.mass.tally, interval).map(({ mode, mass, p }) => ({
    mode,
    mass,
    p,
    exemplars: view.codebook === 'acts' ? [] : (book.exemplars[mode] ?? []),
  }));
}
