import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PopulationView } from '../../../src/gateway/api/control.ts';
import type { GatewayGate, Look } from '../../../src/gateway/live/live.ts';
import type { LevelNotice } from '../../../src/gateway/live/notifier.ts';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { type Stand, stand, until } from './stand.ts';
import { playStyled, roundOf, STYLES, styledMember, styledUpstream, turnOf } from './styles.ts';

const [TASKS, TRIALS] = [12, 4];
const EVERY = TASKS * TRIALS;
const SEEN = ['terse', 'long', 'asking', 'refusing', 'polite'] as const;
const WIDE = {
  members: [
    ...SEEN.map((style) => styledMember(style, { antiCollapse: style === 'polite' })),
    styledMember('numbers'),
  ],
  seen: [...SEEN],
  selection: ['numbers'],
  draw: 'weighted',
};
const NARROW = {
  members: [styledMember('terse'), styledMember('numbers')],
  seen: ['terse'],
  selection: ['numbers'],
};

let upstream: FakeUpstream;
let gateway: Stand;
let hook: ReturnType<typeof createServer>;
const notices: LevelNotice[] = [];

beforeAll(async () => {
  upstream = await fakeUpstream(styledUpstream);
  hook = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    notices.push(JSON.parse(Buffer.concat(chunks).toString()) as LevelNotice);
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  gateway = await stand({
    settings: {
      seed: 'breaker',
      upstreams: { fake: { baseUrl: upstream.url, concurrency: 64 } },
      population: WIDE,
      live: { warmUp: 4 * EVERY, epochs: { by: 'sessions', every: EVERY }, rewardRange: [0, 1] },
      breaker: { bars: { yellow: 0.4, red: 0.85 }, holdSeconds: 0.2, psodEvery: 3 },
      webhooks: [{ url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook` }],
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

let rounds = 0;
/** One epoch of training sessions, or another round. Resolves once it was looked at. */
async function round(model?: string): Promise<void> {
  const before = (await looks()).length;
  await playStyled(gateway, roundOf(`r${rounds++}`, TASKS, TRIALS, model));
  if (model !== 'panel/selection')
    await until(async () => (await looks()).length > before || rounds < 4, 'a look');
}
const looks = async (): Promise<readonly Look[]> => (await gateway.api('GET', '/api/looks')).body.looks;
const population = async (): Promise<PopulationView> => (await gateway.api('GET', '/api/population')).body;
const shareOf = ({ members }: PopulationView, id: string) => members.find((one) => one.id === id)!.share;
const prometheus = async (name: string): Promise<number> => {
  const { body } = await gateway.raw('GET', '/metrics', undefined, null);
  return Number(new RegExp(`^collapse_aware_${name} (\\S+)$`, 'm').exec(String(body))![1]);
};
const opening = (id: string, model?: string) =>
  turnOf(gateway, { id, task: 0, ...(model === undefined ? {} : { model }) }, []);

/** The gate as a trainer follows it: by long polls, until it says so. */
async function followed(wanted: (gate: GatewayGate) => boolean): Promise<GatewayGate> {
  let gate = await gateway.gate();
  while (!wanted(gate))
    gate = (await gateway.api('GET', `/api/gate?after=${gate.revision}&wait=60`)).body as GatewayGate;
  return gate;
}

describe('a gateway whose population collapses and is widened again', () => {
  it('is green while users differ, and says when panel sessions are due', async () => {
    for (let epoch = 0; epoch < 4; epoch++) await round();
    await until(async () => (await looks()).length === 4, 'the looks of the warm-up');
    expect((await looks()).map(({ level }) => level)).toEqual(Array(4).fill('green'));
    const gate = await gateway.gate();
    expect(gate).toMatchObject({ level: 'green', training: 'go', epoch: 4 });
    expect(gate.psod).toMatchObject({ due: true, lastEpoch: null, every: 3 });
    expect(await prometheus('breaker_level')).toBe(0);
    await playStyled(gateway, roundOf('panel', TASKS, 2, 'panel/selection'), () => 0.25);
    await until(async () => (await gateway.gate()).psod.lastEpoch === 4, 'the panel');
    expect((await gateway.gate()).psod).toMatchObject({ due: false, lastEpoch: 4, every: 3 });
  });

  it('gives PSOD from panel sessions and their rewards, and is yellow soon after it narrows', async () => {
    const followedTo = followed(({ level }) => level !== 'green');
    const weights = { asking: 0, refusing: 0, polite: 0.3 };
    const { body } = await gateway.api('PATCH', '/api/population/weights', { weights, by: 'test' });
    const before = body as PopulationView;
    await round();
    const narrowed = (await looks()).at(-1)!;
    // Seen users paid 1, held-out ones 0.25.
    expect(narrowed.psod.value).toBeCloseTo(0.75, 12);
    for (let epochs = 1; epochs < 4 && (await gateway.gate()).level === 'green'; epochs++) await round();
    expect((await gateway.gate()).level).toBe('yellow');
    expect(await followedTo).toMatchObject({ level: 'yellow', training: 'go' });
    expect((await looks()).at(-1)!.scd2.value).toBeGreaterThan(0.4);
    const after = await population();
    const share = shareOf(before, 'polite');
    expect(share).toBeCloseTo(0.3 / 2.3, 12);
    expect(shareOf(after, 'polite')).toBeCloseTo((1 + share) / 2, 12);
    expect(shareOf(after, 'terse')).toBeCloseTo(shareOf(before, 'terse') / 2, 12);
    expect(await prometheus('breaker_level')).toBe(1);
  });

  it('is red once all are one, and holds new training sessions alone', async () => {
    const [running] = [await opening('running')];
    expect(running!.status).toBe(200);
    await gateway.api('PUT', '/api/population', { population: NARROW, by: 'test' });
    for (let epochs = 0; epochs < 3 && (await gateway.gate()).level !== 'red'; epochs++) await round();
    const gate = await gateway.gate();
    expect(gate).toMatchObject({ level: 'red', training: 'hold' });
    expect(await prometheus('breaker_level')).toBe(3);

    const refused = await opening('held');
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({
      code: 'training_held',
      type: expect.any(String),
      param: null,
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await gateway.raw('GET', '/api/sessions/held')).status).toBe(404);
    expect((await opening('panel-at-red', 'panel/selection')).status).toBe(200);
    expect((await opening('probe-at-red', 'probe/population')).status).toBe(200);
    const said = running!.body.choices[0].message.content;
    const gone = await turnOf(gateway, { id: 'running', task: 0 }, [said]);
    expect(gone.status).toBe(200);
    expect(gone.headers['x-ca-simulator']).toBe(running!.headers['x-ca-simulator']);
    expect(await prometheus('sessions_refused_total{reason="training held"}'.replace(/[{}]/g, '\\$&'))).toBe(
      1,
    );
  });

  it('keeps level, epochs and looks over a restart', async () => {
    const before = await gateway.gate();
    const seen = await looks();
    await gateway.restart();
    const after = await gateway.gate();
    expect(after).toMatchObject({ level: 'red', training: 'hold', epoch: before.epoch, psod: before.psod });
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(await looks()).toEqual(seen);
    expect((await opening('held')).status).toBe(429);
    expect((await population()).members.map(({ id }) => id)).toEqual(['terse', 'numbers']);
  });

  it('obeys an operator, until released or lapsed', async () => {
    const entry = { level: 'green', by: 'anna', reason: 'to see' };
    const opened = await gateway.api('POST', '/api/breaker', entry);
    expect(opened.body).toMatchObject({ level: 'green', rules: 'red', override: { by: 'anna' } });
    expect((await opening('let-in')).status).toBe(200);
    await gateway.api('POST', '/api/breaker', { release: true, by: 'anna' });
    expect((await opening('held')).status).toBe(429);
    await gateway.api('POST', '/api/breaker', { ...entry, seconds: 1 });
    expect((await gateway.gate()).level).toBe('green');
    expect(await followed(({ level }) => level === 'red')).toMatchObject({ override: null });
  });

  it('comes back over half-open by probes of a wider population, and lets those go that wait', async () => {
    await gateway.api('PUT', '/api/population', { population: WIDE, by: 'test' });
    for (let probes = 0; probes < 4 && (await gateway.gate()).level === 'red'; probes++)
      await round('probe/population');
    expect((await gateway.gate()).level).toBe('half-open');
    expect((await looks()).at(-1)).toMatchObject({ probe: true, level: 'half-open' });
    for (let probes = 0; probes < 4 && (await gateway.gate()).level !== 'green'; probes++)
      await round('probe/population');
    expect((await gateway.gate()).level).toBe('green');
    expect((await opening('let-in-at-green')).status).toBe(200);
    expect(shareOf(await population(), 'polite')).toBeCloseTo(1 / 5, 12);
  });

  it('told the webhook of every change, in order', async () => {
    const changes = [
      'green yellow',
      'yellow red',
      'red green',
      'green red',
      'red green',
      'green red',
      'red half-open',
      'half-open green',
    ];
    await until(
      () => notices.at(-1)?.level === 'green' && notices.at(-1)!.before === 'half-open',
      'the notices',
    );
    expect(notices.map(({ before, level }) => `${before} ${level}`)).toEqual(changes);
    expect(STYLES).toHaveLength(6);
  });
});
