/** Groups that are remembered; the oldest go. A group lives for one step of a trainer. */
const MOST = 50_000;

/**
 * Who was drawn for a group of rollouts. A group keeps its member while weights change (yellow raises some), members come
 * and go, or one rests: rollouts of two simulators in one group would put the simulators' difficulty into its baseline.
 */
export class GroupMembers {
  readonly #members = new Map<string, string>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  get(group: string): string | null {
    return this.#members.get(group) ?? null;
  }

  set(group: string, member: string): void {
    this.#members.delete(group);
    this.#members.set(group, member);
    if (this.#members.size > this.#most) this.#members.delete(this.#members.keys().next().value!);
  }
}
