import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DensityScale, type HashedVectors } from '../../src/curation/density.ts';
import { densityRanks } from '../../src/curation/density-ranks.ts';
import { seeded } from '../../src/math/index.ts';
import { columns, shuffled } from './columns.ts';

const line = (positions: readonly number[], hashes = positions.map((x) => `${x}`)): HashedVectors => ({
  columns: 1,
  vectors: Float32Array.from(positions),
  hashes,
});

describe('distance to the k-th nearest different content', () => {
  it('is known by hand, and no content neighbours itself', () => {
    const sample = line([0, 1, 3, 7]);
    expect([...new DensityScale(sample, 1).distances(sample)]).toEqual([1, 1, 2, 4]);
    expect([...new DensityScale(sample, 2).distances(sample)]).toEqual([3, 2, 3, 6]);
    expect([...new DensityScale(sample, 1).distances(line([3, 8], ['other', 'x']))]).toEqual([0, 1]);
  });

  it('counts a content once, however often it is in the sample', () => {
    const once = new DensityScale(line([0, 1, 3, 7]), 2);
    const often = new DensityScale(line([0, 1, 1, 1, 1, 3, 7]), 2);
    expect(often.contents).toBe(4);
    expect([...often.distances(line([0, 2]))]).toEqual([...once.distances(line([0, 2]))]);
  });

  it('takes the last neighbour there is in a small sample, for all rows alike, and NaN where there is none', () => {
    const pair = new DensityScale(line([0, 4]), 5);
    expect(pair.neighbours).toBe(1);
    expect([...pair.distances(line([0, 1]))]).toEqual([4, 1]);
    expect([...new DensityScale(line([0]), 5).distances(line([0, 1]))]).toEqual([Number.NaN, 1]);
    expect([...new DensityScale(line([]), 5).distances(line([0]))]).toEqual([Number.NaN]);
  });

  it('leaves out rows with numbers that are not finite', () => {
    const scale = new DensityScale(line([Number.NaN, 2, Infinity, 4], ['a', 'b', 'c', 'd']), 1);
    expect(scale.contents).toBe(2);
    expect([...scale.distances(line([Number.NaN, 5], ['q', 'r']))]).toEqual([Number.NaN, 1]);
  });

  it('agrees with all distances sorted, and does not depend on the order of the sample', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.string(),
        (n, k, seed) => {
          const random = seeded(seed);
          const hashes = Array.from({ length: n }, () => `h${random.integer(30)}`);
          const vectors = Float32Array.from({ length: 5 * n }, () => random.normal());
          const rows = { columns: 5, vectors, hashes };
          const order = shuffled(n, seed);
          const moved = {
            columns: 5,
            vectors: Float32Array.from(order.flatMap((i) => [...vectors.subarray(5 * i, 5 * i + 5)])),
            hashes: order.map((i) => hashes[i]!),
          };
          const got = new DensityScale(rows, k).distances(rows);
          expect([...new DensityScale(moved, k).distances(rows)]).toEqual([...got]);
          if (new Set(hashes).size < n) return;
          const take = Math.max(1, Math.min(k, n - 1));
          for (let i = 0; i < n; i++) {
            const all = hashes.flatMap((_, j) =>
              j === i
                ? []
                : [Math.hypot(...[0, 1, 2, 3, 4].map((c) => vectors[5 * i + c]! - vectors[5 * j + c]!))],
            );
            const want = all.sort((a, b) => a - b)[take - 1];
            if (want === undefined) expect(got[i]).toBeNaN();
            else expect(got[i]).toBeCloseTo(want, 4);
          }
        },
      ),
    );
  });

  it('refuses shapes that do not fit', () => {
    expect(() => new DensityScale(line([1, 2], ['a']), 1)).toThrow(RangeError);
    expect(() => new DensityScale(line([1]), 0)).toThrow(RangeError);
    expect(() =>
      new DensityScale(line([1]), 1).distances({ columns: 2, vectors: new Float32Array(2), hashes: ['a'] }),
    ).toThrow(RangeError);
  });
});

describe('rank of the density', () => {
  const rank = (rows: readonly (readonly [string, number])[]) => {
    const { distance, hashes } = columns(
      rows.map(([content, distance]) => ({ content, distance, simulator: 0, mode: 0 })),
      1,
    );
    return densityRanks(distance, hashes);
  };

  it('is 1 for the densest row, 0 for the loneliest, ties shared', () => {
    expect([
      ...rank([
        ['a', 1],
        ['b', 5],
        ['c', 3],
        ['d', 3],
        ['e', 9],
      ]).rho,
    ]).toEqual([1, 0.25, 0.625, 0.625, 0]);
  });

  it('gives one place to a content, however often it is there', () => {
    const { rho, contents } = rank([
      ['a', 1],
      ['a', 1],
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect([...rho]).toEqual([1, 1, 1, 0.5, 0]);
    expect(contents).toBe(3);
  });

  it('puts what is unknown in the middle and counts it', () => {
    const { rho, unknown, contents } = rank([
      ['a', 1],
      ['b', Number.NaN],
      ['c', 2],
      ['d', Infinity],
      ['a', Number.NaN],
    ]);
    expect([...rho]).toEqual([1, 0.5, 0, 0.5, 1]);
    expect([unknown, contents]).toEqual([2, 2]);
    expect([...rank([['a', 1]]).rho]).toEqual([0.5]);
    expect([
      ...rank([
        ['a', 2],
        ['b', 2],
      ]).rho,
    ]).toEqual([0.5, 0.5]);
    expect(rank([]).rho.length).toBe(0);
  });
});
