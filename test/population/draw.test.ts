import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { groupDraw, uniformDraw, weightedDraw } from '../../src/population/index.ts';
import { ids, named } from './members.ts';

const four = named(['a', 'b', 'c', 'd']);
const N = 40_000;
const share = (draws: readonly { id: string }[], id: string) =>
  draws.filter((one) => one.id === id).length / draws.length;
/** Five standard errors of a share. */
const within = (p: number, n = N) => 5 * Math.sqrt((p * (1 - p)) / n);
const times = <T>(n: number, draw: (i: number) => T) => Array.from({ length: n }, (_, i) => draw(i));

describe('uniformDraw', () => {
  it('draws each member alike', () => {
    const random = seeded('uniform');
    const draws = times(N, () => uniformDraw(four, random));
    for (const { id } of four) expect(Math.abs(share(draws, id) - 0.25)).toBeLessThan(within(0.25));
  });

  it('is not changed by the order of members', () => {
    fc.assert(
      fc.property(ids(), fc.string(), (list, seed) => {
        const members = named(list);
        const mixed = seeded(`${seed}/mix`).shuffle([...members]);
        const [one, other] = [seeded(seed), seeded(seed)];
        for (let i = 0; i < 10; i++) expect(uniformDraw(mixed, other)).toEqual(uniformDraw(members, one));
      }),
    );
  });

  it('refuses an empty list and one id twice', () => {
    expect(() => uniformDraw([], seeded(1))).toThrow('no member');
    expect(() => uniformDraw(named(['a', 'a']), seeded(1))).toThrow("'a' stands twice");
  });
});

const weights = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 0],
  ['d', 5],
]);

describe('weightedDraw', () => {
  it('respects weights, and never draws a weight of 0', () => {
    const random = seeded('weighted');
    const draws = times(N, () => weightedDraw(four, weights, random));
    for (const { id } of four) {
      const p = weights.get(id)! / 8;
      expect(Math.abs(share(draws, id) - p)).toBeLessThanOrEqual(within(p));
    }
  });

  it('knows weights up to scale, at any scale', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(1e-300, 1e300), (seed, scale) => {
        const scaled = new Map([...weights].map(([id, weight]) => [id, weight * scale]));
        expect(weightedDraw(four, scaled, seeded(seed)).id).toBe(
          weightedDraw(four, weights, seeded(seed)).id,
        );
      }),
    );
  });

  it('is not changed by the order of members or of weights', () => {
    fc.assert(
      fc.property(ids(), fc.string(), (list, seed) => {
        const each = new Map(list.map((id, i) => [id, i + 1]));
        const mixed = seeded(`${seed}/mix`).shuffle([...list]);
        const again = new Map(mixed.map((id) => [id, each.get(id)!]));
        expect(weightedDraw(named(mixed), again, seeded(seed))).toEqual(
          weightedDraw(named(list), each, seeded(seed)),
        );
      }),
    );
  });

  it.each([
    [[['a', 1]], "the weight of member 'b' is not given"],
    [
      [
        ['a', 1],
        ['b', -1],
      ],
      "the weight of member 'b' is -1",
    ],
    [
      [
        ['a', 1],
        ['b', Number.NaN],
      ],
      'is NaN',
    ],
    [
      [
        ['a', 1],
        ['b', Number.POSITIVE_INFINITY],
      ],
      'is Infinity',
    ],
    [
      [
        ['a', 0],
        ['b', 0],
      ],
      'all weights are 0',
    ],
    [
      [
        ['a', 1],
        ['b', 1],
        ['q', 1],
      ],
      "a weight for 'q'",
    ],
  ] as [[string, number][], string][])('refuses %j', (each, text) => {
    for (const draw of [
      () => weightedDraw(named(['a', 'b']), new Map(each), seeded(1)),
      () => groupDraw(named(['a', 'b']), 'g', 1, new Map(each)),
    ])
      expect(draw).toThrow(text);
  });
});

describe('groupDraw', () => {
  it('gives a group one member, whoever asks, in any order of groups and members', () => {
    fc.assert(
      fc.property(ids(), fc.uniqueArray(fc.string(), { minLength: 1 }), fc.string(), (list, groups, seed) => {
        const first = new Map(groups.map((group) => [group, groupDraw(named(list), group, seed).id]));
        const mixed = named(seeded(`${seed}/mix`).shuffle([...list]));
        for (const group of seeded(seed).shuffle([...groups]))
          expect(groupDraw(mixed, group, seed).id).toBe(first.get(group));
      }),
    );
  });

  it('draws each member alike over groups, and over seeds', () => {
    for (const draws of [
      times(N, (i) => groupDraw(four, `group-${i}`, 7)),
      times(N, (i) => groupDraw(four, 'one group', i)),
    ])
      for (const { id } of four) expect(Math.abs(share(draws, id) - 0.25)).toBeLessThan(within(0.25));
  });

  it('respects weights', () => {
    const draws = times(N, (i) => groupDraw(four, `group-${i}`, 7, weights));
    for (const { id } of four) {
      const p = weights.get(id)! / 8;
      expect(Math.abs(share(draws, id) - p)).toBeLessThanOrEqual(within(p));
    }
  });

  it('moves no group between members who stay, when one leaves', () => {
    for (let i = 0; i < 500; i++) {
      const before = groupDraw(four, `group-${i}`, 'seed').id;
      const after = groupDraw(named(['a', 'b', 'd']), `group-${i}`, 'seed').id;
      if (before !== 'c') expect(after).toBe(before);
    }
  });

  it('draws neighbouring groups independently', () => {
    const same = times(N, (i) => groupDraw(four, `g${i}`, 1).id === groupDraw(four, `g${i + 1}`, 1).id);
    const p = same.filter(Boolean).length / N;
    expect(Math.abs(p - 0.25)).toBeLessThan(within(0.25));
  });

  it('looks at ids alone: renaming may move a group, a new field does not', () => {
    const told = four.map((one) => ({ ...one, family: 'f', model: 'm' }));
    const renamed = named(['w', 'x', 'y', 'z']);
    let moved = 0;
    for (let i = 0; i < 200; i++) {
      const drawn = groupDraw(four, `g${i}`, 1).id;
      expect(groupDraw(told, `g${i}`, 1).id).toBe(drawn);
      const at = renamed.findIndex(({ id }) => id === groupDraw(renamed, `g${i}`, 1).id);
      if (four[at]!.id !== drawn) moved++;
    }
    expect(moved).toBeGreaterThan(100);
  });
});
