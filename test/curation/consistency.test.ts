import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyMultipliers,
  groupDroMultipliers,
  vRexMultipliers,
} from '../../src/curation/consistency.ts';
import { groupDroWeights } from '../../src/curation/group-dro.ts';
import { policyGains } from '../../src/curation/policy-gains.ts';
import { sum } from '../../src/math/index.ts';
import { curationRows, type SmallRow } from './selection-rows.ts';

/** Rewards of a base and a later policy on contexts 0, 1, ..., against one simulator. */
const played = (simulator: string, base: readonly number[], later: readonly number[]): SmallRow[] =>
  (['base', 'later'] as const).flatMap((policy) =>
    (policy === 'base' ? base : later).map((reward, i) => ({
      content: `${simulator} ${policy} ${i}`,
      simulator,
      policy,
      context: `context ${i}`,
      reward,
    })),
  );

const many = (value: number, count = 10) => new Array<number>(count).fill(value);

describe('gains over the base policy', () => {
  it('are paired by context: contexts that only one of them played say nothing', () => {
    const rows = curationRows([
      ...played('a', [0.2, 0.4, 0.9], [0.5, 0.5]),
      ...played('b', many(0), many(1)),
    ]);
    const [a, b] = policyGains(rows, 'base');
    expect(a!.value).toBeCloseTo((0.3 + 0.1) / 2, 12);
    expect(a).toMatchObject({ n: 4, unit: 'reward', low: null, reason: 'fewer than 8 contexts' });
    expect(b).toMatchObject({ value: 1, low: 1, high: 1, n: 20, method: 'paired-t-context(G=10)' });
  });

  it('count each context once, however many rows it has', () => {
    const rows = curationRows([
      ...played('a', [0, 0], [1, 0]),
      ...Array.from({ length: 8 }, (_, i) => ({
        content: `more ${i}`,
        simulator: 'a',
        policy: 'later',
        context: 'context 0',
        reward: 1,
      })),
    ]);
    expect(policyGains(rows, 'base')[0]!.value).toBe(0.5);
  });

  it('are missing, with the reason, without a base policy or a shared context', () => {
    const rows = curationRows([
      ...played('a', [0], []),
      { content: 'x', simulator: 'b', policy: 'later', reward: null },
    ]);
    const reasons = (base: string | null) =>
      policyGains(rows, base).map(({ value, reason }) => [value, reason]);
    expect(reasons('base')).toEqual([
      [null, 'no context is shared with the base policy'],
      [null, 'no context is shared with the base policy'],
    ]);
    expect(reasons('other')[0]).toEqual([null, 'no row of the base policy "other"']);
    expect(reasons(null)[0]).toEqual([null, 'no base policy is named']);
  });
});

