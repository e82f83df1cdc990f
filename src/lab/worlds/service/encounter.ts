import type { Encounter, Phase, Step } from '../../world/encounter.ts';
import type { UserTraits } from '../../world/traits.ts';
import { USER } from './acts.ts';
import { Desk } from './desk.ts';
import { Minds } from './minds.ts';
import { writeAllowed, writeCues, writeObservation } from './observation.ts';
import { isTool, stepOf } from './service-step.ts';
import type { ServiceSetting } from './setting.ts';

/** One customer at the desk. */
export class ServiceEncounter implements Encounter {
  readonly desk: Desk;
  readonly #minds: Minds;
  readonly #horizon: number;
  readonly #steps: Step[] = [];
  #phase: Phase = 'agent';
  #termination: string | null = null;

  constructor(setting: ServiceSetting, users: readonly UserTraits[], horizon: number) {
    this.desk = new Desk(setting);
    this.#minds = new Minds(users);
    this.#horizon = horizon;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get turn(): number {
    return this.desk.turn;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  get termination(): string | null {
    return this.#termination;
  }

  observe(into: Float64Array, at: number): void {
    writeObservation(this.desk, this.#horizon, into, at);
  }

  allowed(into: Uint8Array, at: number): void {
    writeAllowed(this.desk, into, at);
  }

  actAgent(act: number): void {
    this.#minds.hear(act, this.desk);
    this.desk.agent(act);
    this.#steps.push(stepOf('agent', act, this.desk));
    if (!isTool(act)) this.#phase = 'user';
    else if (this.desk.turn >= this.#horizon) this.#end('turn limit');
  }

  cues(into: Float64Array, at: number): void {
    writeCues(this.desk, this.#horizon, into, at);
  }

  law(who: number, into: Float64Array): void {
    this.#minds.law(who, this.desk, into);
  }

  actUser(act: number): void {
    this.#minds.say(act);
    this.desk.user(act);
    this.#steps.push(stepOf('user', act, this.desk));
    if (act === USER.leave) this.#end('user');
    else if (this.desk.closing) this.#end('agent');
    else if (this.desk.turn >= this.#horizon) this.#end('turn limit');
    else this.#phase = 'agent';
  }

  get reward(): number | null {
    if (this.#phase !== 'over') return null;
    return this.desk.database.isAsDue(this.desk.goal) ? 1 : 0;
  }

  /** What stands in the records, and whether it is what was due. */
  get outcome(): string {
    const { database, goal } = this.desk;
    return `${database.isAsDue(goal) ? 'as due' : 'not as due'}: ${database.summary}`;
  }

  #end(why: string): void {
    this.#phase = 'over';
    this.#termination = why;
  }
}
