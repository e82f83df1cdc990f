import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedSession } from '../../../src/gateway/api/control.ts';
import { type HttpReply, type Stand, stand, until } from './stand.ts';

const SETTINGS = {
  seed: 'announced',
  live: { epochs: { by: 'trainer', every: 1 }, warmUp: 100 },
  sessions: { retrySeconds: 0.1 },
};
const held = (holdSeconds: number) => ({ ...SETTINGS, breaker: { holdSeconds } });

let gateway: Stand;
beforeAll(async () => {
  gateway = await stand({ settings: held(0) });
});
afterAll(() => gateway.close());

const red = () => gateway.api('POST', '/api/breaker', { level: 'red', by: 'anna', reason: 'test' });
const release = () => gateway.api('POST', '/api/breaker', { release: true, by: 'anna' });
const opened = async (entry: Readonly<Record<string, unknown>>): Promise<OpenedSession> =>
  (await gateway.api('POST', '/api/sessions', entry)).body;
/** With the session's own key, as an agent's client has it. */
const speak = (
  { key }: OpenedSession,
  said: readonly string[] = [],
  signal?: AbortSignal,
  // biome-ignore lint/suspicious/noExplicitAny: bodies of replies are looked into
): Promise<HttpReply<any>> =>
  gateway.chat(
    {
      model: 'population',
      messages: [
        { role: 'user', content: 'Hello! Would you like to donate?' },
        ...said.flatMap((content) => [
          { role: 'assistant', content },
          { role: 'user', content: 'Are you sure?' },
        ]),
      ],
    },
    { key, ...(signal === undefined ? {} : { signal }) },
  );
const wordsOf = ({ body }: HttpReply<{ choices: { message: { content: string } }[] }>) =>
  body.choices[0]!.message.content;
const waiting = async (count: number) => {
  const held = async () => (await gateway.api('GET', '/api/status')).body.requests.held === count;
  await until(held, `${count} held`);
};

describe('sessions that are opened beforehand, at red', () => {
  it('are opened, and refused their first turn until red is over, with the same member and epoch', async () => {
    await gateway.api('POST', '/api/epochs', { epoch: 3 });
    await red();
    const session = await opened({ id: 'refused', group: 'g' });
    for (let tries = 0; tries < 2; tries++) {
      const refused = await speak(session);
      expect([refused.status, refused.body.error.code]).toEqual([429, 'training_held']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    // Longer than beginnings wait that nobody comes back for: its client was told to come later.
    await new Promise((done) => setTimeout(done, 1300));
    expect((await gateway.api('GET', '/api/sessions?state=open')).body.sessions[0].id).toBe('refused');
    await gateway.api('POST', '/api/epochs', { epoch: 4 });
    await release();
    const reply = await speak(session);
    expect(reply.status).toBe(200);
    expect(reply.headers['x-ca-simulator']).toBe(session.member);
    const { body } = await gateway.api('GET', '/api/sessions/refused');
    expect(body).toMatchObject({ group: 'g', epoch: 3, turns: 1, state: 'open' });
  });

  it('go on where they have begun, and pass as panels and nested re-simulations', async () => {
    const session = await opened({ id: 'begun' });
    const first = await speak(session);
    expect(first.status).toBe(200);
    await red();
    expect((await speak(session, [wordsOf(first)])).status).toBe(200);
    const nested = await opened({ id: 'nested', nested: { agentSeed: 'a', userSeed: 'b' } });
    expect((await speak(nested)).status).toBe(200);
    await release();
  });

  it('are not begun by a restart', async () => {
    await red();
    await opened({ id: 'over-a-restart' });
    await gateway.restart();
    const named = { headers: { 'x-session-id': 'over-a-restart' } };
    const hello = { model: 'population', messages: [{ role: 'user', content: 'Hello!' }] };
    expect((await gateway.chat(hello, named)).body.error.code).toBe('training_held');
    await release();
    const replies = await Promise.all([gateway.chat(hello, named), gateway.chat(hello, named)]);
    expect(replies.map(({ status }) => status).sort()).toContain(200);
    expect((await gateway.api('GET', '/api/sessions?text=over-a-restart')).body.total).toBe(1);
  });
});

describe('sessions that are opened beforehand and wait at red', () => {
  beforeAll(() => gateway.restart(held(600)));

  it('are let go by the release', async () => {
    await red();
    const session = await opened({ id: 'waits' });
    const reply = speak(session);
    await waiting(1);
    await release();
    expect((await reply).status).toBe(200);
    expect((await reply).headers['x-ca-simulator']).toBe(session.member);
  });

  it('are there for another try where the client went away, and gone where the trainer ended them', async () => {
    await red();
    const left = await opened({ id: 'left' });
    const leaving = new AbortController();
    const first = speak(left, [], leaving.signal).catch(() => null);
    await waiting(1);
    leaving.abort();
    await first;
    await waiting(0);
    const again = speak(left);
    const ended = speak(await opened({ id: 'ended' }));
    await waiting(2);
    await gateway.api('POST', '/api/sessions/ended/end', {});
    await release();
    expect((await again).status).toBe(200);
    expect((await ended).body.error.code).toBe('session_ended');
  });
});
