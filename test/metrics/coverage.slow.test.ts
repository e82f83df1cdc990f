import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { behaviouralMass } from '../../src/metrics/bdi-mass.ts';
import type { Figure } from '../../src/metrics/figure.ts';
import { concentrationDifference, modeConcentration } from '../../src/metrics/mci.ts';
import { pairCollapse } from '../../src/metrics/scd-pairs.ts';
import { entropyOf, pooledCollapse } from '../../src/metrics/scd-pooled.ts';
import {
  drawPopulation,
  marginalLaw,
  massOfLaw,
  type SimulatedPopulation,
  visitLaw,
} from './simulated-population.ts';

const DATA_SETS = 1000;

/** k modes, mode i + shift of weight (i + 1)^-steepness. */
function power(k: number, steepness: number, shift = 0): number[] {
  const raw = Array.from({ length: k }, (_, i) => (((i + shift) % k) + 1) ** -steepness);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
}

function population(k: number, contexts: number, rows: number, steepness: number): SimulatedPopulation {
  return {
    laws: [0, 1, 2, 3].map((i) => power(k, steepness, 2 * i)),
    topic: power(k, 0.3),
    shared: 0.2,
    looseness: 4,
    contexts,
    rows,
  };
}

const square = (law: readonly number[]) => law.reduce((sum, p) => sum + p * p, 0);

describe('coverage of nominal 95 % intervals over 1,000 data sets', () => {
  it.each([
    { name: 'broad simulators, 12 modes, 60 contexts x 3', spec: population(12, 60, 3, 1) },
    { name: 'narrow simulators, 30 modes, 60 contexts x 4', spec: population(30, 60, 4, 1.5) },
    { name: '64 modes, 100 contexts x 4', spec: population(64, 100, 4, 1) },
  ])(
    'stays within 92 to 98 % for $name',
    ({ name, spec }) => {
      const k = spec.topic.length;
      const laws = spec.laws.map((_, i) => marginalLaw(spec, i));
      const mixture = laws[0]!.map((_, cell) => laws.reduce((sum, law) => sum + law[cell]! / laws.length, 0));
      const people = { ...spec, laws: [power(k, 0.8)] };
      const size = { contexts: Math.floor(spec.contexts / 2), rows: spec.rows };
      const truth = {
        mci: square(laws[0]!),
        difference: square(laws[0]!) - square(laws[1]!),
        pooled: 1 - entropyOf(mixture) / Math.log(k),
        pooled2: 1 + Math.log(square(mixture)) / Math.log(k),
        mass: massOfLaw(marginalLaw(people, 0), visitLaw(spec, 0, spec.rows), size.contexts),
      };
      const hits = { mci: 0, difference: 0, pooled: 0, pooled2: 0, mass: 0 };
      let untested = 0;
      const random = seeded(name);
      for (let set = 0; set < DATA_SETS; set++) {
        const simulators = drawPopulation(spec, random);
        const reference = drawPopulation(people, random, spec.contexts)[0]!;
        const figures: Record<keyof typeof hits, Figure> = {
          mci: modeConcentration(simulators[0]!),
          difference: concentrationDifference(simulators[0]!, simulators[1]!),
          pooled: pooledCollapse(simulators).pooled,
          pooled2: pairCollapse(simulators).pooled2,
          mass: behaviouralMass(simulators[0]!, reference, size),
        };
        for (const key of Object.keys(hits) as (keyof typeof hits)[]) {
          const { low, high, approximate } = figures[key];
          if (approximate) untested += 1;
          if (low! <= truth[key] && truth[key] <= high!) hits[key] += 1;
        }
      }
      for (const [key, count] of Object.entries(hits)) {
        const share = count / DATA_SETS;
        expect(share, `${key} covers ${share}`).toBeGreaterThanOrEqual(0.92);
        expect(share, `${key} covers ${share}`).toBeLessThanOrEqual(0.98);
      }
      expect(untested).toBeLessThan(0.05 * DATA_SETS);
    },
    300_000,
  );
});
