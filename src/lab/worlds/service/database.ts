import { KINDS, needsCode } from './rules.ts';
import type { Goal, ServiceSetting } from './setting.ts';

/** The shop's records: one write an order at most, and the ticket of a denial. Indexes are those of the setting. */
export class Database {
  readonly #setting: ServiceSetting;
  /** By order: kind written, -1 none. */
  readonly kind: Int8Array;
  /** By order: goal whose detail was written, -1 none. */
  readonly detail: Int8Array;
  /** By order: 1 where the code had been checked. */
  readonly checked: Uint8Array;
  /** Goal and order that a denial stands for, -1 none; settled once the user has taken it. */
  deniedGoal = -1;
  deniedOrder = -1;
  settled = false;

  constructor(setting: ServiceSetting) {
    this.#setting = setting;
    const orders = setting.orders.length;
    this.kind = new Int8Array(orders).fill(-1);
    this.detail = new Int8Array(orders).fill(-1);
    this.checked = new Uint8Array(orders);
  }

  /** Writes, whatever the rules say, as a tool does; false where the order was written before, which stands. */
  write(order: number, kind: number, detail: number, checked: boolean): boolean {
    if (this.kind[order]! >= 0) return false;
    this.kind[order] = kind;
    this.detail[order] = detail;
    this.checked[order] = checked ? 1 : 0;
    return true;
  }

  deny(goal: number, order: number): void {
    this.deniedGoal = goal;
    this.deniedOrder = order;
    this.settled = false;
  }

  /** The denial falls with what it was about. */
  reopen(): void {
    this.deny(-1, -1);
  }

  /**
   * Whether the records are what goal number `goal` gives under the rules. A goal that is permitted: its order has
   * that write, with its detail and with the code checked where one is needed, and no other order was touched. One
   * that is not: no order was touched, and a ticket for it is settled.
   */
  isAsDue(goal: number): boolean {
    const due = this.#setting.goals[goal]!;
    for (let order = 0; order < this.kind.length; order++) {
      const written = this.kind[order]! >= 0;
      if (written !== (due.permitted && order === due.order)) return false;
      if (written && !this.#isWritten(order, goal, due)) return false;
    }
    return due.permitted || (this.settled && this.deniedGoal === goal && this.deniedOrder === due.order);
  }

  #isWritten(order: number, goal: number, due: Goal): boolean {
    return (
      this.kind[order] === due.kind &&
      (due.detail === '' || this.detail[order] === goal) &&
      (this.checked[order] === 1 || !needsCode(due.kind, this.#setting.orders[order]!))
    );
  }

  /** The records in words: "W1234 refund; ticket exchange W1234 settled", or "no change". */
  get summary(): string {
    const { orders, goals } = this.#setting;
    const parts = orders.flatMap(({ id }, at) =>
      this.kind[at]! < 0
        ? []
        : [`${id} ${KINDS[this.kind[at]!]}${this.checked[at] === 1 ? ' with code' : ''}`],
    );
    if (this.deniedGoal >= 0)
      parts.push(
        `denied ${KINDS[goals[this.deniedGoal]!.kind]} of ${orders[this.deniedOrder]!.id}${this.settled ? ', settled' : ''}`,
      );
    return parts.length === 0 ? 'no change' : parts.join('; ');
  }
}
