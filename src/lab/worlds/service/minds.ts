import type { UserTraits } from '../../world/traits.ts';
import { AGENT, APPEALS, USER, USER_ACTS } from './acts.ts';
import type { Desk } from './desk.ts';
import { HABITS } from './habits.ts';

// Of this module: the law is a hot loop, and a binding of another module may be a getter.
const HABIT_FACTORS = HABITS;
const {
  'ask-goal': ASK_GOAL,
  'ask-identity': ASK_IDENTITY,
  'ask-order': ASK_ORDER,
  'ask-detail': ASK_DETAIL,
  'ask-code': ASK_CODE,
  'confirm-plan': CONFIRM_PLAN,
  deny: DENY,
  'offer-alternative': OFFER_ALTERNATIVE,
  explain: EXPLAIN,
  apologise: APOLOGISE,
  close: CLOSE,
} = AGENT;
const {
  'change-goal': CHANGE_GOAL,
  complain: COMPLAIN,
  'correct-self': CORRECT_SELF,
  'ask-back': ASK_BACK,
  leave: LEAVE,
  thanks: THANKS,
  'state-goal': STATE_GOAL,
  'tell-all': TELL_ALL,
  hint: HINT,
  'not-sure': NOT_SURE,
  'give-identity': GIVE_IDENTITY,
  'push-back': PUSH_BACK,
  'give-order': GIVE_ORDER,
  'give-wrong-order': GIVE_WRONG_ORDER,
  'give-detail': GIVE_DETAIL,
  'tool-done': TOOL_DONE,
  accept: ACCEPT,
  insist: INSIST,
} = USER;
const APPEAL_COUNT = APPEALS.length;
const ACTS = USER_ACTS.length;
/** Weight of an act that is possible but that nothing speaks for. */
const FLOOR = 0.008;

