import { PERSUADER_ACTS } from '../../people/acts.ts';
import type { UserTraits } from '../../world/traits.ts';
import { APPEAL_OF, APPEALS, ASK_AMOUNT, FOOT_IN_DOOR, PROPOSE } from './acts.ts';
import {
  BORED,
  BOUND,
  FIRST_INCLINATION,
  IRRITATED,
  LEAVING,
  LEAVING_IRRITATED,
  PRESSED,
  REQUEST,
  SENSITIVITY,
  SHOWN_INCLINATION,
  SHOWN_LIKING,
  SMALL_REQUEST,
  STRENGTH,
  UNASKED,
} from './constants.ts';
import type { Pace } from './pace.ts';

const WIDTH = APPEALS.length;
const STRENGTHS = Float64Array.from(PERSUADER_ACTS, (act) => STRENGTH[act] ?? 0);

/** Traits of users as the dynamics need them: made once for a population. */
export interface Dispositions {
  readonly users: number;
  readonly first: Float64Array;
  /** users x APPEALS. */
  readonly affinity: Float64Array;
  readonly trust: Float64Array;
  readonly impatience: Float64Array;
  /** How much of what happens to it moves a user: less of the consistent. */
  readonly moved: Float64Array;
  /** How much of what it thinks a user shows. */
  readonly shown: Float64Array;
  readonly habit: Int32Array;
}

export function dispositionsOf(users: readonly UserTraits[]): Dispositions {
  const column = (value: (traits: UserTraits) => number) => Float64Array.from(users, value);
  const affinity = new Float64Array(users.length * WIDTH);
  users.forEach(({ affinities }, who) => {
    for (let appeal = 0; appeal < WIDTH; appeal++) affinity[who * WIDTH + appeal] = affinities[appeal]!;
  });
  return {
    users: users.length,
    first: column(({ trust }) => FIRST_INCLINATION * (2 * trust - 1)),
    affinity,
    trust: column(({ trust }) => trust),
    impatience: column(({ patience }) => 1 - patience),
    moved: column(({ consistency }) => 1.25 - 0.5 * consistency),
    shown: column(({ disclosure }) => 0.5 + disclosure),
    habit: Int32Array.from(users, ({ habit }) => habit),
  };
}

/** Inclination, liking and irritation of the users of one dialogue, all given the same agent. */
export class Persuadees {
  readonly #who: Dispositions;
  readonly #pace: Pace;
  readonly #inclination: Float64Array;
  readonly #liking: Float64Array;
  readonly #irritation: Float64Array;
  readonly #uses = new Int32Array(WIDTH);
  readonly #counts = new Int32Array(PERSUADER_ACTS.length);
  #requests = 0;

  constructor(who: Dispositions, pace: Pace) {
    this.#who = who;
    this.#pace = pace;
    this.#inclination = who.first.slice();
    this.#liking = new Float64Array(who.users);
    this.#irritation = new Float64Array(who.users);
  }

  hear(act: number): void {
    const { users, affinity, trust, impatience, moved } = this.#who;
    const { step, fresh, calmed, requestsBorne, repeats } = this.#pace;
    const appeal = APPEAL_OF[act]!;
    const before = this.#counts[act]!++;
    const freshness = appeal < 0 ? 0 : fresh[this.#uses[appeal]!++]!;
    const strength = STRENGTHS[act]! * step * freshness;
    const request = act === PROPOSE || act === ASK_AMOUNT;
    const requests = request ? this.#requests++ : 0;
    const bored = before >= repeats ? BORED * step : 0;
    for (let who = 0; who < users; who++) {
      let gain = 0;
      let liking = 0;
      let irritation = this.#irritation[who]! * calmed + bored;
      if (appeal >= 0) {
        const likes = affinity[who * WIDTH + appeal]!;
        gain = strength * likes;
        liking = freshness * likes;
      } else if (act === FOOT_IN_DOOR) {
        if (before === 0) gain = SMALL_REQUEST * (2 * trust[who]! - 0.7);
      } else if (request) {
        if (this.#inclination[who]! < 0 || requests >= requestsBorne) {
          gain = -PRESSED * step * impatience[who]!;
          irritation += IRRITATED * step;
        } else if (requests === 0) gain = REQUEST;
      }
      const inclination = this.#inclination[who]! + moved[who]! * gain;
      this.#inclination[who] = Math.min(BOUND, Math.max(-BOUND, inclination));
      this.#liking[who] = liking;
      this.#irritation[who] = irritation;
    }
  }

  /** Log tilt of what consents, and minus that of what refuses. */
  tilt(who: number): number {
    return (
      this.#who.shown[who]! *
      (SHOWN_INCLINATION * this.#inclination[who]! + SHOWN_LIKING * this.#liking[who]!)
    );
  }

  /** Chance that the user walks out now, within (0, 1). */
  leaving(who: number): number {
    const odds = LEAVING + LEAVING_IRRITATED * this.#irritation[who]! * (0.3 + this.#who.impatience[who]!);
    return Math.min(1, this.#pace.step) / (1 + Math.exp(-odds));
  }

  /** Log odds of giving, before the cut points. */
  resolve(who: number): number {
    return SENSITIVITY * (this.#inclination[who]! - (this.#requests === 0 ? UNASKED : 0));
  }
}
