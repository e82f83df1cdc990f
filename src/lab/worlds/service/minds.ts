import type { UserTraits } from '../../world/traits.ts';
import { AGENT, APPEALS, USER, USER_ACTS } from './acts.ts';
import type { Desk } from './desk.ts';
import { HABITS } from './habits.ts';

const ACTS = USER_ACTS.length;
/** Weight of an act that is possible but that nothing speaks for. */
const FLOOR = 0.008;

/** Acts that users answer to even while a denial stands. */
const ASKING: readonly number[] = [
  AGENT['ask-goal'],
  AGENT['ask-identity'],
  AGENT['ask-order'],
  AGENT['ask-detail'],
  AGENT['ask-code'],
  AGENT['confirm-plan'],
];

/**
 * The users that are followed in one dialogue, side by side: traits and moods in flat arrays. A mood is what the
 * acts so far have done to a user with those traits: `drain`, how much patience is spent, in turns; `calm`, how far
 * a denial would be taken; `open`, how willing it is to hand things over.
 */
export class Minds {
  readonly #trust: Float64Array;
  readonly #budget: Float64Array;
  readonly #disclosure: Float64Array;
  readonly #consistency: Float64Array;
  readonly #politeness: Float64Array;
  readonly #affinity: Float64Array;
  readonly #habit: Int32Array;
  readonly #tedium: Float64Array;
  readonly #drain: Float64Array;
  readonly #calm: Float64Array;
  readonly #open: Float64Array;
  readonly size: number;

  constructor(users: readonly UserTraits[]) {
    const n = users.length;
    this.size = n;
    this.#trust = new Float64Array(n);
    this.#budget = new Float64Array(n);
    this.#disclosure = new Float64Array(n);
    this.#consistency = new Float64Array(n);
    this.#politeness = new Float64Array(n);
    this.#affinity = new Float64Array(n * APPEALS.length);
    this.#habit = new Int32Array(n);
    this.#tedium = new Float64Array(n);
    this.#drain = new Float64Array(n);
    this.#calm = new Float64Array(n);
    this.#open = new Float64Array(n);
    for (let who = 0; who < n; who++) {
      const user = users[who]!;
      this.#trust[who] = user.trust;
      this.#budget[who] = 6.5 + 8 * user.patience + 1.5 * user.trust;
      this.#disclosure[who] = user.disclosure;
      this.#consistency[who] = user.consistency;
      this.#politeness[who] = user.politeness;
      this.#habit[who] = user.habit;
      this.#tedium[who] = 2 * user.consistency * (1 - user.patience);
      this.#calm[who] = 0.05 + 0.4 * user.trust;
      for (let appeal = 0; appeal < APPEALS.length; appeal++)
        this.#affinity[who * APPEALS.length + appeal] = user.affinities[appeal]!;
    }
  }

  /** What an act of the agent does to every mood; the desk must not know of the act yet. */
  hear(act: number, desk: Desk): void {
    const cost = costOf(act, desk);
    const appeal = appealOf(act);
    const denies = act === AGENT.deny;
    const confirms = act === AGENT['confirm-plan'];
    // The same appeal again is worth less each time.
    const fresh = appeal < 0 ? 0 : 0.6 ** desk.agentCounts[act]!;
    for (let who = 0; who < this.size; who++) {
      this.#drain[who]! += cost;
      // Being read back what one knows well is tiresome, the more so in a hurry.
      if (confirms) this.#drain[who]! += this.#tedium[who]!;
      if (denies) this.#calm[who]! -= 0.1 * desk.agentCounts[act]!;
      if (appeal < 0) continue;
      const liking = this.#affinity[who * APPEALS.length + appeal]!;
      this.#drain[who]! -= 2.4 * fresh * liking;
      this.#calm[who]! += 0.5 * fresh * liking;
      if (appeal === 0) this.#open[who]! += 0.5 * fresh * (1 + liking);
    }
  }

  /** What an act of the user's side does to every mood. */
  say(act: number): void {
    const relief = act === USER['change-goal'] ? 1 : act === USER.complain ? 0.4 : 0;
    if (relief === 0) return;
    for (let who = 0; who < this.size; who++) this.#drain[who]! -= relief;
  }

