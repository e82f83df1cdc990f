import { CollapseAwareError } from '../../../errors.ts';
import type { Encounter, Phase, Step } from '../../world/encounter.ts';
import { History } from '../../world/history.ts';
import {
  AGENT_ACTS,
  AMOUNTS,
  APPEAL_OF,
  APPEALS,
  CLOSE,
  FIRST_DECISION,
  LEAVE,
  REPLIES,
  USER_ACTS,
} from './acts.ts';
import { writeDecisions } from './decision.ts';
import type { Pace } from './pace.ts';
import { type Dispositions, Persuadees } from './persuadees.ts';
import { answerOf, writeReplies } from './reply-law.ts';

const AGENT_STEPS: readonly Step[] = AGENT_ACTS.map((_, act) => ({ side: 'agent', act }));
const USER_STEPS: readonly Step[] = USER_ACTS.map((_, act) => ({ side: 'user', act }));
/** Replies after which the dialogue goes on are all that is remembered: nothing follows the others. */
const REMEMBERED = History.width(AGENT_ACTS.length, REPLIES);
export const OBSERVED = REMEMBERED + APPEALS.length;
export const CUES = REMEMBERED + 1;

export class PersuasionEncounter implements Encounter {
  phase: Phase = 'agent';
  readonly steps: Step[] = [];
  reward: number | null = null;
  outcome = 'open';
  termination: string | null = null;
  readonly horizon: number;
  readonly #who: Dispositions;
  readonly #cuts: readonly number[];
  readonly #persuadees: Persuadees;
  readonly #history: History;
  /** By appeal: how well it was answered, and how often it was made. */
  readonly #answers = new Float64Array(APPEALS.length);
  readonly #made = new Int32Array(APPEALS.length);
  #closed = false;

  constructor(who: Dispositions, horizon: number, pace: Pace, cuts: readonly number[]) {
    this.horizon = horizon;
    this.#who = who;
    this.#cuts = cuts;
    this.#persuadees = new Persuadees(who, pace);
    this.#history = new History(AGENT_ACTS.length, REPLIES, horizon);
  }

  get turn(): number {
    return this.#history.turn;
  }

  /** -1 before the first. */
  get lastAgent(): number {
    return this.#history.lastAgent;
  }

  get lastUser(): number {
    return this.#history.lastUser;
  }

  /** Whether the user's next act is a decision. */
  get deciding(): boolean {
    return this.phase === 'user' && (this.#closed || this.turn >= this.horizon);
  }

  /** The history, then by appeal how well it was answered on average: -2 .. 2, nearer 0 after few answers. */
  observe(into: Float64Array, at: number): void {
    let to = this.#history.write(into, at);
    for (let appeal = 0; appeal < APPEALS.length; appeal++)
      into[to++] = (2 * this.#answers[appeal]!) / (this.#made[appeal]! + 1);
  }

  /** The history, then 1 where a decision is due. */
  cues(into: Float64Array, at: number): void {
    const to = this.#history.write(into, at);
    into[to] = this.deciding ? 1 : 0;
  }

  allowed(into: Uint8Array, at: number): void {
    into.fill(1, at, at + AGENT_ACTS.length);
  }

  actAgent(act: number): void {
    if (this.phase !== 'agent') throw outOfTurn('agent', this.phase);
    this.#history.agent(act);
    this.#persuadees.hear(act);
    const appeal = APPEAL_OF[act]!;
    if (appeal >= 0) this.#made[appeal]! += 1;
    this.#closed = act === CLOSE;
    this.steps.push(AGENT_STEPS[act]!);
    this.phase = 'user';
  }

  law(who: number, into: Float64Array): void {
    into.fill(0, 0, USER_ACTS.length);
    if (this.deciding) {
      writeDecisions(this.#persuadees.resolve(who), this.#cuts, into, FIRST_DECISION);
      return;
    }
    const leaving = this.#persuadees.leaving(who);
    const { lastAgent, lastUser } = this.#history;
    writeReplies(this.#who.habit[who]!, lastAgent, lastUser, this.#persuadees.tilt(who), 1 - leaving, into);
    into[LEAVE] = leaving;
  }

  /** Log odds of giving of `users[who]` as things stand, before the cut points: hidden, for calibration alone. */
  resolve(who: number): number {
    return this.#persuadees.resolve(who);
  }

  actUser(act: number): void {
    if (this.phase !== 'user') throw outOfTurn('user', this.phase);
    if (act !== LEAVE && act >= FIRST_DECISION !== this.deciding)
      throw new CollapseAwareError('CA_INTERNAL', `a user cannot ${USER_ACTS[act]} at this point`);
    this.steps.push(USER_STEPS[act]!);
    if (act < LEAVE) {
      this.#history.user(act);
      const appeal = APPEAL_OF[this.#history.lastAgent]!;
      if (appeal >= 0) this.#answers[appeal]! += answerOf(act);
      this.phase = 'agent';
      return;
    }
    const amount = act === LEAVE ? 0 : AMOUNTS[act - FIRST_DECISION]!;
    this.phase = 'over';
    this.reward = Math.min(amount / 2, 1);
    this.outcome = act === LEAVE ? 'left' : `donated ${amount}`;
    this.termination = act === LEAVE ? 'user' : this.#closed ? 'agent' : 'turn limit';
  }
}

const outOfTurn = (side: string, phase: Phase) =>
  new CollapseAwareError('CA_INTERNAL', `the ${side} acted out of turn: it is "${phase}"`);
