import { afterEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { ask, errorOf, eventually, metric, type Stage, stageOf, tidyStages, UPSTREAM_KEY } from './stage.ts';

const others: FakeUpstream[] = [];
afterEach(async () => {
  await tidyStages();
  for (const one of others.splice(0)) await one.close();
});

const RULE = { tripAfter: 3, restSeconds: 0.5, connectSeconds: 1, retries: 0 };

/** Two members with an upstream each: `plain` asks the stage's own, `other` one that is well. */
async function pair(more: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const well = await fakeUpstream({ text: 'Well.' }, { key: UPSTREAM_KEY });
  others.push(well);
  const ill = await fakeUpstream({ text: 'Fine so far.' }, { key: UPSTREAM_KEY });
  const upstream = (url: string) => ({ baseUrl: url, apiKeyEnv: 'CA_UPSTREAM', ...RULE });
  return stageOf(
    {},
    {
      before: ill,
      settings: {
        upstreams: { fake: upstream(ill.url), second: upstream(well.url) },
        population: {
          members: [
            { id: 'plain', family: 'alder', model: 'alder-4b', upstream: 'fake' },
            { id: 'other', family: 'birch', model: 'birch-8b', upstream: 'second' },
          ],
          seen: ['plain', 'other'],
          draw: 'uniform',
        },
        ...more,
      },
    },
  );
}

const inSession = (stage: Stage, id: string, model = 'population') =>
  stage.chat(ask('Hello.', { model }), { headers: { 'x-session-id': id } });
const stateOf = async (stage: Stage, id: string) => {
  const view = (await (await stage.api('/api/population')).json()) as {
    members: { id: string; state: string; share: number }[];
  };
  return view.members.find((one) => one.id === id)!;
};

describe('a member whose upstream is down', () => {
  it('rests, while others take the new sessions, and is back once it answers again', async () => {
    const stage = await pair();
    expect((await inSession(stage, 'sticky', 'population/plain')).status).toBe(200);
    stage.upstream.answer({ status: 500 });
    for (let at = 0; at < RULE.tripAfter; at++)
      expect((await errorOf(inSession(stage, `bad-${at}`, 'population/plain'))).status).toBe(502);
    expect(await stateOf(stage, 'plain')).toMatchObject({ state: 'resting', share: 0 });
    expect((await stateOf(stage, 'other')).share).toBe(1);
    const asked = stage.upstream.requests.length;
    // Its own sessions are told when to come again; nobody else takes them over.
    const { status, error, retryAfter } = await errorOf(
      stage.chat(
        ask('Hello.', {
          model: 'population/plain',
          messages: [
            { role: 'system', content: 'You are a customer.' },
            { role: 'user', content: 'Hello.' },
            { role: 'assistant', content: 'Fine so far.' },
            { role: 'user', content: 'And now?' },
          ],
        }),
        { headers: { 'x-session-id': 'sticky' } },
      ),
    );
    expect([status, error.code]).toEqual([503, 'simulator_resting']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(stage.upstream.requests).toHaveLength(asked);
    const drawn = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const came = await inSession(stage, `new-${at}`);
        return came.headers.get('x-ca-simulator');
      }),
    );
    if ((await stateOf(stage, 'plain')).state === 'resting')
      expect(new Set(drawn)).toEqual(new Set(['other']));
    stage.upstream.answer({ text: 'Here again.' });
    await eventually(
      async () => (await inSession(stage, 'sticky', 'population/plain')).status === 200,
      'its own session goes on',
    );
    expect(await stateOf(stage, 'plain')).toMatchObject({ state: 'up' });
    expect(stage.log.join('')).toMatch(/member rests[\s\S]*member is back/);
  });

  it('is tried by one request at a time, and rests on when that fails', async () => {
    const stage = await pair();
    stage.upstream.answer({ status: 500 });
    for (let at = 0; at < RULE.tripAfter; at++) await inSession(stage, `bad-${at}`, 'population/plain');
    await eventually(async () => (await stateOf(stage, 'plain')).state === 'probing', 'the rest is over');
    const before = stage.upstream.requests.length;
    stage.upstream.answer({ status: 500, latencyMs: 50 });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const { status } = await errorOf(inSession(stage, `trial-${at}`, 'population/plain'));
        return status;
      }),
    );
    expect(stage.upstream.requests.length - before).toBe(1);
    expect(statuses.filter((status) => status === 502)).toHaveLength(1);
    expect(statuses.filter((status) => status === 503)).toHaveLength(7);
  });
});

