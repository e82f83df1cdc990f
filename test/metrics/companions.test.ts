import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  consistency,
  contextInformation,
  effectiveRank,
  type PolicyEpisodes,
  policyEntropy,
  spread,
  type VectorRows,
  vendi,
  withinContext,
  zeroVariance,
} from '../../src/metrics/index.ts';
import { repeated, tally } from './tallies.ts';

const random = seeded('companions');

function cloud(count: number, columns: number, scale: number, perUnit = 1): VectorRows {
  return {
    columns,
    data: Float64Array.from({ length: count * columns }, () => 5 + scale * random.normal()),
    unit: Array.from({ length: count }, (_, row) => Math.floor(row / perUnit)),
  };
}

describe('spread', () => {
  it('is the ratio of traces, about each own mean', () => {
    const [half, full] = [cloud(400, 6, 0.5), cloud(400, 6, 1)];
    const shifted = { ...half, data: half.data.map((x) => x + 100) };
    const figure = spread(shifted, full);
    expect(figure.value).toBeCloseTo(0.25, 1);
    expect(figure.low).toBeLessThan(0.25);
    expect(figure.high).toBeGreaterThan(0.25);
    expect(spread(full, full)).toMatchObject({ value: 1, low: 1, high: 1 });
  });

  it('is 0 for identical rows and null without rows to compare', () => {
    const same = { ...cloud(30, 3, 0) };
    expect(spread(same, cloud(30, 3, 1)).value).toBeCloseTo(0, 9);
    expect(spread(cloud(30, 3, 1), same).value).toBeNull();
    expect(spread(cloud(1, 3, 1), cloud(9, 3, 1)).reason).toBe('fewer than 2 rows');
  });
});

describe('effective rank and Vendi score', () => {
  it('count directions that vary', () => {
    expect(effectiveRank(cloud(5000, 4, 1)).value).toBeCloseTo(4, 1);
    const line = { columns: 3, data: Float64Array.from([1, 1, 1, 2, 2, 2, 3, 3, 3]), unit: [0, 1, 2] };
    expect(effectiveRank(line).value).toBeCloseTo(1, 9);
    expect(effectiveRank(cloud(20, 3, 0)).value).toBe(1);
  });

  it('do not depend on which of the two matrices is smaller', () => {
    const wide = cloud(6, 40, 1);
    const padded = { ...wide, columns: 3, data: wide.data.slice(0, 18) };
    expect(vendi(wide).value).toBeLessThanOrEqual(6);
    // 6 x 3: the d x d side; the same rows padded with zeros: the n x n side.
    const zeros = new Float64Array(60);
    for (let row = 0; row < 6; row++)
      for (let c = 0; c < 3; c++) zeros[row * 10 + c] = padded.data[row * 3 + c]!;
    expect(vendi({ columns: 10, data: zeros, unit: wide.unit }).value).toBeCloseTo(vendi(padded).value!, 9);
    expect(vendi({ columns: 2, data: new Float64Array(4), unit: [0, 1] }).value).toBeNull();
  });
});

describe('distance within a context', () => {
  it('is relative to the rows compared with', () => {
    const [near, far] = [cloud(120, 5, 0.5, 4), cloud(120, 5, 1, 4)];
    expect(withinContext(near, far).value).toBeCloseTo(0.5, 1);
    expect(withinContext(far, far)).toMatchObject({ value: 1, low: 1, high: 1 });
    expect(withinContext(cloud(10, 2, 1), far).reason).toBe('no context with 2 rows');
  });

  it('takes contexts other than the units that are left out', () => {
    const one = cloud(60, 4, 1);
    const contexts = { simulator: new Array(60).fill(0), reference: new Array(60).fill(0) };
    const figure = withinContext(one, cloud(60, 4, 1), { contexts, unitNoun: 'episode' });
    expect(figure.value).toBeCloseTo(1, 0);
    expect(figure.se).toBeGreaterThan(0);
  });
});

