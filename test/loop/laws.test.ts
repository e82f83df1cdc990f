import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapCandidates, modeGaps, pathCandidates } from '../../src/loop/candidates.ts';
import { cappedMade, fitShares, pruneShares, type ShareBounds } from '../../src/loop/fit-shares.ts';
import { lawOf, type ModeLaw, memberLaws, mixtureLaw } from '../../src/loop/mode-law.ts';
import { shareDistance } from '../../src/loop/shares.ts';
import { readMember } from '../../src/population/index.ts';
import type { PlacedRow } from '../../src/synthesis/index.ts';

const free: ShareBounds = { made: new Set(), mostMade: 1, floor: 0 };

const row = (simulator: string, cell: number, outside = false): PlacedRow => ({
  ...{ id: `${simulator} ${cell}`, hash: `${simulator} ${cell}`, context: 'c', simulator, cell, outside },
  ...{ reward: null, turns: 1 },
});

const normal = (weights: readonly number[]): Float64Array => {
  const total = weights.reduce((sum, x) => sum + x, 0);
  return Float64Array.from(weights, (x) => x / total);
};

const anyLaw = (places: number) =>
  fc
    .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: places, maxLength: places })
    .map(normal);
const anyLaws = fc
  .array(anyLaw(6), { minLength: 1, maxLength: 6 })
  .map((laws) => new Map(laws.map((law, at): [string, ModeLaw] => [`m${at}`, law])));
const anyRows = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(4), fc.boolean())
    .map(([who, cell, off]) => row(who, cell, off)),
  { minLength: 1, maxLength: 40 },
);

const divergence = (
  target: ArrayLike<number>,
  laws: ReadonlyMap<string, ModeLaw>,
  shares: ReadonlyMap<string, number>,
) => {
  let sum = 0;
  for (let mode = 0; mode < target.length; mode++) {
    let mixture = 0;
    for (const [id, law] of laws) mixture += (shares.get(id) ?? 0) * law[mode]!;
    if (target[mode]! > 0) sum += target[mode]! * Math.log(target[mode]! / mixture);
  }
  return sum;
};
const total = (shares: ReadonlyMap<string, number>) => [...shares.values()].reduce((sum, x) => sum + x, 0);

describe('laws of members', () => {
  it('are counts with four rows of everybody spread over them', () => {
    const rows = [row('a', 0), row('a', 0), row('a', 1, true), row('b', 1), row('b', 1)];
    const { laws, rows: sizes } = memberLaws(rows, 2);
    // All rows: two in mode 0, two in mode 1, one off support.
    expect([...laws.get('a')!]).toEqual([(2 + 1.6) / 7, 1.6 / 7, (1 + 0.8) / 7]);
    expect([...laws.get('b')!]).toEqual([1.6 / 6, (2 + 1.6) / 6, 0.8 / 6]);
    expect(sizes.get('a')).toBe(3);
    expect(memberLaws([], 3).laws.size).toBe(0);
    expect([...lawOf([], 2)]).toEqual([0, 0, 0]);
  });

  it('sum to 1, and hang on neither the order of rows nor names', () => {
    fc.assert(
      fc.property(anyRows, fc.infiniteStream(fc.nat()), (rows, keys) => {
        const { laws } = memberLaws(rows, 5);
        for (const law of laws.values()) expect(law.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12);
        const order = rows.map((one) => ({ one, key: keys.next().value as number }));
        const shuffled = order.sort((a, b) => a.key - b.key).map(({ one }) => one);
        const again = memberLaws(
          shuffled.map((one) => ({ ...one, simulator: { a: 'z', b: 'y', c: 'x' }[one.simulator]! })),
          5,
        );
        for (const [id, law] of laws) expect(again.laws.get({ a: 'z', b: 'y', c: 'x' }[id]!)).toEqual(law);
        expect(lawOf(shuffled, 5)).toEqual(lawOf(rows, 5));
      }),
    );
  });

  it('mix by share, over those that are known', () => {
    const known = {
      k: 1,
      laws: new Map([
        ['a', Float64Array.of(1, 0)],
        ['b', Float64Array.of(0, 1)],
      ]),
      rows: new Map(),
    };
    const shares = [
      { id: 'a', share: 0.3 },
      { id: 'b', share: 0.3 },
      { id: 'stranger', share: 0.4 },
    ];
    expect([...mixtureLaw(known, shares)]).toEqual([0.5, 0.5]);
    expect([...mixtureLaw(known, [...shares].reverse())]).toEqual([0.5, 0.5]);
    expect([...mixtureLaw(known, [])]).toEqual([0, 0]);
  });
});

