import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { Pool, readMember } from '../../src/population/index.ts';

describe('a pool', () => {
  it('keeps the newest K, oldest first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 30 }), (size, n) => {
        const names = Array.from({ length: n }, (_, i) => `step-${i}`);
        const pool = names.reduce((held, name) => held.push(name), new Pool({ size, every: 4 }));
        expect(pool.checkpoints).toEqual(names.slice(-size));
      }),
    );
  });

  it('is left as it was by a push, and cannot be changed', () => {
    const one = new Pool({ size: 1, every: 4 }).push('first');
    expect(one.push('second').checkpoints).toEqual(['second']);
    expect(one.checkpoints).toEqual(['first']);
    expect(() => (one.checkpoints as string[]).push('x')).toThrow(TypeError);
    expect(() => Object.assign(one, { size: 9 })).toThrow(TypeError);
  });

  it('draws each checkpoint alike', () => {
    const pool = new Pool({ size: 5, every: 4 }, ['a', 'b', 'c', 'd', 'e']);
    const random = seeded('pool');
    const n = 20_000;
    const counts = new Map<string, number>();
    for (let i = 0; i < n; i++) {
      const name = pool.draw(random);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const name of pool.checkpoints)
      expect(Math.abs(counts.get(name)! / n - 0.2)).toBeLessThan(5 * Math.sqrt(0.16 / n));
  });

  it('is due every so many steps, and never before the first', () => {
    const pool = new Pool({ size: 5, every: 4 });
    expect([0, 1, 3, 4, 5, 8].filter((step) => pool.due(step))).toEqual([4, 8]);
  });

  it('is made by a recipe, and read back from plain data', () => {
    const { recipe } = readMember({ id: 'p', family: 'f', model: 'm', recipe: { kind: 'pool', size: 2 } });
    if (recipe.kind !== 'pool') throw new Error(recipe.kind);
    const pool = new Pool(recipe).push('a').push('b');
    const data = JSON.parse(JSON.stringify(pool)) as Pool;
    expect(data).toEqual({ size: 2, every: 4, checkpoints: ['a', 'b'] });
    expect(new Pool(data, data.checkpoints)).toEqual(pool);
  });

  it('refuses what would count twice, sizes that are none, and a draw from nobody', () => {
    expect(() => new Pool({ size: 2, every: 1 }, ['a']).push('a')).toThrow("'a' is in the pool already");
    expect(() => new Pool({ size: 2, every: 1 }, ['a', 'a'])).toThrow("'a' is in the pool already");
    expect(() => new Pool({ size: 1, every: 1 }, ['a', 'b'])).toThrow('2 checkpoints in a pool of 1');
    for (const size of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => new Pool({ size, every: 1 })).toThrow('not a whole number of at least 1');
    expect(() => new Pool({ size: 1, every: 1 }).draw(seeded(1))).toThrow('no checkpoint yet');
  });
});
