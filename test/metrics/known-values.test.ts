import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  effectiveModes,
  groupExposure,
  jointCollapse,
  lawErrors,
  memberPosterior,
  mergeTallies,
  modeConcentration,
  pairCollapse,
  pooledCollapse,
  populationLaw,
  tallyOf,
  turnCollapse,
  vendi,
} from '../../src/metrics/index.ts';
import { pick } from './simulated-population.ts';
import { repeated, rowsOf, tally } from './tallies.ts';

describe('values known from theory', () => {
  it('gives K equal modes a concentration of 1/K and a collapse of 0', () => {
    for (const k of [2, 5, 16]) {
      const equal = repeated(
        k,
        20,
        Array.from({ length: k }, (_, cell) => cell),
      );
      const mci = modeConcentration(equal);
      expect(mci.value).toBeCloseTo(1 / k, 12);
      expect(effectiveModes(mci, k).value).toBeCloseTo(k, 9);
      expect(pooledCollapse([equal]).pooled.value).toBeCloseTo(0, 9);
      expect(pairCollapse([equal]).pooled2.value).toBeCloseTo(0, 9);
    }
  });

  it('gives one mode a concentration of 1 and a collapse of 1', () => {
    const one = repeated(6, 20, [4, 4, 4]);
    expect(modeConcentration(one)).toMatchObject({ value: 1, low: 1, high: 1 });
    expect(effectiveModes(modeConcentration(one), 6).value).toBe(1);
    expect(pooledCollapse([one, one]).pooled.value).toBeCloseTo(1, 12);
    expect(pooledCollapse([one, one]).pooled.se).toBeCloseTo(0, 12);
    expect(pairCollapse([one, one]).pooled2.value).toBe(1);
  });

  it('finds N disjoint single modes narrow each and not collapsed together', () => {
    const n = 7;
    const simulators = Array.from({ length: n }, (_, i) => repeated(n, 30, [i]));
    const pooled = pooledCollapse(simulators);
    expect(pooled.pooled.value).toBeCloseTo(0, 9);
    expect(pooled.within.value).toBeCloseTo(0, 9);
    expect(pooled.between.value).toBeCloseTo(Math.log(n), 9);
    const pairs = pairCollapse(simulators);
    expect(pairs.pooled2.value).toBeCloseTo(0, 9);
    expect(pairs.within.value).toBeCloseTo(0, 9);
    expect(pairs.alike.value).toBeCloseTo(Math.log(n), 9);
  });

  it('holds 0 in the joint interval of independent uniform simulators', () => {
    const random = seeded('uniform');
    const simulators = [0, 1, 2, 3].map(() =>
      tally(
        4,
        Array.from({ length: 80 }, () => [random.integer(4), random.integer(4)]),
      ),
    );
    const { joint, edges } = jointCollapse(simulators, { random: seeded(1) });
    expect(edges).toBe(0);
    expect(joint.low).toBeLessThan(0);
    expect(joint.high).toBeGreaterThan(0);
    expect(Math.abs(joint.value!)).toBeLessThan(0.02);
  });

  it('tells a per-turn mixture of deterministic users from a sticky one', () => {
    const k = 5;
    const laws = Array.from({ length: k }, (_, i) => Array.from({ length: k }, (_, c) => (c === i ? 1 : 0)));
    const weights = laws.map(() => 1 / k);
    // Members change per turn: at any history the weights decide.
    expect(lawErrors(populationLaw(weights, laws)).epsilon).toBeCloseTo(1 - 1 / k, 12);
    // Sticky: at the first turn too; later the past names the member.
    const first = memberPosterior(
      weights,
      laws.map(() => []),
    )!;
    expect(lawErrors(populationLaw(first, laws)).epsilon).toBeCloseTo(1 - 1 / k, 12);
    const later = memberPosterior(
      weights,
      laws.map((law) => [law[2]!]),
    )!;
    expect(later[2]).toBe(1);
    expect(lawErrors(populationLaw(later, laws)).epsilon).toBe(0);
    for (const law of laws) expect(lawErrors(law).epsilon).toBe(0);
    // The same from resamples.
    const member = turnCollapse(
      Array.from({ length: 60 }, (_, unit) => ({
        unit,
        classes: new Array(8).fill(unit % k),
        probability: 1,
      })),
      'member',
    );
    expect(member.epsilon.value).toBe(0);
    const random = seeded('mixture');
    const population = turnCollapse(
      Array.from({ length: 400 }, (_, unit) => ({
        unit,
        classes: Array.from({ length: 8 }, () => random.integer(k)),
        probability: 1,
      })),
      'population',
    );
    expect(population.disagreement.low).toBeLessThan(1 - 1 / k);
    expect(population.disagreement.high).toBeGreaterThan(1 - 1 / k);
    expect(population.bracket.plugIn.value).toBeLessThan(1 - 1 / k);
    expect(population.bracket.leaveOneOut.high).toBeGreaterThan(1 - 1 / k - 0.01);
  });

  it('shows a behaviour to a group as often as simulated', () => {
    const weights = [0.5, 0.3, 0.2];
    const chances = [0.05, 0.4, 0.9];
    const random = seeded('groups');
    const counts = { 'per-rollout': 0, 'per-group': 0 };
    const trials = 40_000;
    for (let trial = 0; trial < trials; trial++) {
      const shared = pick(weights, random);
      let [mixed, same] = [false, false];
      for (let rollout = 0; rollout < 4; rollout++) {
        mixed ||= random.next() < chances[pick(weights, random)]!;
        same ||= random.next() < chances[shared]!;
      }
      if (mixed) counts['per-rollout'] += 1;
      if (same) counts['per-group'] += 1;
    }
    for (const draw of ['per-rollout', 'per-group'] as const)
      expect(counts[draw] / trials).toBeCloseTo(groupExposure(weights, chances, 4, draw), 1.8);
    expect(groupExposure([1], [0.3], 4, 'per-rollout')).toBeCloseTo(1 - 0.7 ** 4, 12);
  });

  it('gives merged shards the figures of the whole', () => {
    const random = seeded('shards');
    const cells = Array.from({ length: 30 }, () => Array.from({ length: 4 }, () => random.integer(6)));
    const whole = tallyOf(rowsOf(6, cells));
    const shards = [0, 1, 2].map((part) =>
      tallyOf(
        rowsOf(
          6,
          cells.map((list) => list.filter((_, i) => i % 3 === part)),
        ),
      ),
    );
    expect(mergeTallies(shards)).toEqual(whole);
  });

  it('scores identical rows 1 and orthogonal rows n on the Vendi score', () => {
    const n = 9;
    const identical = {
      columns: 3,
      data: Float64Array.from({ length: 3 * n }, (_, i) => (i % 3) + 1),
      unit: new Array(n).fill(0),
    };
    expect(vendi(identical).value).toBeCloseTo(1, 9);
    const orthogonal = {
      columns: n,
      data: Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 2 : 0)),
      unit: new Array(n).fill(0),
    };
    expect(vendi(orthogonal).value).toBeCloseTo(n, 9);
  });
});
