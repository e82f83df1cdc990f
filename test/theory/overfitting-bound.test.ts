import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/index.ts';
import { entropyOf } from '../../src/metrics/index.ts';
import { everyDialogue, lawOf } from './dialogue-laws.ts';
import { jensenShannon, mixture, pushedPair, totalVariation } from './divergence.ts';
import { printFigure } from './printed-figure.ts';
import { anyLaws, anyShares, mixedUser, TabularPolicy, toyWorld } from './toy-dialogues.ts';

const ROUNDING = 1e-12;

/** Every dialogue of a random toy world with two random users: their two laws over whole dialogues. */
function anyPair(seed: number) {
  const random = seeded(`overfitting/${seed}`);
  const world = toyWorld(anyLaws(random));
  const policy = new TabularPolicy(random.fork('policy'));
  const shares = [anyShares(random), anyShares(random)];
  const gamma = 1 + 3 * random.next();
  const dialogues = everyDialogue(world, world.setting(0, seed), policy.chances, () => [
    mixedUser(shares[0]!),
    mixedUser(shares[1]!, gamma),
  ]);
  return { random, dialogues, p: lawOf(dialogues, 0), q: lawOf(dialogues, 1) };
}

const gapOf = (p: Float64Array, q: Float64Array, reward: (dialogue: number) => number) =>
  p.reduce((sum, chance, d) => sum + (chance - q[d]!) * reward(d), 0);

