import type { ToolCall } from '../../../trajectory/trajectory.ts';
import type { Slots } from '../../speech/pattern.ts';
import type { Step } from '../../world/encounter.ts';
import { AGENT, USER } from './acts.ts';
import type { Desk } from './desk.ts';
import { ADDRESS, CANCEL, CODE_PRICE, EXCHANGE, FIRST_TOOL, KINDS, REFUND, REFUND_DAYS } from './rules.ts';
import type { ServiceSetting } from './setting.ts';

const TOOLS = ['cancel_order', 'refund_order', 'exchange_item', 'change_address'] as const;

/** What an agent may offer instead, by kind; it does not know what the user would take. */
const ALTERNATIVES = [
  'take the parcel in and send it back for your money',
  'swap it for another one of the same kind',
  'send it back for your money',
  'cancel it and order it anew to the right address',
] as const;

const IDENTITY_RULE = 'an order is opened only for the person it belongs to';

/** A step that words and tool calls are made of when somebody asks, from the few facts it was taken in. */
class ServiceStep implements Step {
  readonly side: 'agent' | 'user';
  readonly act: number;
  protected readonly setting: ServiceSetting;
  protected readonly goal: number;
  protected readonly order: number;
  protected readonly detail: number;
  protected readonly code: boolean;
  protected readonly failed: boolean;

  /** `desk` as it is after the act. */
  constructor(side: 'agent' | 'user', act: number, desk: Desk) {
    this.side = side;
    this.act = act;
    this.setting = desk.setting;
    this.goal = side === 'user' ? desk.goal : desk.heard;
    this.order = desk.told;
    this.detail = desk.detail;
    this.code = desk.code;
    this.failed = desk.toolFailed;
  }

  get slots(): Slots {
    const { orders, goals } = this.setting;
    const goal = goals[Math.max(0, this.goal)]!;
    const order = orders[this.order < 0 ? goal.order : this.order]!;
    const meant = orders[goal.order]!;
    const detail = this.detail < 0 ? goal.detail : goals[this.detail]!.detail;
    return {
      order: order.id,
      item: order.item,
      meant: meant.id,
      kind: KINDS[goal.kind]!,
      wish: wish(goal.kind),
      plan: plan(goal.kind, order.id, order.item, detail),
      detail: detail === '' ? 'nothing else' : detail,
      rule: this.goal < 0 ? IDENTITY_RULE : rule(goal.kind),
      other: ALTERNATIVES[goal.kind]!,
    };
  }
}

/** A step that is a tool call, of the agent's or the user's own. */
class ToolStep extends ServiceStep {
  get tool(): { readonly call: ToolCall; readonly answer: string } {
    const { orders, goals, email, code } = this.setting;
    if (this.side === 'user')
      return {
        call: { name: 'check_email', arguments: { address: email } },
        answer: JSON.stringify({ code }),
      };
    const order = orders[this.order]!;
    if (this.act === AGENT['look-up']) {
      const { id, item, pending, ageDays, price } = order;
      const status = pending ? 'pending' : 'delivered';
      return {
        call: { name: 'get_order', arguments: { order: id } },
        answer: JSON.stringify({ order: id, item, status, age_days: ageDays, price }),
      };
    }
    const kind = this.act - FIRST_TOOL;
    const detail = this.detail < 0 ? '' : goals[this.detail]!.detail;
    const extra = kind === EXCHANGE ? { new_item: detail } : kind === ADDRESS ? { address: detail } : {};
    const checked = kind === ADDRESS || kind === REFUND ? { code_checked: this.code } : {};
    return {
      call: { name: TOOLS[kind]!, arguments: { order: order.id, ...extra, ...checked } },
      answer: JSON.stringify(
        this.failed
          ? { ok: false, error: `order ${order.id} was changed before` }
          : { ok: true, order: order.id },
      ),
    };
  }
}

export const isTool = (act: number): boolean =>
  act === AGENT['look-up'] || (act >= FIRST_TOOL && act < FIRST_TOOL + KINDS.length);

/** The act that `desk` has just been told of. */
export function stepOf(side: 'agent' | 'user', act: number, desk: Desk): Step {
  const called = side === 'agent' ? isTool(act) : act === USER['tool-done'];
  return called ? new ToolStep(side, act, desk) : new ServiceStep(side, act, desk);
}

function wish(kind: number): string {
  if (kind === CANCEL) return 'cancel an order';
  if (kind === REFUND) return 'get my money back';
  return kind === EXCHANGE ? 'exchange something I bought' : 'have a parcel sent to another address';
}

function plan(kind: number, id: string, item: string, detail: string): string {
  if (kind === CANCEL) return `cancelling order ${id}, the ${item}`;
  if (kind === REFUND) return `paying back order ${id}, the ${item}`;
  const to = detail === '' ? 'what you tell me' : detail;
  return kind === EXCHANGE
    ? `exchanging the ${item} of order ${id} for the ${to}`
    : `sending order ${id}, the ${item}, to ${to}`;
}

function rule(kind: number): string {
  if (kind === CANCEL) return 'an order can be cancelled only until it is sent';
  if (kind === REFUND)
    return `money goes back within ${REFUND_DAYS} days of delivery, and from ${CODE_PRICE} euros on only with the code from your e-mail`;
  return kind === EXCHANGE
    ? 'a delivered item can be exchanged only for another one of the same kind'
    : 'the address can be changed only until the order is sent, and with the code from your e-mail';
}
