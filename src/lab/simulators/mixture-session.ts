import type { Random } from '../../math/random.ts';
import type { Encounter } from '../world/encounter.ts';
import type { UserTraits } from '../world/traits.ts';
import { drawFrom, sharpen } from './draw-act.ts';
import type { Reply, Session } from './simulator.ts';

export interface MixtureOptions {
  /** Kinds of users and their prior shares, which sum to 1. */
  readonly users: readonly UserTraits[];
  readonly shares: ArrayLike<number>;
  readonly acts: number;
  /** Exponent of the law at every history. */
  readonly gamma: number;
  readonly voice: UserTraits;
  readonly breadth: number;
  readonly person?: string | null;
}

/**
 * A user who is of one of several kinds: at a history h it answers by sum_z P(z | h) P(act | h, z), which is the law of
 * somebody whose kind was drawn before the dialogue, raised to gamma. One kind and gamma 1 is a person.
 */
export class MixtureSession implements Session {
  readonly users: readonly UserTraits[];
  readonly voice: UserTraits;
  readonly breadth: number;
  readonly person: string | null;
  readonly #gamma: number;
  readonly #acts: number;
  readonly #posterior: Float64Array;
  /** By user, the law at the history of `#at` steps. */
  readonly #laws: readonly Float64Array[];
  readonly #own: Float64Array;
  #at = -1;

  constructor(options: MixtureOptions) {
    this.users = options.users;
    this.voice = options.voice;
    this.breadth = options.breadth;
    this.person = options.person ?? null;
    this.#gamma = options.gamma;
    this.#acts = options.acts;
    this.#posterior = Float64Array.from(options.shares);
    this.#laws = options.users.map(() => new Float64Array(options.acts));
    this.#own = new Float64Array(options.acts);
  }

  /** P(kind | history), in the order of `users`. */
  get posterior(): Float64Array {
    return this.#posterior;
  }

  #read(encounter: Encounter): void {
    if (this.#at === encounter.steps.length) return;
    this.#laws.forEach((law, who) => {
      encounter.law(who, law);
    });
    this.#at = encounter.steps.length;
  }

  /** phi_ref: the mixture before gamma. */
  reference(encounter: Encounter, into: Float64Array): void {
    this.#read(encounter);
    into.fill(0, 0, this.#acts);
    for (let who = 0; who < this.#laws.length; who++) {
      const weight = this.#posterior[who]!;
      const law = this.#laws[who]!;
      if (weight > 0) for (let act = 0; act < this.#acts; act++) into[act]! += weight * law[act]!;
    }
  }

  law(encounter: Encounter, into: Float64Array): boolean {
    this.reference(encounter, into);
    sharpen(into, this.#gamma);
    return true;
  }

  reply(encounter: Encounter, random: Random): Reply {
    this.law(encounter, this.#own);
    const act = drawFrom(this.#own, random);
    return { act, probability: this.#own[act]! };
  }

  said(encounter: Encounter, act: number): void {
    this.#read(encounter);
    let sum = 0;
    for (let who = 0; who < this.#laws.length; who++) {
      this.#posterior[who]! *= this.#laws[who]![act]!;
      sum += this.#posterior[who]!;
    }
    // An act that no kind would do (a trained or mistaken simulator does such) says nothing about the kind.
    if (sum > 0) for (let who = 0; who < this.#laws.length; who++) this.#posterior[who]! /= sum;
    else this.#posterior.fill(1 / this.#laws.length);
  }
}