  /** P(act | all that happened, user `who`) to `into[0 ..]`. Which are above 0 is up to the desk alone. */
  law(who: number, desk: Desk, into: Float64Array): void {
    for (let act = 0; act < ACTS; act++) into[act] = 0;
    const trust = this.#trust[who]!;
    const consistency = this.#consistency[who]!;
    const strain = Math.max(0, this.#drain[who]!) / this.#budget[who]!;
    if (desk.closing) this.#part(who, desk, into);
    else if (standsDenied(desk)) this.#turnedDown(who, desk, into);
    else this.#answer(who, desk, into);
    into[USER.complain]! += FLOOR + (0.06 + 0.35 * strain * strain) * (1.2 - this.#politeness[who]!);
    if (desk.changeable) {
      into[USER['change-goal']]! += FLOOR + changeRate(desk.lastAgent) * (1 - consistency) ** 1.5;
      if (desk.turnedDown && desk.lastAgent === AGENT['offer-alternative'])
        into[USER['change-goal']]! += 0.5 * (1 + this.#affinity[who * APPEALS.length + 2]!);
    }
    if (desk.orderWrong) into[USER['correct-self']]! += FLOOR + 0.08 * consistency;
    if (!desk.closing && !standsDenied(desk)) into[USER['ask-back']]! += FLOOR + 0.12 * (1 - trust);
    const habit = this.#habit[who]! * ACTS;
    let sum = 0;
    for (let act = 0; act < ACTS; act++) {
      into[act]! *= HABITS[habit + act]!;
      sum += into[act]!;
    }
    const leave = 0.003 + 0.9 / (1 + Math.exp((this.#budget[who]! - this.#drain[who]!) / 0.8));
    const scale = (1 - leave) / sum;
    for (let act = 0; act < ACTS; act++) into[act]! *= scale;
    into[USER.leave] = leave;
  }

  #answer(who: number, desk: Desk, into: Float64Array): void {
    const trust = this.#trust[who]!;
    const disclosure = this.#disclosure[who]!;
    const consistency = this.#consistency[who]!;
    const open = this.#open[who]!;
    if (desk.executed >= 0) into[USER.thanks]! += FLOOR + 0.6;
    switch (desk.lastAgent) {
      case AGENT['ask-goal']:
        into[USER['state-goal']]! += FLOOR + 0.35 + 0.6 * disclosure + 0.3 * open;
        if (desk.heard >= 0) return;
        into[USER['tell-all']]! += FLOOR + 1.5 * disclosure ** 3 * consistency;
        into[USER.hint]! += FLOOR + (desk.userCounts[USER.hint]! > 0 ? 0.5 : 1.2) * (1 - disclosure);
        into[USER['not-sure']]! += FLOOR + 0.2 * (1 - consistency);
        return;
      case AGENT['ask-identity']:
        into[USER['give-identity']]! += FLOOR + 0.3 + 0.6 * disclosure + 0.6 * trust + open;
        if (desk.identity) return;
        into[USER['ask-back']]! += (0.8 * (1 - trust)) / (1 + 2 * open);
        into[USER['push-back']]! += FLOOR + (0.6 * (1 - trust) * (1 - disclosure)) / (1 + 2 * open);
        into[USER['not-sure']]! += FLOOR + 0.25 * (1 - consistency);
        if (desk.heard < 0) into[USER['state-goal']]! += FLOOR + 0.25 * disclosure;
        return;
      case AGENT['ask-order']: {
        // Somebody who has put it right once looks twice.
        const slip = desk.userCounts[USER['correct-self']]! > 0 ? 0.3 : 1;
        into[USER['give-order']]! += FLOOR + 0.25 + 0.9 * consistency;
        into[USER['give-wrong-order']]! += FLOOR + 1.6 * slip * (1 - consistency);
        into[USER['not-sure']]! += FLOOR + 0.6 * (1 - disclosure) * (1 - 0.5 * Math.min(1, open));
        if (desk.heard < 0) into[USER['state-goal']]! += FLOOR + 0.25 * disclosure;
        return;
      }
      case AGENT['ask-detail']:
        into[USER['not-sure']]! += FLOOR + 0.5 * (1 - disclosure) + 0.25 * (1 - consistency);
        if (desk.detailNeeded) into[USER['give-detail']]! += FLOOR + 0.4 + 0.8 * disclosure + 0.3 * open;
        return;
      case AGENT['ask-code']:
        into[USER['tool-done']]! += FLOOR + 0.35 + 0.5 * trust + 0.2 * disclosure + 0.5 * open;
        into[USER['not-sure']]! += FLOOR + 0.35 * (1 - disclosure);
        into[USER['ask-back']]! += (0.5 * (1 - trust)) / (1 + 2 * open);
        return;
      case AGENT['confirm-plan']:
        if (desk.orderWrong) {
          // Read back, the mistake is seen; those who say yes to everything see it less.
          into[USER['correct-self']]! += 2 + consistency;
          into[USER.accept]! += FLOOR + 0.2 * (1 - consistency);
        } else if (desk.detailNeeded && desk.detail >= 0 && !desk.detailKnown) {
          into[USER['give-detail']]! += FLOOR + 0.8 + 0.4 * disclosure;
          into[USER.accept]! += FLOOR + 0.25 * (1 - consistency);
        } else into[USER.accept]! += FLOOR + 0.9 + 0.5 * trust;
        into[USER['push-back']]! += FLOOR + 0.1 * (1 - trust);
        return;
      default:
        // An explanation, an apology or an alternative that nothing called for.
        into[USER.accept]! += FLOOR + 0.6;
        if (desk.heard < 0) {
          into[USER['state-goal']]! += FLOOR + 0.3 + 0.6 * disclosure;
          into[USER.hint]! += FLOOR + 0.5 * (1 - disclosure);
        } else if (!desk.identity) into[USER['give-identity']]! += FLOOR + 0.7 * disclosure * trust;
    }
  }

  /** A denial stands: it is taken, fought or got round. */
  #turnedDown(who: number, desk: Desk, into: Float64Array): void {
    const trust = this.#trust[who]!;
    const anger = Math.max(0, 1 - this.#calm[who]!);
    into[USER.accept] = FLOOR + 0.55 * Math.exp(6 * (Math.min(1, this.#calm[who]!) - 0.5));
    into[USER['push-back']] = FLOOR + 0.7 * anger * (0.4 + trust);
    into[USER.insist] = FLOOR + 0.9 * anger * (1.2 - trust);
    if (desk.orderWrong) into[USER['correct-self']] = 0.5 + 0.5 * this.#consistency[who]!;
  }

  /** The agent has taken its leave. */
  #part(who: number, desk: Desk, into: Float64Array): void {
    if (desk.turnedDown) {
      into[USER.accept] = FLOOR + 0.2 * Math.exp(6 * (Math.min(1, this.#calm[who]!) - 0.5));
      into[USER.insist] = FLOOR + 1 - 0.5 * this.#trust[who]!;
    } else into[USER.thanks] = FLOOR + 1;
  }
}

/** The talk is about a denial: one stands, and the agent has not gone back to asking. */
function standsDenied(desk: Desk): boolean {
  return desk.turnedDown && !ASKING.includes(desk.lastAgent);
}

/** Turns of patience that an act of the agent takes: more for what was asked and answered before. */
function costOf(act: number, desk: Desk): number {
  switch (act) {
    case AGENT['ask-goal']:
      return desk.heard >= 0 ? 1.8 : 1;
    case AGENT['ask-identity']:
      return desk.identity ? 2 : 1;
    case AGENT['ask-order']:
      return desk.told >= 0 && !desk.toldStale ? 1.5 : 1;
    case AGENT['ask-detail']:
      return !desk.detailNeeded || desk.detailKnown ? 2 : 1;
    case AGENT['ask-code']:
      return desk.code ? 2 : 1.2;
    case AGENT['confirm-plan']:
      return desk.committed ? 2 : 1;
    case AGENT.deny:
      return desk.turnedDown ? 1.6 : 1.2;
    case AGENT.explain:
    case AGENT.apologise:
    case AGENT['offer-alternative']:
      return 0.8;
    case AGENT.close:
      return 0;
    default:
      return 0.25;
  }
}

/** How readily minds are changed, by what the agent has just done. */
function changeRate(act: number): number {
  switch (act) {
    case AGENT['offer-alternative']:
      return 1.6;
    case AGENT['confirm-plan']:
      return 0.6;
    case AGENT.deny:
      return 0.5;
    case AGENT.close:
      return 1;
    default:
      return 0.14;
  }
}

function appealOf(act: number): number {
  if (act === AGENT.explain) return 0;
  if (act === AGENT.apologise) return 1;
  return act === AGENT['offer-alternative'] ? 2 : -1;
}