const gainsAndRows = fc.array(
  fc.record({
    gain: fc.oneof(
      { weight: 5, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    ),
    rows: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe.each([
  ['V-REx', vRexMultipliers],
  ['group DRO', groupDroMultipliers],
])('multipliers of %s', (_, multipliersOf) => {
  it('have mean 1 over rows, are not negative, and fall as the gain rises', () => {
    fc.assert(
      fc.property(gainsAndRows, fc.double({ min: 0, max: 50, noNaN: true }), (all, lambda) => {
        const gains = all.map(({ gain }) => gain);
        const rows = all.map((one) => one.rows);
        const multipliers = multipliersOf(gains, rows, lambda);
        expect(sum(multipliers.map((x, s) => x * rows[s]!)) / sum(rows)).toBeCloseTo(1, 9);
        expect(multipliers.every((x) => x >= 0 && Number.isFinite(x))).toBe(true);
        gains.forEach((a, s) => {
          gains.forEach((b, t) => {
            if (a < b) expect(multipliers[s]).toBeGreaterThanOrEqual(multipliers[t]! * (1 - 1e-12));
          });
        });
      }),
    );
  });

  it('are 1 at strength 0, at equal gains and where no gain is known', () => {
    for (const [gains, lambda] of [
      [[0.1, 0.9, Number.NaN], 0],
      [[0.3, 0.3, 0.3], 5],
      [[Number.NaN, Number.NaN, Number.NaN], 5],
    ] as const)
      for (const multiplier of multipliersOf(gains, [10, 20, 30], lambda))
        expect(multiplier).toBeCloseTo(1, 12);
  });

  it('refuse a negative strength', () => {
    expect(() => multipliersOf([1, 2], [1, 1], -1)).toThrow(RangeError);
    expect(() => multipliersOf([1, 2], [1, 1], Number.NaN)).toThrow(RangeError);
  });
});

describe('V-REx', () => {
  it('is max(0, 1 - 2 lambda (gain - mean)), renormalised', () => {
    // 1 - 2 (0.1 - 0.3) = 1.4, 1, 0.6
    [...vRexMultipliers([0.1, 0.3, 0.5], [1, 1, 1], 1)].forEach((x, s) => {
      expect(x).toBeCloseTo([1.4, 1, 0.6][s]!, 12);
    });
    expect([...vRexMultipliers([0, 1], [1, 1], 10)]).toEqual([2, 0]);
  });

  it('is all 1 where every simulator that has rows would be cut to 0', () => {
    expect([...vRexMultipliers([0, 1], [0, 5], 10)]).toEqual([1, 1]);
  });
});

describe('group DRO', () => {
  it('multiplies shares by exp(step * loss), and goes on from where it stood', () => {
    const first = groupDroWeights([Math.log(3), 0], 1);
    expect([...first].map((x) => +x.toFixed(12))).toEqual([0.75, 0.25]);
    const second = groupDroWeights([Math.log(3), 0], 1, first);
    expect(second[0]).toBeCloseTo(0.9, 12);
  });

  it('does not overflow, and lets a missing loss keep its share of equals', () => {
    expect([...groupDroWeights([1e6, 0], 1e6)]).toEqual([1, 0]);
    expect([...groupDroWeights([-1e300, -1e300], 5)]).toEqual([0.5, 0.5]);
    const shares = groupDroWeights([1, Number.NaN, 1], 3);
    for (const share of shares) expect(share).toBeCloseTo(1 / 3, 12);
  });

  it('leaves simulators without rows at 1', () => {
    expect([...groupDroMultipliers([0, 0.5], [4, 0], 3)]).toEqual([1, 1]);
  });
});

describe('consistency of a data set', () => {
  const rows = curationRows([
    ...played('easy', many(0.2), many(0.8)),
    ...played('hard', many(0.2), many(0.3)),
    { content: 'new', simulator: 'new', policy: 'later', context: 'elsewhere', reward: 1 },
  ]);

  it('lifts the simulator that the policy gained least against', () => {
    for (const rule of ['v-rex', 'group-dro'] as const) {
      const { multipliers, gains, reason } = consistencyMultipliers(
        rows,
        { rule, lambda: 1, base: null },
        'base',
      );
      expect(reason).toBeNull();
      expect(gains.map(({ value }) => value === null)).toEqual([false, false, true]);
      expect(multipliers[1]).toBeGreaterThan(multipliers[2]!);
      expect(multipliers[2]).toBeGreaterThan(multipliers[0]!);
    }
  });

  it('is all 1, with the reason, where fewer than two gains are known', () => {
    const recipe = { rule: 'v-rex', lambda: 1, base: null } as const;
    expect(consistencyMultipliers(rows, recipe, null)).toMatchObject({
      multipliers: new Float64Array([1, 1, 1]),
      reason: 'fewer than 2 simulators have a gain: no base policy is named',
    });
    const one = curationRows(played('only', many(0), many(1)));
    expect(consistencyMultipliers(one, recipe, 'base').reason).toBe(
      'fewer than 2 simulators have a gain: only one simulator',
    );
  });
});
