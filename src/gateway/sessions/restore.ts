import type { JournalRecord, SessionFacts } from '../recorder/records.ts';
import type { WireMessage } from '../wire/chat-request.ts';
import { baseOf, callsAfter, sameAs } from './history.ts';
import { incarnation } from './names.ts';
import type { Spoken } from './session.ts';
import { advance, type Tracked, tracked } from './tracked.ts';

interface Exchange {
  readonly asked: string;
  readonly reply: Spoken;
}

interface Told {
  readonly facts: SessionFacts;
  /** Of the first exchange. */
  messages: readonly WireMessage[];
  /** By turn, in the order in which they were said: a turn may have been asked again. */
  readonly turns: Map<number, Exchange[]>;
  unmet: { readonly asked: string; readonly turn: number } | null;
  closed: boolean;
}

/** Where the sessions of a journal stand, in the order in which they were opened. */
export function restored(records: Iterable<JournalRecord>, now: number): Tracked[] {
  const told = new Map<string, Told>();
  for (const record of records) {
    if (record.session === null) continue;
    if (record.kind === 'open') {
      const { facts } = record;
      told.set(record.session, { facts, messages: [], turns: new Map(), unmet: null, closed: false });
      continue;
    }
    const one = told.get(record.session);
    if (one !== undefined) add(one, record);
  }
  return [...told.values()].map((one) => trackedOf(one, now));
}

function add(one: Told, record: JournalRecord): void {
  if (record.kind === 'close') one.closed = true;
  else if (record.kind === 'exchange') {
    const { turn, asked, said, messages } = record;
    if (one.turns.size === 0) one.messages = messages;
    const reply = { text: said.text, toolCalls: said.toolCalls };
    one.turns.set(turn, [...(one.turns.get(turn) ?? []), { asked, reply }]);
    one.unmet = null;
    one.closed = false;
  } else if (record.kind === 'undelivered') {
    const said = one.turns.get(record.turn);
    const last = said?.pop();
    if (last !== undefined) one.unmet = { asked: last.asked, turn: record.turn };
    if (said?.length === 0) one.turns.delete(record.turn);
  }
}

function trackedOf({ facts, messages, turns, unmet, closed }: Told, now: number): Tracked {
  const { id, bound, model } = facts;
  const { name } = incarnation(id);
  // Whether a name in the body was a weak one is not on record: content tells such sessions apart again.
  const strong = bound === 'path' || bound === 'header' || bound === 'key';
  const base = baseOf(model, bound === 'body' ? name : null, messages);
  const numbers = [...turns.keys()].sort((a, b) => a - b);
  const one = tracked(id, bound, strong ? name : null, base, numbers[0] ?? unmet?.turn ?? 0);
  let calls = messages.reduce((ids, message) => callsAfter(ids, message.tool_calls), '');
  for (const turn of numbers) {
    for (const { asked, reply } of turns.get(turn)!)
      advance(one, { turn, asked, calls, retry: 0 }, reply, now);
    calls = one.calls;
  }
  // A first turn that nobody got has no exchange left, and no calls before it, unless it was adopted.
  one.unmet = unmet === null ? null : { same: sameAs(unmet.asked, calls), turn: unmet.turn, at: now };
  one.closed = closed;
  return one;
}
