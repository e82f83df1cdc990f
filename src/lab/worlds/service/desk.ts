import { AGENT, AGENT_ACTS, USER, USER_ACTS } from './acts.ts';
import { Database } from './database.ts';
import { FIRST_TOOL, KINDS, needsCode, needsDetail, permitted } from './rules.ts';
import type { ServiceSetting } from './setting.ts';

/** All that has happened at the desk, as facts: each follows from the acts so far and the setting. */
export class Desk {
  readonly setting: ServiceSetting;
  readonly database: Database;
  readonly agentCounts = new Int32Array(AGENT_ACTS.length);
  readonly userCounts = new Int32Array(USER_ACTS.length);
  /** -1 before the first. */
  lastAgent = -1;
  lastUser = -1;
  turn = 0;
  /** The goal that is valid now; the user's own knowledge. */
  goal = 0;
  changed = false;
  /** The goal that the agent was told, -1 none. */
  heard = -1;
  identity = false;
  /** The order that the agent was last told, -1 none; stale once the user has changed its mind since. */
  told = -1;
  toldStale = false;
  /** The order that was looked up last, -1 none. */
  looked = -1;
  /** The goal whose detail was told last, -1 none. */
  detail = -1;
  code = false;
  /** The user has said yes to a plan read back to it. */
  committed = false;
  /** Kind of the last write, -1 none. */
  executed = -1;
  toolFailed = false;
  closing = false;

  constructor(setting: ServiceSetting) {
    this.setting = setting;
    this.database = new Database(setting);
  }

  get heardKind(): number {
    return this.heard < 0 ? -1 : this.setting.goals[this.heard]!.kind;
  }

  /** The agent was told another order than the one that is meant. */
  get orderWrong(): boolean {
    return this.told >= 0 && this.told !== this.setting.goals[this.goal]!.order;
  }

  get detailNeeded(): boolean {
    return this.heard >= 0 && needsDetail(this.heardKind);
  }

  /** Told, and of the goal that was heard. */
  get detailKnown(): boolean {
    return this.detail >= 0 && this.detail === this.heard;
  }

  /** Whether a code is needed, as far as the order told was looked up. */
  get codeNeeded(): boolean {
    return (
      this.told >= 0 &&
      this.looked === this.told &&
      needsCode(this.heardKind, this.setting.orders[this.told]!)
    );
  }

  /** What the rules say of the request as it was told: 1 permitted, 0 not, -1 not known yet. */
  get ruling(): number {
    if (this.heard < 0 || this.told < 0 || this.looked !== this.told) return -1;
    const order = this.setting.orders[this.told]!;
    const { kind, shelf } = this.setting.goals[this.heard]!;
    // Whether the item wished for fits is known once it was named; the rest is not in doubt.
    if (!permitted(kind, order, order.shelf)) return 0;
    if (needsDetail(kind) && !this.detailKnown) return -1;
    return permitted(kind, order, shelf) ? 1 : 0;
  }

  /** A denial stands that the user has not taken. */
  get turnedDown(): boolean {
    return this.database.deniedGoal >= 0 && !this.database.settled;
  }

  /** Another goal can still become the valid one. */
  get changeable(): boolean {
    return (
      !this.changed &&
      this.heard >= 0 &&
      !this.database.settled &&
      (!this.committed || (this.executed < 0 && this.turnedDown))
    );
  }

  agent(act: number): void {
    this.agentCounts[act]! += 1;
    this.lastAgent = act;
    this.turn += 1;
    if (act === AGENT['look-up']) this.looked = this.told;
    else if (act >= FIRST_TOOL && act < FIRST_TOOL + KINDS.length) {
      const kind = act - FIRST_TOOL;
      const done = this.database.write(this.told, kind, needsDetail(kind) ? this.detail : -1, this.code);
      this.toolFailed = !done;
      if (done) this.executed = kind;
    } else if (act === AGENT.deny) this.database.deny(this.heard, this.told);
    else if (act === AGENT.close) this.closing = true;
  }

  user(act: number): void {
    this.userCounts[act]! += 1;
    this.lastUser = act;
    const { goals, mistaken } = this.setting;
    if (act === USER['tell-all']) {
      this.heard = this.goal;
      this.#hearOrder(goals[this.goal]!.order);
      if (needsDetail(goals[this.goal]!.kind)) this.detail = this.goal;
    } else if (act === USER['state-goal']) this.heard = this.goal;
    else if (act === USER['give-identity']) this.identity = true;
    else if (act === USER['give-order']) this.#hearOrder(goals[this.goal]!.order);
    else if (act === USER['give-wrong-order']) this.#hearOrder(mistaken);
    else if (act === USER['correct-self']) {
      this.#hearOrder(goals[this.goal]!.order);
      this.committed = false;
      if (this.turnedDown) this.database.reopen();
    } else if (act === USER['give-detail']) this.detail = this.goal;
    else if (act === USER['tool-done']) this.code = true;
    else if (act === USER['change-goal']) {
      this.goal = 1 - this.goal;
      this.heard = this.goal;
      this.changed = true;
      this.committed = false;
      this.toldStale = this.told >= 0;
      if (this.turnedDown) this.database.reopen();
    } else if (act === USER.accept) {
      if (this.lastAgent === AGENT['confirm-plan']) {
        this.committed = true;
        // A plan is read back and agreed to: the denial before it is off.
        if (this.turnedDown) this.database.reopen();
      } else if (this.turnedDown) this.database.settled = true;
    }
  }

  #hearOrder(order: number): void {
    this.told = order;
    this.toldStale = false;
  }
}