describe('shares that are fitted', () => {
  it('find a planted mixture, and the uniform one of members that are each one mode', () => {
    const laws = new Map([
      ['a', Float64Array.of(0.8, 0.1, 0.1, 0)],
      ['b', Float64Array.of(0.1, 0.8, 0.1, 0)],
      ['c', Float64Array.of(0.1, 0.1, 0.8, 0)],
    ]);
    const planted = new Map([
      ['a', 0.5],
      ['b', 0.3],
      ['c', 0.2],
    ]);
    const target = [0, 1, 2].map((mode) =>
      [...laws].reduce((sum, [id, law]) => sum + planted.get(id)! * law[mode]!, 0),
    );
    for (const [id, share] of fitShares(laws, target, free)) expect(share).toBeCloseTo(planted.get(id)!, 2);
    const single = new Map(
      [0, 1, 2].map((m) => [`m${m}`, Float64Array.from({ length: 4 }, (_, at) => (at === m ? 1 : 0))]),
    );
    for (const share of fitShares(single, [1 / 3, 1 / 3, 1 / 3], free).values())
      expect(share).toBeCloseTo(1 / 3, 12);
    for (const [id, share] of fitShares(single, [0.6, 0.3, 0.1], free))
      expect(share).toBeCloseTo({ m0: 0.6, m1: 0.3, m2: 0.1 }[id]!, 12);
  });

  it('leave less to whoever is off support', () => {
    const laws = new Map([
      ['real', Float64Array.of(0.5, 0.5, 0)],
      ['odd', Float64Array.of(0.1, 0.1, 0.8)],
    ]);
    const shares = fitShares(laws, [0.5, 0.5], free);
    expect(shares.get('real')!).toBeGreaterThan(0.95);
  });

  it('sum to 1 within their bounds, and never lie further from the target than members alike', () => {
    fc.assert(
      fc.property(
        anyLaws,
        anyLaw(5),
        fc.nat(63),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (laws, target, mask, mostMade) => {
          const made = new Set([...laws.keys()].filter((_, at) => (mask >> at) & 1));
          const shares = fitShares(laws, target, { made, mostMade, floor: 0.05 });
          expect(total(shares)).toBeCloseTo(1, 9);
          const own = [...shares].reduce((sum, [id, share]) => sum + (made.has(id) ? share : 0), 0);
          if (made.size < laws.size) {
            expect(own).toBeLessThanOrEqual(mostMade + 1e-9);
            for (const [id, share] of shares) if (!made.has(id)) expect(share).toBeGreaterThan(0);
          }
          const alike = new Map([...laws.keys()].map((id) => [id, 1 / laws.size]));
          const fitted = fitShares(laws, target, free);
          expect(divergence(target, laws, fitted)).toBeLessThanOrEqual(
            divergence(target, laws, alike) + 1e-9,
          );
        },
      ),
    );
  });

  it('sum to 1 and hold made members to their bound after the smallest are left out and others raised', () => {
    fc.assert(
      fc.property(
        anyLaws,
        anyLaw(5),
        fc.nat(63),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 2, max: 6 }),
        (laws, target, mask, mostMade, most) => {
          const made = new Set([...laws.keys()].filter((_, at) => (mask >> at) & 1));
          const fitted = fitShares(laws, target, { made, mostMade, floor: 0.05 });
          const pruned = pruneShares(fitted, most, 0.1, made);
          expect(pruned.size).toBeLessThanOrEqual(most);
          // As where more is to be learned on made members.
          const raised = new Map([...pruned].map(([id, share]) => [id, made.has(id) ? 2 * share : share]));
          const sum = total(raised);
          const shares = cappedMade(new Map([...raised].map(([id, share]) => [id, share / sum])), {
            made,
            mostMade,
          });
          expect(total(shares)).toBeCloseTo(1, 9);
          if (made.size < laws.size)
            expect(total(new Map([...shares].filter(([id]) => made.has(id))))).toBeLessThanOrEqual(
              mostMade + 1e-9,
            );
        },
      ),
    );
  });

  it('keep made members within their bound where the given ones show nothing that is wanted', () => {
    const laws = new Map([
      ['given', Float64Array.of(0, 1, 0)],
      ['made', Float64Array.of(1, 0, 0)],
    ]);
    const shares = fitShares(laws, [1, 0], { made: new Set(['made']), mostMade: 0.9, floor: 0 });
    expect(shares.get('made')).toBeCloseTo(0.9, 12);
    expect(shares.get('given')).toBeCloseTo(0.1, 12);
  });

  it('follow their members when these are called otherwise or come in another order', () => {
    fc.assert(
      fc.property(anyLaws, anyLaw(5), (laws, target) => {
        const shares = fitShares(laws, target, free);
        expect(fitShares(new Map([...laws].reverse()), target, free)).toEqual(shares);
        const renamed = fitShares(
          new Map([...laws].map(([id, law]) => [`${9 - Number(id.slice(1))}`, law])),
          target,
          free,
        );
        for (const [id, share] of shares)
          expect(renamed.get(`${9 - Number(id.slice(1))}`)!).toBeCloseTo(share, 9);
      }),
    );
  });

  it('are alike where the target is nothing, and none of nobody', () => {
    const laws = new Map([
      ['a', Float64Array.of(1, 0)],
      ['b', Float64Array.of(1, 0)],
    ]);
    expect([...fitShares(laws, [0], free).values()]).toEqual([0.5, 0.5]);
    expect(fitShares(new Map(), [1], free).size).toBe(0);
  });

  it('are cut to the largest, ties by id, and never to nobody', () => {
    const shares = new Map([
      ['d', 0.01],
      ['c', 0.33],
      ['b', 0.33],
      ['a', 0.33],
    ]);
    expect([...pruneShares(shares, 2, 0.02)]).toEqual([
      ['a', 0.5],
      ['b', 0.5],
    ]);
    expect([...pruneShares(shares, 9, 0.02).keys()]).toEqual(['a', 'b', 'c']);
    expect([...pruneShares(shares, 9, 0.9)]).toEqual([['a', 1]]);
    expect(shareDistance(new Map([['a', 1]]), new Map([['b', 1]]))).toBe(1);
    expect(shareDistance(shares, shares)).toBe(0);
  });
});

