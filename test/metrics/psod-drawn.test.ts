import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  type Figure,
  headlineGap,
  isDrawn,
  overfitting,
  overfittingDifference,
  overfittingRise,
  overfittingTrend,
  type PanelRewards,
} from '../../src/metrics/index.ts';
import { type DrawnSpec, drawContexts, drawLook, gapOfSpec } from './drawn-panels.ts';

const GROUPS: DrawnSpec = {
  training: [0.7, 0.5, 0.4],
  heldOut: [0.55, 0.35],
  rollouts: 8,
  grouped: true,
  panel: 1,
  spread: { context: 0.15, meeting: 0.1, rollout: 0.3 },
};
const RANGE = [0, 1] as const;
const DRAWN = { design: 'drawn' } as const;

const look = (seed: string, contexts = 30, more: Partial<DrawnSpec> = {}, first = 0): PanelRewards => {
  const random = seeded(seed);
  const spec = { ...GROUPS, ...more };
  return drawLook(spec, drawContexts(contexts, spec, random), random, { first });
};
const at = (simulator: string, ...rows: readonly (readonly [number, number])[]) => ({
  simulator,
  unit: rows.map(([unit]) => unit),
  reward: rows.map(([, reward]) => reward),
});

describe('PSOD of members as they were drawn', () => {
  it('is the gap of row means, on contexts with a row of each panel', () => {
    const panels = {
      training: [at('a', [0, 1], [0, 0], [2, 1]), at('b', [1, 1], [3, 1])],
      heldOut: [at('x', [0, 0.25], [2, 0]), at('y', [1, 0.5], [1, 0], [4, 1])],
    };
    const { psod, scope } = overfitting(panels, [0, 2], DRAWN);
    // Contexts 0, 1, 2: .25, .75, 1, in units of a range of 2.
    expect(psod).toMatchObject({
      method: 'paired-t-context(G=3, drawn members)',
      n: 10,
      low: null,
      reason: 'fewer than 8 contexts',
    });
    expect(psod.value).toBeCloseTo(2 / 3 / 2, 12);
    expect(scope).toBe('named panel');
    expect(overfitting(panels, [0, 2]).psod).toMatchObject({
      value: null,
      reason: 'no context was played by every simulator of both panels',
    });
    const apart = { training: [at('a', [0, 1])], heldOut: [at('x', [1, 1])] };
    expect(overfitting(apart, RANGE, DRAWN).psod.reason).toBe('no context was played with both panels');
  });

  it('keeps every bit when simulators are renamed, swapped or merged, whatever the rewards', () => {
    // Sums of such numbers hang on their order.
    const reward = fc.oneof(
      fc.constantFrom(0.1, 0.2, 0.3, 1e16, -1e16, 1e-9),
      fc.double({ min: -1, max: 1 }),
    );
    const rows = fc.array(fc.tuple(fc.nat(5), reward), { minLength: 1, maxLength: 20 });
    const panel = fc.array(rows, { minLength: 2, maxLength: 4 });
    const named = (lists: readonly (readonly (readonly [number, number])[])[], prefix: string) =>
      lists.map((list, i) => at(`${prefix}${i}`, ...list));
    fc.assert(
      fc.property(panel, panel, (training, heldOut) => {
        const one = { training: named(training, 'a'), heldOut: named(heldOut, 'b') };
        const other = {
          training: named(
            training.toReversed().map((list) => list.toReversed()),
            'y',
          ),
          heldOut: named(heldOut.toReversed(), 'x'),
        };
        const merged = { training: [at('z', ...training.flat())], heldOut: named(heldOut, 'b') };
        for (const design of ['drawn', 'crossed'] as const) {
          const options = { design };
          expect(overfitting(other, RANGE, options)).toEqual(overfitting(one, RANGE, options));
          expect(overfittingDifference(other, one, RANGE, options).value ?? 0).toBe(0);
        }
        const drawn = (panels: PanelRewards) => overfitting(panels, RANGE, DRAWN).psod.value;
        expect(drawn(merged)).toBe(drawn(one));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('does not depend on names or on the order of rows, and equals the crossed one on a balanced crossing', () => {
    const { training, heldOut } = look('names');
    const turned = {
      training: [...training].reverse().map((one, i) => ({
        simulator: `s${i}`,
        unit: Array.from(one.unit).reverse(),
        reward: Array.from(one.reward).reverse(),
      })),
      heldOut: heldOut.map((one, i) => ({ ...one, simulator: `u${i}` })),
    };
    expect(overfitting(turned, RANGE, DRAWN)).toEqual(overfitting({ training, heldOut }, RANGE, DRAWN));
    const random = seeded('crossed');
    const every = (simulator: string) =>
      at(simulator, ...Array.from({ length: 24 }, (_, i) => [i >> 1, random.next()] as const));
    const crossed = { training: [every('a'), every('b')], heldOut: [every('x')] };
    const [one, other] = [overfitting(crossed, RANGE).psod, overfitting(crossed, RANGE, DRAWN).psod];
    expect(other.value).toBeCloseTo(one.value!, 12);
    expect(other.se).toBeCloseTo(one.se!, 12);
  });

  it('claims nothing about other simulators from fewer than 6 that came in a panel', () => {
    const six = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
    const { training, heldOut } = look('six', 60, { training: six, heldOut: six });
    const scopeOf = (panels: PanelRewards) => overfitting(panels, RANGE, DRAWN).scope;
    expect(scopeOf({ training, heldOut })).toBe('simulators like these');
    expect(scopeOf({ training, heldOut: heldOut.slice(1) })).toBe('named panel');
    const silent = [...heldOut.slice(1), at('silent')];
    expect(scopeOf({ training, heldOut: silent })).toBe('named panel');
  });
});

describe('its rise', () => {
  it('is paired where the looks share contexts, else the difference of two means, and says which', () => {
    const base = look('base');
    const paired = overfittingRise(look('now'), base, RANGE, DRAWN);
    expect(paired.method).toBe('paired-t-context(G=30, drawn members)');
    const apart = overfittingRise(look('now', 24, {}, 100), base, RANGE, DRAWN);
    expect(apart.method).toBe('welch-t-context(G=24; G=30, drawn members)');
    const [a, b] = [look('now', 24, {}, 100), base].map((one) => overfitting(one, RANGE, DRAWN).psod);
    expect(apart.value).toBeCloseTo(a!.value! - b!.value!, 12);
    expect(apart.se).toBeCloseTo(Math.hypot(a!.se!, b!.se!), 12);
    expect(apart.df).toBeGreaterThan(23);
    expect(apart.df).toBeLessThanOrEqual(52);
    // 8 of 30 shared: pairing would throw most contexts away.
    expect(overfittingRise(look('now', 30, {}, 22), base, RANGE, DRAWN).method).toMatch(/^welch/);
    expect(overfittingRise(look('few', 5, {}, 50), base, RANGE, DRAWN)).toMatchObject({
      low: null,
      reason: 'fewer than 8 contexts',
    });
    expect(overfittingRise(base, null, RANGE, DRAWN).reason).toBe('no base checkpoint');
  });

  it('forgives a member that a draw missed, and not a change of the population', () => {
    const rare = { training: [0.6, 0.5, 0.4], weights: [0.49, 0.49, 0.02] };
    const [base, now] = [look('without', 30, rare), look('with', 30, rare)];
    const first = (panels: PanelRewards) => ({ ...panels, training: panels.training.slice(0, 2) });
    expect(overfittingRise(now, first(base), RANGE, DRAWN).low).not.toBeNull();
    const renamed = {
      ...now,
      training: now.training.map((one) => ({ ...one, simulator: `new-${one.simulator}` })),
    };
    expect(overfittingRise(renamed, base, RANGE, DRAWN)).toMatchObject({
      value: null,
      reason: expect.stringMatching(/^the panels of the two checkpoints differ: \S+ was met in one alone$/),
    });
  });

  it('has a trend on contexts that all checkpoints share, and a difference between runs', () => {
    const steps = [0, 10, 20].map((step) => {
      const random = seeded(`step ${step}`);
      const contexts = drawContexts(30, GROUPS, seeded('contexts'));
      return { step, ...drawLook(GROUPS, contexts, random, { rise: step / 20 }) };
    });
    const { slope } = overfittingTrend(steps, RANGE, DRAWN);
    expect(slope.method).toBe('slope-t-context(G=30, drawn members)');
    expect(slope.low).toBeGreaterThan(0);
    expect(slope.low!).toBeLessThan(1 / 20);
    expect(slope.high!).toBeGreaterThan(1 / 20);
    const difference = overfittingDifference(steps[2]!, steps[0]!, RANGE, DRAWN);
    expect(difference.method).toBe('jackknife-context(G=30, drawn members)');
    expect(difference.value).toBeCloseTo(overfittingRise(steps[2]!, steps[0]!, RANGE, DRAWN).value!, 12);
  });
});

describe('the headline', () => {
  const headline = (panels: PanelRewards): Figure =>
    headlineGap((options) => overfitting(panels, RANGE, options).psod).figure;

  it('is the crossed estimate wherever that has an interval', () => {
    const random = seeded('headline');
    const every = (simulator: string, from: number) =>
      at(simulator, ...Array.from({ length: from }, (_, unit) => [unit, random.next()] as const));
    const panels = { training: [every('a', 8), every('b', 20)], heldOut: [every('x', 20)] };
    expect(headline(panels)).toEqual(overfitting(panels, RANGE).psod);
    expect(isDrawn(headline(panels))).toBe(false);
    // Neither has one: nothing is gained by another estimator.
    const few = { training: [every('a', 2), every('b', 5)], heldOut: [every('x', 5)] };
    expect(headline(few)).toEqual(overfitting(few, RANGE).psod);
  });

  it('is the drawn one where members were not crossed, and says so and why', () => {
    const panels = look('drawn');
    const { reason, ...figure } = headline(panels);
    const { psod } = overfitting(panels, RANGE, DRAWN);
    expect(figure).toEqual(psod);
    expect(isDrawn(psod)).toBe(true);
    expect(reason).toBe(
      'of members as they were drawn; over every simulator it is not known: no context was played by every simulator of both panels',
    );
    const short = { ...panels, training: [at('all', ...every30(panels)), at('part', [0, 1], [1, 0])] };
    expect(headline(short).reason).toContain(
      'over every simulator it has no interval: fewer than 8 contexts',
    );
    expect(headline({ training: [], heldOut: [] }).reason).toBe('no training simulator');
  });
});

/** A row of each context, and two contexts that both held-out simulators played. */
function every30({ heldOut }: PanelRewards): [number, number][] {
  for (const one of heldOut) {
    (one.unit as number[]).push(0, 1);
    (one.reward as number[]).push(0, 1);
  }
  return Array.from({ length: 30 }, (_, unit) => [unit, (unit % 3) / 2] as [number, number]);
}

describe('coverage of nominal 95 % intervals where members are drawn', () => {
  const RISE = 0.2;
  const SETS = 400;
  it.each<{ name: string; contexts: number; spec: DrawnSpec }>([
    { name: 'a member a group', contexts: 30, spec: GROUPS },
    {
      name: 'weighted groups of members far apart, binary rewards',
      contexts: 40,
      spec: {
        ...GROUPS,
        training: [0.75, 0.5, 0.25],
        weights: [0.6, 0.3, 0.1],
        binary: true,
        spread: { context: 0.1, meeting: 0, rollout: 0 },
      },
    },
    { name: 'a member a rollout', contexts: 20, spec: { ...GROUPS, grouped: false, panel: 2 } },
  ])('is 92 to 98 % for $name', ({ name, contexts, spec }) => {
    const truth = gapOfSpec(spec);
    const random = seeded(name);
    const hits = { psod: 0, paired: 0, welch: 0 };
    const means = { psod: 0, paired: 0, welch: 0 };
    let given = 0;
    for (let set = 0; set < SETS; set++) {
      const kept = drawContexts(contexts, spec, random);
      const base = drawLook(spec, kept, random);
      const now = drawLook(spec, kept, random, { rise: RISE });
      const fresh = drawLook(spec, drawContexts(contexts, spec, random), random, {
        rise: RISE,
        first: contexts,
      });
      const figures: Record<keyof typeof hits, readonly [Figure, number]> = {
        psod: [overfitting(now, RANGE, DRAWN).psod, truth + RISE],
        paired: [overfittingRise(now, base, RANGE, DRAWN), RISE],
        welch: [overfittingRise(fresh, base, RANGE, DRAWN), RISE],
      };
      if (Object.values(figures).some(([{ low }]) => low === null)) continue;
      given += 1;
      for (const key of Object.keys(hits) as (keyof typeof hits)[]) {
        const [{ value, low, high }, expected] = figures[key];
        if (low! <= expected && expected <= high!) hits[key] += 1;
        means[key] += value! - expected;
      }
    }
    expect(given).toBeGreaterThan(0.98 * SETS);
    for (const [key, count] of Object.entries(hits)) {
      expect(count / given, `${key} covers ${count / given}`).toBeGreaterThanOrEqual(0.92);
      expect(count / given, `${key} covers ${count / given}`).toBeLessThanOrEqual(0.98);
      expect(Math.abs(means[key as keyof typeof means] / given)).toBeLessThan(0.02);
    }
  });
});