describe('probes', () => {
  interface Probes {
    readonly asked: number;
    readonly done: number;
    readonly failedReplies: number;
    readonly dropped: Readonly<Record<string, number>>;
  }
  const probesOf = async (stage: Stage) =>
    ((await (await stage.api('/api/status')).json()) as { probes: Probes }).probes;

  it('pass over a member that rests, and are of those in service', async () => {
    const stage = await pair({ probes: { share: 1, resamples: 8 } });
    stage.upstream.answer({ status: 500 });
    for (let at = 0; at < RULE.tripAfter; at++) await inSession(stage, `bad-${at}`, 'population/plain');
    const asked = stage.upstream.requests.length;
    for (let at = 0; at < 5; at++) await inSession(stage, `s-${at}`);
    await eventually(async () => {
      const { asked: all, done } = await probesOf(stage);
      return all > 0 && done === all;
    }, 'probes are done');
    expect(await probesOf(stage)).toMatchObject({ failedReplies: 0, dropped: {} });
    // Turns of clients that try it again, and nobody else's.
    const tries = stage.upstream.requests.length - asked;
    expect(tries).toBeLessThanOrEqual(5);
    const lines = await (await stage.api('/api/trajectories?of=all')).text();
    const resamples = lines
      .split('\n')
      .filter((line) => line !== '')
      .flatMap(
        (line) => (JSON.parse(line) as { turns: { resamples?: { member: string; law: string }[] }[] }).turns,
      )
      .flatMap((turn) => (turn.resamples === undefined ? [] : [turn.resamples]));
    expect(resamples.length).toBeGreaterThan(0);
    for (const one of resamples)
      expect(one.filter(({ law, member }) => law === 'population' && member === 'other')).toHaveLength(8);
  });

  it('that fail lay no member to rest', async () => {
    const stage = await pair({ probes: { share: 1, resamples: 8 } });
    const first = stage.upstream.requests.length;
    stage.upstream.answer((_, number) => (number === first ? { text: 'Hello.' } : { status: 500 }));
    expect((await inSession(stage, 's', 'population/plain')).status).toBe(200);
    await eventually(async () => (await probesOf(stage)).failedReplies === 8, 'all probes failed');
    expect(await probesOf(stage)).toMatchObject({ dropped: { failed: 1 } });
    expect(await stateOf(stage, 'plain')).toMatchObject({ state: 'up' });
  });
});

describe('an upstream that says it has too much to do', () => {
  it('is passed on as 429 with its Retry-After, and lays no member to rest', async () => {
    const stage = await pair();
    stage.upstream.answer({ status: 429, retryAfter: '3' });
    for (let at = 0; at < 4 * RULE.tripAfter; at++) {
      const { status, error, retryAfter } = await errorOf(inSession(stage, `s-${at}`, 'population/plain'));
      expect([status, error.type, retryAfter]).toEqual([429, 'rate_limit_error', '3']);
    }
    expect(await stateOf(stage, 'plain')).toMatchObject({ state: 'up', share: 0.5 });
    expect(await metric(stage, 'collapse_aware_turn_failures_total{member="plain"}')).toBe(12);
    stage.upstream.answer({ text: 'Now.' });
    expect((await inSession(stage, 's-0', 'population/plain')).status).toBe(200);
  });

  it('names a time also where the upstream names none', async () => {
    const stage = await pair();
    stage.upstream.answer({ status: 429 });
    const { retryAfter } = await errorOf(inSession(stage, 's', 'population/plain'));
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  });
});

describe('an upstream that nobody listens at', () => {
  it('is a typed error to its clients, and the gateway serves on', async () => {
    const stage = await pair();
    await stage.upstream.close();
    const { status, error } = await errorOf(inSession(stage, 's', 'population/plain'));
    expect([status, error.code]).toEqual([503, 'upstream_unreached']);
    expect((await inSession(stage, 't', 'population/other')).status).toBe(200);
    expect((await fetch(`${stage.url}/readyz`)).status).toBe(200);
  });
});