describe('gaps and who is made for them', () => {
  const bases = ['oak', 'elm'].map((id) => readMember({ id, family: id }));
  const personas = [0, 1, 2].map((mode) => ({ mode, text: `mode ${mode}`, exemplars: [] }));

  it('are modes that lack a hundredth or more, the most first, ties by mode', () => {
    expect(modeGaps([0.25, 0.25, 0.25, 0.25], Float64Array.of(0.5, 0.1, 0.1, 0.245, 0.055))).toMatchObject([
      { mode: 1, mass: 0.25, share: 0.1 },
      { mode: 2 },
    ]);
    expect(modeGaps([], new Float64Array(1))).toEqual([]);
  });

  it('get at most as many members as are asked for, each once, none that is known', () => {
    const gaps = modeGaps([0.4, 0.3, 0.3], Float64Array.of(0, 0, 0, 1));
    for (const count of [0, 1, 3, 100]) {
      const found = gapCandidates(gaps, bases, personas, count, 1, new Set());
      expect(found.length).toBe(Math.min(count, personas.length * bases.length));
      expect(new Set(found.map(({ member }) => member.id)).size).toBe(found.length);
      const shuffled = gapCandidates(gaps, [...bases].reverse(), personas, count, 1, new Set());
      expect(shuffled).toEqual(found);
    }
    const all = gapCandidates(gaps, bases, personas, 100, 1, new Set());
    const known = new Set(
      all.map(({ member }) =>
        JSON.stringify([member.family, member.model, member.recipe, member.checkpoint, member.sampling]),
      ),
    );
    expect(gapCandidates(gaps, bases, personas, 100, 2, known)).toEqual([]);
    expect(gapCandidates(gaps, bases, [], 4, 1, new Set())).toEqual([]);
    expect(gapCandidates([], bases, personas, 4, 1, new Set())).toEqual([]);
  });

  it('have paths between those farthest apart, in whichever order members come', () => {
    const members = ['a', 'b', 'c'].map((id) => readMember({ id, family: id }));
    const laws = {
      k: 2,
      laws: new Map([
        ['a', Float64Array.of(1, 0, 0)],
        ['b', Float64Array.of(0.5, 0.5, 0)],
        ['c', Float64Array.of(0, 1, 0)],
      ]),
      rows: new Map(),
    };
    const found = pathCandidates(members, laws, 1, 3, new Set());
    expect(found).toHaveLength(1);
    expect(found[0]!.member.recipe).toMatchObject({
      kind: 'interpolate',
      lambda: 0.5,
      a: { id: 'a' },
      b: { id: 'c' },
    });
    expect(pathCandidates([...members].reverse(), laws, 1, 3, new Set())).toEqual(found);
    expect(pathCandidates(members.slice(0, 1), laws, 5, 3, new Set())).toEqual([]);
    expect(pathCandidates(members, { ...laws, laws: new Map() }, 5, 3, new Set())).toEqual([]);
    expect(pathCandidates(members, laws, 0, 3, new Set())).toEqual([]);
  });
});
