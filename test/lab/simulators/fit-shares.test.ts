import { describe, expect, it } from 'vitest';
import { fitShares, peopleOf } from '../../../src/lab/simulators/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { handWorld, SHARES } from './hand-world.ts';

const total = (values: Iterable<number>) => [...values].reduce((sum, x) => sum + x, 0);
const apart = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  total(Array.from(a, (x, i) => Math.abs(x - b[i]!))) / 2;

describe('shares fitted to dialogues of people', () => {
  it('are counts with half a person of every kind where one act tells the kind', () => {
    const telling = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ];
    const world = handWorld(3, { ask: telling, press: telling });
    const people = peopleOf(world, 'reference', 25, 1);
    const counts = [0, 1, 2].map((z) => people.filter(({ type }) => type === z).length);
    const shares = fitShares(world, people, 50, seeded('fit'));
    counts.forEach((count, z) => {
      expect(shares[z]).toBeCloseTo((2 * count + 0.5) / (50 + 1.5), 12);
    });
  });

  it('are equal where nothing tells kinds apart', () => {
    const alike = [
      [0.4, 0.3, 0.3, 0],
      [0.4, 0.3, 0.3, 0],
      [0.4, 0.3, 0.3, 0],
    ];
    const world = handWorld(3, { ask: alike, press: alike });
    const shares = fitShares(world, peopleOf(world, 'reference', 20, 1), 40, seeded('fit'));
    for (const share of shares) expect(share).toBeCloseTo(1 / 3, 12);
  });

  it('come nearer to those of people the more dialogues there are', () => {
    const world = handWorld(8);
    const errors = [20, 3000].map((n) => {
      const found = Array.from({ length: 3 }, (_, seed) =>
        apart(fitShares(world, peopleOf(world, 'reference', n, seed), n, seeded(seed)), SHARES),
      );
      return total(found) / found.length;
    });
    expect(errors[1]).toBeLessThan(0.05);
    expect(errors[1]).toBeLessThan(errors[0]!);
  });

  it('sum to 1, rule nobody out, and are the same by the same stream', () => {
    const world = worldOf('persuasion');
    const people = peopleOf(world, 'reference', 10, 1);
    const shares = fitShares(world, people, 30, seeded('fit'));
    expect(shares).toHaveLength(world.types.length);
    expect(total(shares)).toBeCloseTo(1, 12);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(fitShares(world, people, 30, seeded('fit'))).toEqual(shares);
    expect(fitShares(world, people, 30, seeded('other'))).not.toEqual(shares);
  });
});
