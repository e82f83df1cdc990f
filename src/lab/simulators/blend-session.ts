import type { Random } from '../../math/random.ts';
import type { Encounter } from '../world/encounter.ts';
import type { UserTraits } from '../world/traits.ts';
import type { Reply, Session } from './simulator.ts';

/** Between two users: every turn `b` answers with probability lambda, else `a`. Both hear everything that was said. */
export class BlendSession implements Session {
  readonly users: readonly UserTraits[];
  readonly voice: UserTraits;
  readonly breadth: number;
  readonly person = null;
  readonly #a: Session;
  readonly #b: Session;
  readonly #lambda: number;
  readonly #own: Float64Array;
  /** What `b` sees: the same dialogue, with its own users first. */
  #shifted: { readonly of: Encounter; readonly encounter: Encounter } | null = null;

  constructor(a: Session, b: Session, lambda: number, acts: number) {
    this.#a = a;
    this.#b = b;
    this.#lambda = lambda;
    this.users = [...a.users, ...b.users];
    this.voice = lambda < 0.5 ? a.voice : b.voice;
    this.breadth = Math.max(a.breadth, b.breadth);
    this.#own = new Float64Array(acts);
  }

  law(encounter: Encounter, into: Float64Array): boolean {
    const other = this.#forB(encounter);
    if (!this.#a.law(encounter, into) || !this.#b.law(other, this.#own)) return false;
    for (let act = 0; act < this.#own.length; act++)
      into[act] = (1 - this.#lambda) * into[act]! + this.#lambda * this.#own[act]!;
    return true;
  }

  reply(encounter: Encounter, random: Random): Reply {
    const second = random.next() < this.#lambda;
    const reply = second ? this.#b.reply(this.#forB(encounter), random) : this.#a.reply(encounter, random);
    // The probability is that of one part; of the blend it is known by `law` alone.
    return { ...reply, probability: null };
  }

  said(encounter: Encounter, act: number): void {
    this.#a.said(encounter, act);
    this.#b.said(this.#forB(encounter), act);
  }

  #forB(encounter: Encounter): Encounter {
    if (this.#shifted?.of !== encounter)
      this.#shifted = { of: encounter, encounter: shifted(encounter, this.#a.users.length) };
    return this.#shifted.encounter;
  }
}

function shifted(encounter: Encounter, by: number): Encounter {
  return {
    get phase() {
      return encounter.phase;
    },
    get turn() {
      return encounter.turn;
    },
    get steps() {
      return encounter.steps;
    },
    get reward() {
      return encounter.reward;
    },
    get outcome() {
      return encounter.outcome;
    },
    get termination() {
      return encounter.termination;
    },
    observe: (into, at) => encounter.observe(into, at),
    allowed: (into, at) => encounter.allowed(into, at),
    actAgent: (act) => encounter.actAgent(act),
    cues: (into, at) => encounter.cues(into, at),
    law: (who, into) => encounter.law(who + by, into),
    actUser: (act) => encounter.actUser(act),
  };
}
