import { afterEach, describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../../src/math/random.ts';
import type { FakeAnswer } from '../fake-upstream.ts';
import { eventually, metric, payloads, type Stage, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const TURNS = 5;
const ASKED = { model: 'population' };
const FAULTS: readonly FakeAnswer[] = [
  { fault: 'reset' },
  { fault: 'reset-mid' },
  { fault: 'reset-body' },
  { fault: 'half' },
  { fault: 'garbage' },
  { fault: 'empty' },
  { fault: 'error-event' },
  { fault: 'stall' },
  { fault: 'hang' },
  { status: 500 },
  { status: 429 },
];

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}
const scenarioOf = ({ messages }: Body) => messages[0]!.content;
/** To be called once a dialogue's request has come to the upstream. */
const reached = new Map<string, () => void>();

/** Replies that no client should see here. */
const odd: string[] = [];

/** What a client that may lose patience has in hand: the whole reply, or nothing. */
async function attempt(
  stage: Stage,
  body: Body,
  headers: Record<string, string>,
  stream: boolean,
  patience: number | null,
): Promise<{ readonly text: string; readonly session: string; readonly turn: string } | null> {
  const client = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  // Counted from where the gateway has it: what is read only after its client went on is another matter.
  if (patience !== null)
    reached.set(scenarioOf(body), () => {
      timer ??= setTimeout(() => client.abort(), patience);
    });
  try {
    const came = await stage.chat({ ...body, stream }, { headers, signal: client.signal });
    const all = await came.text();
    if (came.status !== 200) {
      // 409: the request before it came later than its retry. Clients try again.
      if (![409, 429, 502, 503, 504].includes(came.status)) odd.push(all);
      return null;
    }
    const facts = { session: came.headers.get('x-session-id')!, turn: came.headers.get('x-ca-turn')! };
    if (!stream) return { ...facts, text: JSON.parse(all).choices[0].message.content };
    const events = payloads(all);
    if (events.at(-1) !== '[DONE]') return null;
    const deltas = events.slice(0, -1).map((event) => JSON.parse(event).choices[0]?.delta?.content ?? '');
    return { ...facts, text: deltas.join('') };
  } catch {
    return null;
  } finally {
    reached.delete(scenarioOf(body));
    if (timer !== null) clearTimeout(timer);
  }
}

async function dialogue(stage: Stage, at: number, random: Random) {
  const named: Record<string, string> = at % 2 === 0 ? { 'x-session-id': `named-${at}` } : {};
  const messages: Body['messages'][number][] = [
    { role: 'system', content: `You are customer ${at}.` },
    { role: 'user', content: 'Hello.' },
  ];
  const told: string[] = [];
  let session: string | null = null;
  while (told.length < TURNS)
    for (let retry = 0; ; retry++) {
      const headers = { ...named, ...(retry === 0 ? {} : { 'x-stainless-retry-count': String(retry) }) };
      const patience = random.next() < 0.3 ? random.integer(40) : null;
      const got = await attempt(stage, { ...ASKED, messages }, headers, random.next() < 0.5, patience);
      expect(odd).toEqual([]);
      if (got === null) continue;
      expect([session ?? got.session, got.turn]).toEqual([got.session, String(told.length)]);
      session = got.session;
      told.push(got.text);
      messages.push(
        { role: 'assistant', content: got.text },
        { role: 'user', content: `And ${told.length}?` },
      );
      break;
    }
  return { session: session!, told };
}

describe('dialogues of impatient clients with a failing upstream', () => {
  it('each keep to their session, and what clients have in hand is what is on record', async () => {
    const random = seeded('chaos');
    const stage = await stageOf(
      ({ body }, number) => {
        reached.get(scenarioOf(body as unknown as Body))?.();
        const own = random.fork(`answer ${number}`);
        const fault = own.next() < 0.3 ? FAULTS[own.integer(FAULTS.length)]! : {};
        return {
          text: `Reply ${number} in a few words.`,
          latencyMs: own.integer(15),
          chunkMs: own.integer(4),
          ...fault,
        };
      },
      {
        upstream: { firstByteSeconds: 0.2, idleSeconds: 0.2, tripAfter: 1000, concurrency: 200 },
        settings: { recorder: { keepSessions: 1000 } },
      },
    );
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => dialogue(stage, at, random.fork(`client ${at}`))),
    );
    expect(new Set(all.map(({ session }) => session)).size).toBe(40);
    for (const { session, told } of all) {
      const turns = await stage.turns(session);
      expect(turns.filter((_, at) => at % 2 === 1)).toEqual(told);
    }
    await eventually(
      async () => (await metric(stage, 'collapse_aware_requests_running')) === 0,
      'nothing runs',
    );
    await eventually(() => stage.upstream.running() === 0, 'nobody is asked');
    const { sessions } = (await (await stage.api('/api/sessions?limit=500')).json()) as {
      sessions: { turns: number }[];
    };
    expect(sessions.filter(({ turns }) => turns > 0)).toHaveLength(40);
    expect(
      stage.log.filter((line) => line.includes('"level":"error"') && !line.includes('request failed')),
    ).toEqual([]);
  });
});
