import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../../src/gateway/api/control.ts';
import { ask, errorOf, eventually, metric, type Stage, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const setLevel = async (stage: Stage, level: string) => {
  const came = await stage.api('/api/breaker', { level, by: 'me', reason: 'a test' });
  expect(came.status).toBe(200);
};
const inSession = (stage: Stage, id: string, init: RequestInit = {}) =>
  stage.chat(ask('Hello.'), { ...init, headers: { 'x-session-id': id } });

describe('webhooks', () => {
  it('to a host that is not there, or never answers, hold nobody up', async () => {
    const silent = createServer();
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const stage = await stageOf(
      {},
      {
        settings: {
          webhooks: [
            { url: 'http://127.0.0.1:1/hook' },
            { url: 'http://nowhere.invalid/hook' },
            { url: `http://127.0.0.1:${port}/hook` },
          ],
        },
      },
    );
    for (const level of ['yellow', 'green', 'yellow']) {
      await setLevel(stage, level);
      expect((await stage.chat()).status).toBe(200);
    }
    // Nor does the end wait for them.
    await stage.gateway.stop('test');
    silent.close();
  });
});

describe('a new session at red', () => {
  const HOLD = { breaker: { holdSeconds: 0.2 } };
  it('is refused with 429 and a time after it was held, while those under way go on', async () => {
    const stage = await stageOf({ text: 'Yes.' }, { settings: HOLD });
    expect((await inSession(stage, 'before')).status).toBe(200);
    await setLevel(stage, 'red');
    const { status, error, retryAfter } = await errorOf(inSession(stage, 'new'));
    expect([status, error.code]).toEqual([429, 'training_held']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    const messages = [
      ...(ask('Hello.').messages as unknown[]),
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Go on.' },
    ];
    const on = await stage.chat({ model: 'population', messages }, { headers: { 'x-session-id': 'before' } });
    expect([on.status, on.headers.get('x-ca-turn')]).toEqual([200, '1']);
    expect((await stage.chat(ask('Hello.', { model: 'probe/population' }))).status).toBe(200);
    await setLevel(stage, 'green');
    expect((await inSession(stage, 'new')).status).toBe(200);
  });

  it('is of the epoch that is under way once it is let go', async () => {
    const live = { epochs: { by: 'trainer' } };
    const stage = await stageOf({}, { settings: { live, breaker: { holdSeconds: 60 } } });
    await setLevel(stage, 'red');
    const held = inSession(stage, 'held');
    await eventually(async () => (await metric(stage, 'collapse_aware_sessions_held')) === 1, 'it is held');
    await stage.api('/api/epochs', { epoch: 3, policy: { id: 'agent', checkpoint: 'new' } });
    await setLevel(stage, 'green');
    expect((await held).status).toBe(200);
    const { epoch, trajectory } = (await (await stage.api('/api/sessions/held')).json()) as SessionView;
    expect([epoch, trajectory.policy]).toEqual([3, { id: 'agent', checkpoint: 'new' }]);
  });

  it('is forgotten when its client leaves, and let go when the gateway stops', async () => {
    const stage = await stageOf({}, { settings: { breaker: { holdSeconds: 600 } } });
    await setLevel(stage, 'red');
    const client = new AbortController();
    const left = inSession(stage, 'left', { signal: client.signal }).catch(() => null);
    const kept = inSession(stage, 'kept');
    await eventually(
      async () => (await metric(stage, 'collapse_aware_sessions_held')) === 2,
      'both are held',
    );
    client.abort();
    await left;
    await eventually(async () => (await metric(stage, 'collapse_aware_sessions_held')) === 1, 'one is held');
    await stage.gateway.stop('test');
    expect((await errorOf(kept)).status).toBe(429);
    expect(stage.upstream.requests).toHaveLength(0);
  });
});

describe('a member that asks several times for a turn', () => {
  const settings = {
    population: {
      members: [
        {
          id: 'plain',
          family: 'alder',
          model: 'alder-4b',
          upstream: 'fake',
          recipe: { kind: 'verbalized', mode: 'standard', candidates: 5, draw: 'prob' },
        },
      ],
      seen: ['plain'],
    },
    probes: { share: 1, resamples: 2 },
  };

  it('stops asking when the client has gone, between its tries too', async () => {
    const stage = await stageOf({ text: 'No JSON at all.', latencyMs: 60 }, { settings });
    for (let round = 0; round < 6; round++) {
      const client = new AbortController();
      const asked = stage.upstream.requests.length;
      const left = stage.chat(ask(`Hello ${round}.`), { signal: client.signal }).catch(() => null);
      await stage.upstream.arrived(asked + 1 + (round % 2));
      client.abort();
      await left;
      await eventually(
        async () => (await metric(stage, 'collapse_aware_requests_running')) === 0,
        'nothing runs',
      );
      await eventually(() => stage.upstream.running() === 0, 'nobody is asked');
    }
    const before = stage.upstream.requests.length;
    expect((await stage.chat(ask('Stay.'))).headers.get('x-ca-fallback')).toMatch(/re-asked/);
    expect(stage.upstream.requests.length).toBeGreaterThan(before + 1);
  });

  it('whose probes fail has its turns all the same', async () => {
    const stage = await stageOf(
      (_, number) => (number === 0 ? {} : number % 2 === 0 ? { status: 500 } : { fault: 'reset' }),
      { settings: { probes: settings.probes } },
    );
    expect((await stage.chat()).status).toBe(200);
    await eventually(async () => {
      const { probes } = (await (await stage.api('/api/status')).json()) as {
        probes: { failedReplies: number };
      };
      return probes.failedReplies > 0;
    }, 'probes failed');
    expect((await fetch(`${stage.url}/readyz`)).status).toBe(200);
  });
});
