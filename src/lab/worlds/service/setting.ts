import { type Random, seeded } from '../../../math/random.ts';
import type { Setting } from '../../world/setting.ts';
import { CITIES, FIRST_NAMES, LAST_NAMES, SHELVES, STREETS } from './goods.ts';
import { ADDRESS, CANCEL, EXCHANGE, KINDS, type Order, permitted, REFUND, REFUND_DAYS } from './rules.ts';

/** What a user wants: one of KINDS done to one of the setting's orders. */
export interface Goal {
  readonly kind: number;
  /** Index in the setting's orders. */
  readonly order: number;
  /** Item wished for or new address; '' for the kinds that need none. */
  readonly detail: string;
  /** Shelf of the item wished for; '' for the other kinds. */
  readonly shelf: string;
  /** Under the rules. */
  readonly permitted: boolean;
}

export interface ServiceSetting extends Setting {
  readonly name: string;
  readonly email: string;
  readonly postcode: string;
  /** What goes to the user's e-mail when the agent asks for it. */
  readonly code: string;
  readonly orders: readonly Order[];
  /** What the user comes with, and what it may change its mind to. */
  readonly goals: readonly [Goal, Goal];
  /** The order that this user mixes up with the one it means: another of the same shelf. */
  readonly mistaken: number;
}

/** Of first goals, those that the rules forbid; of second ones, rarer, since people ask for what may work. */
const FORBIDDEN_FIRST = 0.35;
const FORBIDDEN_SECOND = 0.2;
/** Of second goals, those about the same order. */
const SAME_ORDER = 0.5;

/** Number `index` of the seed's settings. */
export function serviceSetting(index: number, seed: number): ServiceSetting {
  const random = seeded(`service/${seed}/${index}`);
  const of = <Item>(items: readonly Item[]): Item => items[random.integer(items.length)]!;
  const name = `${of(FIRST_NAMES)} ${of(LAST_NAMES)}`;
  const shelves = random.shuffle(Object.keys(SHELVES));
  const first = random.integer(KINDS.length);
  const firstAllowed = random.next() >= FORBIDDEN_FIRST;
  const secondAllowed = random.next() >= FORBIDDEN_SECOND;
  const orders: Order[] = [orderFor(first, firstAllowed, shelves[0]!, random)];
  const same = random.next() < SAME_ORDER;
  const second = same
    ? sameOrderKind(first, orders[0]!, secondAllowed, random)
    : (first + 1 + random.integer(KINDS.length - 1)) % KINDS.length;
  orders.push(orderFor(second, secondAllowed, shelves[1]!, random));
  orders.push(orderFor(random.integer(KINDS.length), random.next() < 0.5, shelves[0]!, random));
  const goals = [
    goalOn(first, 0, orders[0]!, firstAllowed, random),
    goalOn(second, same ? 0 : 1, orders[same ? 0 : 1]!, secondAllowed, random),
  ] as const;
  const base = 1000 + random.integer(9000);
  const numbered = orders.map((order, at) => ({ ...order, id: `W${base + 137 * at}` }));
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
  const postcode = String(10000 + random.integer(90000));
  const code = String(100000 + random.integer(900000));
  const setting = { name, email, postcode, code, orders: numbered, goals, mistaken: 2 };
  return {
    ...setting,
    world: 'service',
    label: `service-${seed}-${index}`,
    scenario: scenarioOf(setting),
    slots: { name, email, postcode, code },
  };
}

/** "exchange the steel kettle (order W1234) for a glass kettle" and the like. */
export function goalPhrase({ kind, detail }: Goal, order: Order): string {
  if (kind === CANCEL) return `cancel order ${order.id}, the ${order.item}`;
  if (kind === REFUND) return `get the money back for the ${order.item} of order ${order.id}`;
  if (kind === EXCHANGE) return `exchange the ${order.item} of order ${order.id} for the ${detail}`;
  return `have order ${order.id}, the ${order.item}, sent to ${detail}`;
}

function scenarioOf(setting: Omit<ServiceSetting, keyof Setting>): string {
  const { name, email, postcode, orders, goals, mistaken } = setting;
  const [first, second] = goals.map((goal) => goalPhrase(goal, orders[goal.order]!));
  const facts = orders.map(
    ({ id, item, pending, ageDays, price }) =>
      `${id}: ${item}, ${price} euros, ${pending ? 'not sent yet' : `delivered ${ageDays} days ago`}`,
  );
  return [
    `You are ${name}, e-mail ${email}, postcode ${postcode}.`,
    `You want to ${first}.`,
    `If that does not work out, or you think again, you want to ${second} instead.`,
    `Your orders: ${facts.join('; ')}.`,
    `You easily mix up the number with ${orders[mistaken]!.id}.`,
  ].join(' ');
}

function orderFor(kind: number, allowed: boolean, shelf: string, random: Random): Order {
  const items = SHELVES[shelf]!;
  const pending = kind === CANCEL || kind === ADDRESS ? allowed : false;
  const late = kind === REFUND && !allowed;
  return {
    id: '',
    item: items[random.integer(items.length)]!,
    shelf,
    pending,
    ageDays: pending
      ? random.integer(4)
      : late
        ? REFUND_DAYS + 2 + random.integer(50)
        : 3 + random.integer(REFUND_DAYS - 4),
    price: 15 + random.integer(200),
  };
}

/** Another kind that can (or cannot) be done to the order; where there is none, any other kind. */
function sameOrderKind(first: number, order: Order, allowed: boolean, random: Random): number {
  const others = [CANCEL, REFUND, EXCHANGE, ADDRESS].filter((kind) => kind !== first);
  const fitting = others.filter((kind) => permitted(kind, order, allowed ? order.shelf : '') === allowed);
  const from = fitting.length > 0 ? fitting : others;
  return from[random.integer(from.length)]!;
}

function goalOn(kind: number, at: number, order: Order, allowed: boolean, random: Random): Goal {
  let shelf = '';
  let detail = '';
  if (kind === EXCHANGE) {
    const others = Object.keys(SHELVES).filter((name) => name !== order.shelf);
    shelf = allowed || order.pending ? order.shelf : others[random.integer(others.length)]!;
    const items = SHELVES[shelf]!.filter((item) => item !== order.item);
    detail = items[random.integer(items.length)]!;
  } else if (kind === ADDRESS) {
    const street = STREETS[random.integer(STREETS.length)]!;
    detail = `${1 + random.integer(90)} ${street}, ${CITIES[random.integer(CITIES.length)]!}`;
  }
  return { kind, order: at, detail, shelf, permitted: permitted(kind, order, shelf) };
}