describe('PSOD and the distance of whole dialogues', () => {
  it('is at most the reward range times TV, and that at most sqrt(2 JSD), in any toy world', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const { random, dialogues, p, q } = anyPair(seed);
        const tv = totalVariation(p, q);
        expect(p.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12);
        expect(tv).toBeLessThanOrEqual(Math.sqrt(2 * jensenShannon([p, q], [0.5, 0.5])) + ROUNDING);
        expect(Math.abs(gapOf(p, q, (d) => dialogues[d]!.reward))).toBeLessThanOrEqual(tv + ROUNDING);
        // Any reward at all, from -1 to 2: what counts is its range.
        const rewards = dialogues.map(() => 3 * random.next() - 1);
        expect(Math.abs(gapOf(p, q, (d) => rewards[d]!))).toBeLessThanOrEqual(3 * tv + ROUNDING);
      }),
      { numRuns: 40 },
    );
  });

  it('is the range times TV for the reward that pays what the training users do more often', () => {
    for (let seed = 0; seed < 10; seed++) {
      const { p, q } = anyPair(seed);
      expect(gapOf(p, q, (d) => (p[d]! > q[d]! ? 1 : 0))).toBeCloseTo(totalVariation(p, q), 12);
    }
  });

  it('can be twice the largest reward times TV where rewards have both signs: R_max is the range', () => {
    const { p, q } = anyPair(1);
    const reward = (d: number) => (p[d]! > q[d]! ? 1 : -1);
    expect(gapOf(p, q, reward)).toBeCloseTo(2 * totalVariation(p, q), 12);
  });

  it('comes near sqrt(2 JSD) for laws that are near one another, and never for laws apart', () => {
    const ratioAt = (shift: number) => {
      const laws = [
        [0.5 + shift, 0.5 - shift],
        [0.5 - shift, 0.5 + shift],
      ];
      return totalVariation(laws[0]!, laws[1]!) / Math.sqrt(2 * jensenShannon(laws, [0.5, 0.5]));
    };
    expect(ratioAt(0.001)).toBeGreaterThan(0.999);
    expect(ratioAt(0.5)).toBeCloseTo(1 / Math.sqrt(2 * Math.LN2), 12);
  });

  it('needs the JSD of two panels that count alike: at weights a, 1 - a it is TV^2 <= JSD / (2 a (1 - a))', () => {
    const near = [
      [0.51, 0.49],
      [0.49, 0.51],
    ];
    // Three training simulators against six held-out ones, weighed by their number.
    const unequal = jensenShannon(near, [1 / 3, 2 / 3]);
    const tv = totalVariation(near[0]!, near[1]!);
    expect(tv).toBeGreaterThan(Math.sqrt(2 * unequal));
    printFigure(
      'JSD of unequal weights',
      `TV ${tv.toFixed(4)} > sqrt(2 JSD) ${Math.sqrt(2 * unequal).toFixed(4)} at weights 1/3, 2/3`,
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (seed, a) => {
          const { p, q } = anyPair(seed);
          const bound = Math.sqrt(jensenShannon([p, q], [a, 1 - a]) / (2 * a * (1 - a)));
          expect(totalVariation(p, q)).toBeLessThanOrEqual(bound + ROUNDING);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('needs the JSD in nats: in bits sqrt(2 JSD) would be larger, in units of log N smaller and no bound', () => {
    const laws = [
      [1, 0],
      [0, 1],
    ];
    const nats = jensenShannon(laws, [0.5, 0.5]);
    expect(nats).toBeCloseTo(Math.LN2, 12);
    expect(nats).toBeCloseTo(entropyOf(mixture(laws, [0.5, 0.5])), 12);
    // Divided by log N, as `consistency` shows it, with four simulators of which two and two are alike.
    const four = [laws[0]!, laws[0]!, laws[1]!, laws[1]!];
    const share = jensenShannon(four, [0.25, 0.25, 0.25, 0.25]) / Math.log(4);
    expect(totalVariation(laws[0]!, laws[1]!)).toBeLessThanOrEqual(Math.sqrt(2 * nats));
    expect(Math.sqrt(2 * share)).toBeCloseTo(1, 12);
    // Near laws: TV .02 against .0170 by that unit.
    const near = [
      [0.51, 0.49],
      [0.51, 0.49],
      [0.49, 0.51],
      [0.49, 0.51],
    ];
    const shown = jensenShannon(near, [0.25, 0.25, 0.25, 0.25]) / Math.log(4);
    expect(totalVariation(near[0]!, near[2]!)).toBeGreaterThan(Math.sqrt(2 * shown));
  });
});

describe('distances of modes', () => {
  it('are never above those of whole dialogues, whatever the modes are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 6 }), (seed, k) => {
        const { random, dialogues, p, q } = anyPair(seed);
        const modes = dialogues.map(() => String(random.integer(k)));
        const [a, b] = pushedPair(p, q, (d) => modes[d]!);
        expect(totalVariation(a, b)).toBeLessThanOrEqual(totalVariation(p, q) + ROUNDING);
        expect(jensenShannon([a, b], [0.5, 0.5])).toBeLessThanOrEqual(
          jensenShannon([p, q], [0.5, 0.5]) + ROUNDING,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('are no bound: equal shares of modes go with a PSOD of the whole range', () => {
    // Two modes of two dialogues each, one paid and one not.
    const modes = ['a', 'a', 'b', 'b'];
    const paid = [1, 0, 1, 0];
    const [training, heldOut] = [Float64Array.of(0.5, 0, 0.5, 0), Float64Array.of(0, 0.5, 0, 0.5)];
    const [a, b] = pushedPair(training, heldOut, (d) => modes[d]!);
    expect(totalVariation(a, b)).toBe(0);
    expect(jensenShannon([a, b], [0.5, 0.5])).toBe(0);
    expect(gapOf(training, heldOut, (d) => paid[d]!)).toBe(1);
  });

  it('are a bound where the reward is a function of the mode, whatever else the policy sees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const { random, dialogues, p, q } = anyPair(seed);
        const modes = dialogues.map(() => random.integer(4));
        const paid = [0, 1, 2, 3].map(() => random.next());
        const [a, b] = pushedPair(p, q, (d) => String(modes[d]!));
        expect(Math.abs(gapOf(p, q, (d) => paid[modes[d]!]!))).toBeLessThanOrEqual(
          totalVariation(a, b) + ROUNDING,
        );
      }),
      { numRuns: 40 },
    );
  });
});
