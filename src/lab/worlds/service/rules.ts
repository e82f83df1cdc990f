import { AGENT } from './acts.ts';

/** What a user may want, in the order of the four tools that write. */
export const KINDS = ['cancel', 'refund', 'exchange', 'address'] as const;
export type Kind = (typeof KINDS)[number];

export const CANCEL = 0;
export const REFUND = 1;
export const EXCHANGE = 2;
export const ADDRESS = 3;

/** The tool of kind k is the agent's act `FIRST_TOOL + k`. */
export const FIRST_TOOL = AGENT['do-cancel'];

export const REFUND_DAYS = 30;
/** A refund of as much or more needs the code that goes to the customer's e-mail. */
export const CODE_PRICE = 100;

export interface Order {
  readonly id: string;
  readonly item: string;
  /** Shelf that the item is from: an exchange stays on it. */
  readonly shelf: string;
  readonly pending: boolean;
  readonly ageDays: number;
  /** Whole euros. */
  readonly price: number;
}

/**
 * The rules. A cancellation and a new address only while the order is pending, money back only for what was delivered
 * and is not older than 30 days, an exchange only of what was delivered and for an item of the same shelf.
 * `shelf`: that of the item wished for; it matters to exchanges alone.
 */
export function permitted(kind: number, order: Order, shelf: string): boolean {
  if (kind === CANCEL || kind === ADDRESS) return order.pending;
  if (kind === REFUND) return !order.pending && order.ageDays <= REFUND_DAYS;
  return !order.pending && order.shelf === shelf;
}

/** An exchange needs the item wished for, a new address the address. */
export const needsDetail = (kind: number): boolean => kind === EXCHANGE || kind === ADDRESS;

/** A new address and a large refund need the code. */
export const needsCode = (kind: number, order: Order): boolean =>
  kind === ADDRESS || (kind === REFUND && order.price >= CODE_PRICE);