/** Acts that users answer to even while a denial stands. */
const ASKING: readonly number[] = [ASK_GOAL, ASK_IDENTITY, ASK_ORDER, ASK_DETAIL, ASK_CODE, CONFIRM_PLAN];

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
  readonly #fickle: Float64Array;
  readonly #frank: Float64Array;
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
    this.#affinity = new Float64Array(n * APPEAL_COUNT);
    this.#habit = new Int32Array(n);
    this.#tedium = new Float64Array(n);
    this.#fickle = new Float64Array(n);
    this.#frank = new Float64Array(n);
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
      const loose = 1 - user.consistency;
      this.#fickle[who] = loose * Math.sqrt(loose);
      this.#frank[who] = 1.5 * user.disclosure ** 3 * user.consistency;
      this.#tedium[who] = 2 * user.consistency * (1 - user.patience);
      this.#calm[who] = 0.05 + 0.4 * user.trust;
      for (let appeal = 0; appeal < APPEAL_COUNT; appeal++)
        this.#affinity[who * APPEAL_COUNT + appeal] = user.affinities[appeal]!;
    }
  }

  /** What an act of the agent does to every mood; the desk must not know of the act yet. */
  hear(act: number, desk: Desk): void {
    const cost = costOf(act, desk);
    const appeal = appealOf(act);
    const denies = act === DENY;
    const confirms = act === CONFIRM_PLAN;
    // The same appeal again is worth less each time.
    const fresh = appeal < 0 ? 0 : 0.6 ** desk.agentCounts[act]!;
    for (let who = 0; who < this.size; who++) {
      this.#drain[who]! += cost;
      // Being read back what one knows well is tiresome, the more so in a hurry.
      if (confirms) this.#drain[who]! += this.#tedium[who]!;
      if (denies) this.#calm[who]! -= 0.1 * desk.agentCounts[act]!;
      if (appeal < 0) continue;
      const liking = this.#affinity[who * APPEAL_COUNT + appeal]!;
      this.#drain[who]! -= 2.4 * fresh * liking;
      this.#calm[who]! += 0.5 * fresh * liking;
      if (appeal === 0) this.#open[who]! += 0.5 * fresh * (1 + liking);
    }
  }

  /** What an act of the user's side does to every mood. */
  say(act: number): void {
    const relief = act === CHANGE_GOAL ? 1 : act === COMPLAIN ? 0.4 : 0;
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
    into[COMPLAIN]! += FLOOR + (0.06 + 0.35 * strain * strain) * (1.2 - this.#politeness[who]!);
    if (desk.changeable) {
      into[CHANGE_GOAL]! += FLOOR + changeRate(desk.lastAgent) * this.#fickle[who]!;
      if (desk.turnedDown && desk.lastAgent === OFFER_ALTERNATIVE)
        into[CHANGE_GOAL]! += 0.5 * (1 + this.#affinity[who * APPEAL_COUNT + 2]!);
    }
    if (desk.orderWrong) into[CORRECT_SELF]! += FLOOR + 0.08 * consistency;
    if (!desk.closing && !standsDenied(desk)) into[ASK_BACK]! += FLOOR + 0.12 * (1 - trust);
    const habit = this.#habit[who]! * ACTS;
    let sum = 0;
    for (let act = 0; act < ACTS; act++) {
      into[act]! *= HABIT_FACTORS[habit + act]!;
      sum += into[act]!;
    }
    const leave = 0.003 + 0.9 / (1 + Math.exp((this.#budget[who]! - this.#drain[who]!) / 0.8));
    const scale = (1 - leave) / sum;
    for (let act = 0; act < ACTS; act++) into[act]! *= scale;
    into[LEAVE] = leave;
  }

  #answer(who: number, desk: Desk, into: Float64Array): void {
    const trust = this.#trust[who]!;
    const disclosure = this.#disclosure[who]!;
    const consistency = this.#consistency[who]!;
    const open = this.#open[who]!;
    if (desk.executed >= 0) into[THANKS]! += FLOOR + 0.6;
    switch (desk.lastAgent) {
      case ASK_GOAL:
        into[STATE_GOAL]! += FLOOR + 0.35 + 0.6 * disclosure + 0.3 * open;
        if (desk.heard >= 0) return;
        into[TELL_ALL]! += FLOOR + this.#frank[who]!;
        into[HINT]! += FLOOR + (desk.userCounts[HINT]! > 0 ? 0.5 : 1.2) * (1 - disclosure);
        into[NOT_SURE]! += FLOOR + 0.2 * (1 - consistency);
        return;
      case ASK_IDENTITY:
        into[GIVE_IDENTITY]! += FLOOR + 0.3 + 0.6 * disclosure + 0.6 * trust + open;
        if (desk.identity) return;
        into[ASK_BACK]! += (0.8 * (1 - trust)) / (1 + 2 * open);
        into[PUSH_BACK]! += FLOOR + (0.6 * (1 - trust) * (1 - disclosure)) / (1 + 2 * open);
        into[NOT_SURE]! += FLOOR + 0.25 * (1 - consistency);
        if (desk.heard < 0) into[STATE_GOAL]! += FLOOR + 0.25 * disclosure;
        return;
      case ASK_ORDER: {
        // Somebody who has put it right once looks twice.
        const slip = desk.userCounts[CORRECT_SELF]! > 0 ? 0.3 : 1;
        into[GIVE_ORDER]! += FLOOR + 0.25 + 0.9 * consistency;
        into[GIVE_WRONG_ORDER]! += FLOOR + 1.6 * slip * (1 - consistency);
        into[NOT_SURE]! += FLOOR + 0.6 * (1 - disclosure) * (1 - 0.5 * Math.min(1, open));
        if (desk.heard < 0) into[STATE_GOAL]! += FLOOR + 0.25 * disclosure;
        return;
      }
      case ASK_DETAIL:
        into[NOT_SURE]! += FLOOR + 0.5 * (1 - disclosure) + 0.25 * (1 - consistency);
        if (desk.detailNeeded) into[GIVE_DETAIL]! += FLOOR + 0.4 + 0.8 * disclosure + 0.3 * open;
        return;
      case ASK_CODE:
        into[TOOL_DONE]! += FLOOR + 0.35 + 0.5 * trust + 0.2 * disclosure + 0.5 * open;
        into[NOT_SURE]! += FLOOR + 0.35 * (1 - disclosure);
        into[ASK_BACK]! += (0.5 * (1 - trust)) / (1 + 2 * open);
        return;
      case CONFIRM_PLAN:
        if (desk.orderWrong) {
          // Read back, the mistake is seen; those who say yes to everything see it less.
          into[CORRECT_SELF]! += 2 + consistency;
          into[ACCEPT]! += FLOOR + 0.2 * (1 - consistency);
        } else if (desk.detailNeeded && desk.detail >= 0 && !desk.detailKnown) {
          into[GIVE_DETAIL]! += FLOOR + 0.8 + 0.4 * disclosure;
          into[ACCEPT]! += FLOOR + 0.25 * (1 - consistency);
        } else into[ACCEPT]! += FLOOR + 0.9 + 0.5 * trust;
        into[PUSH_BACK]! += FLOOR + 0.1 * (1 - trust);
        return;
      default:
        // An explanation, an apology or an alternative that nothing called for.
        into[ACCEPT]! += FLOOR + 0.6;
        if (desk.heard < 0) {
          into[STATE_GOAL]! += FLOOR + 0.3 + 0.6 * disclosure;
          into[HINT]! += FLOOR + 0.5 * (1 - disclosure);
        } else if (!desk.identity) into[GIVE_IDENTITY]! += FLOOR + 0.7 * disclosure * trust;
    }
  }

  /** A denial stands: it is taken, fought or got round. */
  #turnedDown(who: number, desk: Desk, into: Float64Array): void {
    const trust = this.#trust[who]!;
    const anger = Math.max(0, 1 - this.#calm[who]!);
    into[ACCEPT] = FLOOR + 0.55 * Math.exp(6 * (Math.min(1, this.#calm[who]!) - 0.5));
    into[PUSH_BACK] = FLOOR + 0.7 * anger * (0.4 + trust);
    into[INSIST] = FLOOR + 0.9 * anger * (1.2 - trust);
    if (desk.orderWrong) into[CORRECT_SELF] = 0.5 + 0.5 * this.#consistency[who]!;
  }

  /** The agent has taken its leave. */
  #part(who: number, desk: Desk, into: Float64Array): void {
    if (desk.turnedDown) {
      into[ACCEPT] = FLOOR + 0.2 * Math.exp(6 * (Math.min(1, this.#calm[who]!) - 0.5));
      into[INSIST] = FLOOR + 1 - 0.5 * this.#trust[who]!;
    } else into[THANKS] = FLOOR + 1;
  }
}

/** The talk is about a denial: one stands, and the agent has not gone back to asking. */
function standsDenied(desk: Desk): boolean {
  return desk.turnedDown && !ASKING.includes(desk.lastAgent);
}

/** Turns of patience that an act of the agent takes: more for what was asked and answered before. */
function costOf(act: number, desk: Desk): number {
  switch (act) {
    case ASK_GOAL:
      return desk.heard >= 0 ? 1.8 : 1;
    case ASK_IDENTITY:
      return desk.identity ? 2 : 1;
    case ASK_ORDER:
      return desk.told >= 0 && !desk.toldStale ? 1.5 : 1;
    case ASK_DETAIL:
      return !desk.detailNeeded || desk.detailKnown ? 2 : 1;
    case ASK_CODE:
      return desk.code ? 2 : 1.2;
    case CONFIRM_PLAN:
      return desk.committed ? 2 : 1;
    case DENY:
      return desk.turnedDown ? 1.6 : 1.2;
    case EXPLAIN:
    case APOLOGISE:
    case OFFER_ALTERNATIVE:
      return 0.8;
    case CLOSE:
      return 0;
    default:
      return 0.25;
  }
}

/** How readily minds are changed, by what the agent has just done. */
function changeRate(act: number): number {
  switch (act) {
    case OFFER_ALTERNATIVE:
      return 1.6;
    case CONFIRM_PLAN:
      return 0.6;
    case DENY:
      return 0.5;
    case CLOSE:
      return 1;
    default:
      return 0.14;
  }
}

function appealOf(act: number): number {
  if (act === EXPLAIN) return 0;
  if (act === APOLOGISE) return 1;
  return act === OFFER_ALTERNATIVE ? 2 : -1;
}
