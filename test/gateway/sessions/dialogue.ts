import type { Arrival, Placement, Seat, Spoken } from '../../../src/gateway/sessions/session.ts';
import type { SessionTable } from '../../../src/gateway/sessions/session-table.ts';
import {
  type ChatRequest,
  readChatRequest,
  type WireMessage,
} from '../../../src/gateway/wire/chat-request.ts';
import type { Random } from '../../../src/math/random.ts';

export const GREETING = 'Hi! How can I help you today?';

export function request(messages: readonly WireMessage[], more: Record<string, unknown> = {}): ChatRequest {
  return readChatRequest(
    { model: 'population', seed: 300, messages, ...more },
    { messages: 1000, depth: 30 },
  );
}

export const system = (content: string): WireMessage => ({ role: 'system', content });
export const agent = (content: string): WireMessage => ({ role: 'user', content });
export const user = (content: string): WireMessage => ({ role: 'assistant', content });
export const said = (text: string): Spoken => ({ text, toolCalls: [] });

export function arrival(messages: readonly WireMessage[], more: Partial<Arrival> = {}): Arrival {
  return { request: request(messages), named: null, retry: 0, now: 0, ...more };
}

/** A reply as clients like tau2-bench send it back. */
export function sentBack({ text, toolCalls }: Spoken): WireMessage {
  const tool_calls = toolCalls.map(({ id, function: f }) => ({
    id,
    name: f.name,
    type: 'function' as const,
    function: { name: f.name, arguments: JSON.stringify(JSON.parse(f.arguments), null, 1) },
  }));
  return {
    role: 'assistant',
    content: text,
    tool_calls: toolCalls.length === 0 ? null : tool_calls,
  } as never;
}

/** What the recorder would keep of sessions: messages of a turn and the reply, by session and turn. */
export class Records {
  readonly sessions = new Map<string, Map<number, readonly WireMessage[]>>();

  write(placement: Placement, asked: ChatRequest, reply: Spoken): void {
    const turns = this.sessions.get(placement.id) ?? new Map<number, readonly WireMessage[]>();
    this.sessions.set(placement.id, turns);
    const fresh = placement.kind === 'known' ? placement.fresh : asked.messages;
    turns.set(placement.turn, [...fresh, sentBack(reply)]);
  }

  history(id: string): readonly WireMessage[] {
    const turns = [...(this.sessions.get(id) ?? [])].sort(([a], [b]) => a - b);
    return turns.flatMap(([, messages]) => messages);
  }

  histories(): string[] {
    return [...this.sessions.keys()].map((id) => JSON.stringify(this.history(id)));
  }
}

/** One dialogue as its client sees it. */
export interface Dialogue {
  readonly name: string;
  history: readonly WireMessage[];
  replies: number;
  readonly turns: number;
  /** What it asked last and has no reply to; null = it is its turn. */
  asking: ChatRequest | null;
  /** Attempts at that so far that came to nothing. */
  tries: number;
  /** Present attempt, if the client still waits for one. */
  attempt: { readonly placement: Placement; readonly asked: ChatRequest } | null;
}

export interface Trouble {
  /** Chances, of each attempt. */
  readonly failed: number;
  readonly hungUp: number;
  /** The client timed out, and the gateway has not noticed. */
  readonly timedOut: number;
  readonly lost: number;
  /** Of a reply that is drawn anew; elsewhere equal histories get equal replies. */
  readonly drawn: number;
}

export interface World {
  readonly table: SessionTable;
  readonly records: Records;
  readonly random: Random;
  readonly trouble: Trouble;
  /** Clients say which try it is. */
  readonly sayTries: boolean;
  readonly replyTo: (asked: ChatRequest, random: Random) => Spoken;
  readonly say: (dialogue: Dialogue, random: Random) => readonly WireMessage[];
  now: number;
  /** Every history that was asked. */
  readonly asked: Set<string>;
}

/**
 * Plays dialogues in a random order to their end. Every step is one event: somebody asks, an attempt ends, or an attempt
 * that nobody waits for ends.
 */
export function play(world: World, dialogues: readonly Dialogue[]): void {
  const { table, records, random, trouble } = world;
  /** Attempts under way, with who waits for them. */
  const flying = new Map<number, { placement: Placement; asked: ChatRequest; who: Dialogue | null }>();
  for (;;) {
    world.now += random.integer(40);
    const free = dialogues.filter(
      (one) => one.attempt === null && (one.replies < one.turns || one.asking !== null),
    );
    const ends = [...flying.keys()];
    if (free.length + ends.length === 0) return;
    const pick = random.integer(free.length + ends.length);
    if (pick < free.length) {
      const one = free[pick]!;
      if (one.asking === null) {
        one.asking = request([...one.history, ...world.say(one, random)]);
        one.tries = 0;
      }
      const placement = table.place({
        request: one.asking,
        named: null,
        retry: world.sayTries ? one.tries : 0,
        now: world.now,
      });
      if (placement.kind === 'known' && placement.supersedes) {
        for (const [attempt, { placement: old, who }] of flying) {
          if (old.id !== placement.id) continue;
          flying.delete(attempt);
          if (table.failed(old, world.now)) throw new Error('a superseded attempt ended its session');
          // Its client is told 409, and tries again.
          if (who !== null) miss(who);
        }
      }
      world.asked.add(JSON.stringify(one.asking.messages));
      one.attempt = { placement, asked: one.asking };
      flying.set(placement.attempt, { placement, asked: one.asking, who: one });
      continue;
    }
    const key = ends[pick - free.length]!;
    const { placement, asked, who } = flying.get(key)!;
    flying.delete(key);
    const fate = random.next();
    if (who !== null && fate < trouble.failed) {
      table.failed(placement, world.now);
      miss(who);
    } else if (who === null || fate < trouble.failed + trouble.hungUp) {
      table.undelivered(placement, world.now);
      if (who !== null) miss(who);
    } else if (fate < trouble.failed + trouble.hungUp + trouble.timedOut) {
      flying.set(key, { placement, asked, who: null });
      miss(who);
    } else {
      const reply = world.replyTo(asked, random);
      if (!table.delivered(placement, reply, world.now)) throw new Error('a present attempt was refused');
      records.write(placement, asked, reply);
      if (fate > 1 - trouble.lost) miss(who);
      else {
        who.history = [...asked.messages, sentBack(reply)];
        who.replies += 1;
        who.asking = null;
        who.attempt = null;
      }
    }
  }
}

function miss(who: Dialogue): void {
  who.attempt = null;
  who.tries += 1;
}

export function dialogue(name: string, prompt: string, turns: number): Dialogue {
  return { name, history: [system(prompt)], replies: 0, turns, asking: null, tries: 0, attempt: null };
}

export type { Seat };
