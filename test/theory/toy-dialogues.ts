import { MixtureSession } from '../../src/lab/simulators/index.ts';
import type { Encounter } from '../../src/lab/world/index.ts';
import type { Random } from '../../src/math/index.ts';
import { handWorld, kind, LEAVE } from '../lab/simulators/hand-world.ts';

/** Laws of three kinds of users over four acts, by what the agent did last. */
export type ToyLaws = Parameters<typeof handWorld>[1] & {};

/** Any laws, every act possible: exponents make some of them nearly deterministic. */
export function anyLaws(random: Random): ToyLaws {
  const law = () => {
    const sharpness = 4 * random.next();
    const raw = [0, 1, 2, 3].map(() => (random.next() + 1e-3) ** sharpness);
    const total = raw.reduce((sum, x) => sum + x, 0);
    return raw.map((x) => x / total);
  };
  return { ask: [law(), law(), law()], press: [law(), law(), law()] };
}

/** The toy world of these tests: at most `horizon` turns, a few hundred dialogues. */
export const toyWorld = (laws: ToyLaws, horizon = 2) => handWorld(horizon, laws);

/** Shares over the three kinds. */
export function anyShares(random: Random): number[] {
  const raw = [0, 1, 2].map(() => random.next() + 1e-3);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
}

/** A user whose kind is drawn by `shares`, its law at every history raised to gamma. */
export function mixedUser(shares: readonly number[], gamma = 1): MixtureSession {
  return new MixtureSession({
    users: [0, 1, 2].map((habit) => kind(habit)),
    shares,
    acts: LEAVE + 1,
    gamma,
    voice: kind(0),
    breadth: 1,
  });
}

/** As good as the mode alone: an act of .999 of the mode's chance is left with e^-1000000. */
export const AT_THE_MODE = 1e9;

/**
 * A softmax policy with one row of logits for every history that it tells apart: how many turns are gone and what the
 * user said last. It may `ask` or `press`, and after the first turn also `stop`.
 */
export class TabularPolicy {
  readonly #random: Random;
  readonly #rows = new Map<string, Float64Array>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Logits of all rows that were met so far, by row: changing one changes the policy. */
  get rows(): ReadonlyMap<string, Float64Array> {
    return this.#rows;
  }

  /** P(agent act), in the order of the world's acts. */
  readonly chances = (encounter: Encounter): Float64Array => {
    const logits = this.#row(rowOf(encounter));
    const law = logits.map((x) => Math.exp(x));
    const total = law.reduce((sum, x) => sum + x, 0);
    return law.map((x) => x / total);
  };

  #row(key: string): Float64Array {
    let row = this.#rows.get(key);
    if (row === undefined) {
      const own = this.#random.fork(key);
      // ask, press, look (never), stop (not at once).
      row = Float64Array.from([0, 1, 2, 3], (act) =>
        act === 2 || (act === 3 && key.startsWith('0/')) ? Number.NEGATIVE_INFINITY : 1.5 * own.normal(),
      );
      this.#rows.set(key, row);
    }
    return row;
  }
}

export const rowOf = ({ turn, steps }: Encounter): string => `${turn}/${steps.at(-1)?.act ?? 'none'}`;