describe('zero-variance groups', () => {
  it('are split by why they have none', () => {
    const groups = [
      { reward: [0, 0], behaviour: ['p', 'q'] },
      { reward: [1, 1], behaviour: ['p', 'q'] },
      { reward: [0, 0], behaviour: ['p', 'p'] },
      { reward: [0.5, 0.5], behaviour: [null, null] },
      { reward: [0, 1], behaviour: ['p', 'p'] },
      { reward: [1], behaviour: ['p'] },
    ];
    const flat = groups.flatMap(({ reward, behaviour }, group) =>
      reward.map((value, i) => ({ group, unit: group, reward: value, behaviour: behaviour[i]! })),
    );
    const health = zeroVariance(
      {
        group: flat.map(({ group }) => group),
        unit: flat.map(({ unit }) => unit),
        reward: flat.map(({ reward }) => reward),
        behaviour: flat.map(({ behaviour }) => behaviour),
      },
      [0, 1],
    );
    expect(health).toMatchObject({ groups: 5, allFail: 1, allPass: 1, sameBehaviour: 1, other: 1 });
    expect(health.share).toMatchObject({ value: 0.8, n: 10, low: null });
    const none = zeroVariance({ group: [], unit: [], reward: [], behaviour: [] }, [0, 1]);
    expect(none.share.value).toBeNull();
  });
});

/** Twenty contexts, two simulators, three episodes each; `say` gives the class of a turn. */
function episodes(say: (unit: number, simulator: number, depth: number) => number): PolicyEpisodes {
  const list = Array.from({ length: 120 }, (_, i) => ({ unit: i % 20, simulator: Math.floor(i / 20) % 2 }));
  return {
    k: 4,
    unit: list.map(({ unit }) => unit),
    simulator: list.map(({ simulator }) => simulator),
    turns: list.map(({ unit, simulator }) => [0, 1, 2].map((depth) => say(unit, simulator, depth))),
  };
}

describe('behaviour of the policy', () => {
  it('has the entropy of its turn classes', () => {
    expect(policyEntropy(repeated(4, 20, [0, 1, 2, 3])).value).toBeCloseTo(Math.log(4), 9);
    expect(policyEntropy(repeated(4, 20, [2, 2])).value).toBeCloseTo(0, 12);
    expect(policyEntropy(tally(4, [])).reason).toBe('no policy turn');
  });

  it('tells contexts apart, or answers all with one broad template', () => {
    const options = { random: seeded(1) };
    const template = contextInformation(
      episodes(() => random.integer(4)),
      options,
    );
    expect(Math.abs(template.value!)).toBeLessThan(0.05);
    const fitting = contextInformation(
      episodes((unit) => unit % 4),
      options,
    );
    expect(fitting.value).toBeGreaterThan(1);
    expect(fitting.low).toBeGreaterThan(template.high!);
  });

  it('does not depend on the order of episodes', () => {
    const some = episodes(() => random.integer(4));
    const turned = {
      k: 4,
      unit: Array.from(some.unit).reverse(),
      simulator: Array.from(some.simulator, (s) => 1 - s).reverse(),
      turns: Array.from(some.turns).reverse(),
    };
    const options = { random: seeded(1) };
    expect(contextInformation(turned, options)).toEqual(contextInformation(some, options));
    expect(consistency(turned, options)).toEqual(consistency(some, options));
  });

  it('is null where contexts do not repeat', () => {
    const single = { k: 2, unit: [0, 1, 2], simulator: [0, 0, 1], turns: [[0], [1], [0]] };
    expect(contextInformation(single, { random: seeded(1) }).reason).toBe('contexts do not repeat');
    expect(consistency(single, { random: seeded(1) }).value).toBeNull();
  });

  it('is consistent where simulators get the same, and not where each gets its own', () => {
    const options = { random: seeded(1) };
    const same = consistency(
      episodes((unit, _, depth) => (unit + depth) % 4),
      options,
    );
    expect(same.value).toBe(1);
    // Alike in law though every row differs: chance is taken off.
    const alike = consistency(
      episodes(() => random.integer(4)),
      options,
    );
    expect(alike.value).toBeGreaterThan(0.85);
    const apart = consistency(
      episodes((_, simulator, depth) => 2 * simulator + (depth % 2)),
      options,
    );
    expect(apart.value).toBeCloseTo(0, 9);
  });
});
