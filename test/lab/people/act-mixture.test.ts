import { describe, expect, it } from 'vitest';
import {
  type ActDialogue,
  bestMixture,
  CONTEXTS,
  countActs,
  fitTypes,
  foldsByPerson,
  type Law,
  lawOf,
  tiltedLaw,
  tryMixtures,
  USER_STATES,
  USERS,
} from '../../../src/lab/people/index.ts';
import { type Random, seeded } from '../../../src/math/index.ts';

function draw(weights: ArrayLike<number>, random: Random): number {
  let left = random.next();
  for (let i = 0; i < weights.length - 1; i++) {
    left -= weights[i]!;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** A base law that differs by context, and three types that each lean on acts of their own. */
function planted(random: Random) {
  const base: Law = new Float64Array(CONTEXTS * USERS);
  for (let context = 0; context < CONTEXTS; context++) {
    const odds = Array.from({ length: USERS }, () => Math.exp(0.7 * random.normal()));
    const sum = odds.reduce((a, b) => a + b);
    base.set(
      odds.map((odd) => odd / sum),
      context * USERS,
    );
  }
  const tilts = [0, 4, 8].map((first) =>
    Array.from({ length: USERS }, (_, act): number => (act >= first && act < first + 4 ? 4 : 1)),
  );
  return { base, tilts, shares: [0.5, 0.3, 0.2] };
}

function simulated(truth: ReturnType<typeof planted>, count: number, random: Random): ActDialogue[] {
  const laws = truth.tilts.map((tilt) => tiltedLaw(truth.base, tilt));
  return Array.from({ length: count }, (_, d) => {
    const law = laws[draw(truth.shares, random)]!;
    let context = CONTEXTS - 1;
    const contexts: number[] = [];
    const acts: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const act = draw(law.subarray(context * USERS, (context + 1) * USERS), random);
      contexts.push(context);
      acts.push(act);
      context = random.integer(CONTEXTS / USER_STATES) * USER_STATES + act;
    }
    return { id: `d${d}`, person: `p${d}`, contexts, acts };
  });
}

describe('latent types', () => {
  const random = seeded('planted types');
  const truth = planted(random.fork('truth'));
  const dialogues = simulated(truth, 800, random.fork('dialogues'));

  it('that were planted are found, with their shares and tilts', () => {
    const found = fitTypes(dialogues, truth.base, { types: 3, starts: 4, shrink: 1 }, random.fork('fit'));
    found.shares.forEach((share, type) => {
      expect(Math.abs(share - truth.shares[type]!)).toBeLessThan(0.06);
    });
    found.tilts.forEach((tilt, type) => {
      // Only ratios of tilts are seen: both are taken around their geometric mean.
      const logs = (values: readonly number[]) => {
        const all = values.map(Math.log);
        const centre = all.reduce((a, b) => a + b) / USERS;
        return all.map((value) => value - centre);
      };
      const [got, due] = [logs(tilt), logs(truth.tilts[type]!)];
      got.forEach((value, act) => {
        expect(Math.abs(value - due[act]!)).toBeLessThan(0.4);
      });
    });
  });

  it('are the same whatever the order of the dialogues', () => {
    const options = { types: 2, starts: 2, shrink: 1, limit: 20 };
    const some = dialogues.slice(0, 100);
    expect(fitTypes([...some].reverse(), truth.base, options, seeded('o'))).toEqual(
      fitTypes(some, truth.base, options, seeded('o')),
    );
  });

  it('are counted by held-out likelihood: three where three were planted, one where there is one', () => {
    const smoothing = { user: 16, agent: 16, both: 64 };
    const options = { types: [1, 2, 3, 4], shrinks: [4], starts: 2 };
    const count = (all: readonly ActDialogue[]) =>
      tryMixtures(foldsByPerson(all, 3, seeded('f')), smoothing, options, seeded('t'));
    const three = count(dialogues);
    expect(bestMixture(three).types).toBeGreaterThanOrEqual(3);
    const gain = (types: number) => three[types - 1]!.total - three[types - 2]!.total;
    expect(gain(4)).toBeLessThan(gain(3) / 10);
    const alike = { ...truth, tilts: truth.tilts.map(() => new Array<number>(USERS).fill(1)) };
    const one = count(simulated(alike, 400, random.fork('alike')));
    expect(one[1]!.total - one[0]!.total).toBeLessThan(5);
  });

  it('leave a law of one type where it is', () => {
    const base = lawOf(countActs(dialogues), 'both', { user: 8, agent: 8, both: 32 });
    const { shares, tilts } = fitTypes(dialogues, base, { types: 1, starts: 1, shrink: 1 }, seeded('x'));
    expect(shares).toEqual([1]);
    for (const tilt of tilts[0]!) expect(Math.abs(Math.log(tilt))).toBeLessThan(0.2);
  });
});
