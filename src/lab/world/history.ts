/**
 * What both sides can remember of a dialogue, as features: the last act of each side (one of n), saturating counts
 * n / (n + 2) of each side's acts, and the share of turns gone.
 */
export class History {
  readonly #agentActs: number;
  readonly #userActs: number;
  readonly #horizon: number;
  readonly agentCounts: Int32Array;
  readonly userCounts: Int32Array;
  /** -1 before the first. */
  lastAgent = -1;
  lastUser = -1;
  turn = 0;

  constructor(agentActs: number, userActs: number, horizon: number) {
    this.#agentActs = agentActs;
    this.#userActs = userActs;
    this.#horizon = horizon;
    this.agentCounts = new Int32Array(agentActs);
    this.userCounts = new Int32Array(userActs);
  }

  static width(agentActs: number, userActs: number): number {
    return 2 * (agentActs + userActs) + 1;
  }

  agent(act: number): void {
    this.agentCounts[act]! += 1;
    this.lastAgent = act;
    this.turn += 1;
  }

  user(act: number): void {
    this.userCounts[act]! += 1;
    this.lastUser = act;
  }

  /** Writes `History.width` numbers and returns the place after them. */
  write(into: Float64Array, at: number): number {
    let to = at;
    for (let act = 0; act < this.#agentActs; act++) into[to++] = act === this.lastAgent ? 1 : 0;
    for (let act = 0; act < this.#userActs; act++) into[to++] = act === this.lastUser ? 1 : 0;
    for (let act = 0; act < this.#agentActs; act++) {
      const n = this.agentCounts[act]!;
      into[to++] = n / (n + 2);
    }
    for (let act = 0; act < this.#userActs; act++) {
      const n = this.userCounts[act]!;
      into[to++] = n / (n + 2);
    }
    into[to++] = this.turn / this.#horizon;
    return to;
  }
}
