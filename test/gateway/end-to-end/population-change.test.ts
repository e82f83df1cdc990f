import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { type Stand, stand } from './stand.ts';

const pool = (size: number) => ({
  id: 'pool',
  family: 'p',
  model: 'step-0',
  upstream: 'one',
  recipe: { kind: 'pool', size },
});
const scripted = { id: 'alder', family: 'alder', recipe: { kind: 'scripted', family: 'alder' } };
const direct = (upstream?: string) => ({
  id: 'model',
  family: 'm',
  model: 'm',
  ...(upstream === undefined ? {} : { upstream }),
});
const of = (...members: { id: string }[]) => ({
  members,
  seen: members.map(({ id }) => id),
  draw: 'weighted',
});

let one: FakeUpstream;
let two: FakeUpstream;
let gateway: Stand;
const settings = (recorder: Readonly<Record<string, unknown>> = {}) => ({
  seed: 'changes',
  upstreams: { one: { baseUrl: one.url }, two: { baseUrl: two.url } },
  population: of(direct('one'), pool(3), scripted),
  recorder,
});
beforeAll(async () => {
  one = await fakeUpstream(({ body }) => ({ text: `one ${body.model}` }));
  two = await fakeUpstream(({ body }) => ({ text: `two ${body.model}` }));
});
afterAll(async () => {
  await one.close();
  await two.close();
});

const view = async () => (await gateway.api('GET', '/api/population')).body;
const put = (population: unknown) => gateway.raw('PUT', '/api/population', { population, by: 'test' });
const push = (checkpoint: string) => gateway.raw('POST', '/api/population/pool/checkpoints', { checkpoint });
let asked = 0;
/** What the member says in a new session. */
const said = async (member: string) => {
  const { body } = await gateway.chat(
    { model: `population/${member}`, messages: [{ role: 'user', content: 'Hello!' }] },
    { headers: { 'x-session-id': `s-${asked++}` } },
  );
  return body.choices[0].message.content as string;
};

describe('a change of the population', () => {
  beforeAll(async () => {
    gateway = await stand({ settings: settings() });
  });
  afterAll(() => gateway.close());

  it('that is refused changes nothing, be it of whom it holds or of what lies behind them', async () => {
    const before = await view();
    const refused = await put({
      ...of(direct('two'), pool(1), { ...direct(), id: 'mute' }),
      world: 'service',
    });
    expect(refused.status).toBe(400);
    expect(await view()).toEqual(before);
    // The next change is made of what stands: the upstream is not the refused one's.
    await gateway.api('PATCH', '/api/population/weights', { weights: { model: 2 }, by: 'test' });
    expect(await said('model')).toBe('one m');
    expect((await push('step-1')).body.checkpoints).toEqual(['step-0', 'step-1']);
  });

  it('keeps the newest checkpoints of a pool that it makes smaller, over a restart too', async () => {
    await push('step-2');
    expect((await put(of(direct('one'), pool(2), scripted))).status).toBe(200);
    await gateway.restart();
    expect((await push('step-3')).body.checkpoints).toEqual(['step-2', 'step-3']);
    expect((await put(of(direct('one'), pool(1), scripted))).status).toBe(200);
    expect(await said('pool')).toBe('one step-3');
  });

  it('is made of the one before it where several come at once', async () => {
    await put(of(direct('one'), pool(5), scripted));
    const names = ['a', 'b', 'c'];
    const replies = await Promise.all([
      ...names.map(push),
      gateway.raw('PATCH', '/api/population/weights', { weights: { model: 3 }, by: 'test' }),
      gateway.raw('PATCH', '/api/population/weights', { weights: { pool: 4 }, by: 'test' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const { members } = await view();
    const weights = members.map(({ id, weight }: { id: string; weight: number }) => [id, weight]);
    expect(Object.fromEntries(weights)).toEqual({ model: 3, pool: 4, alder: 1 });
    const { checkpoints } = (await push('d')).body;
    expect([...checkpoints].sort()).toEqual(['a', 'b', 'c', 'd', 'step-3']);
  });
});

describe('a change that cannot be recorded', () => {
  beforeAll(async () => {
    gateway = await stand({ settings: settings({ maxBytes: 2 ** 20 }) });
  });
  afterAll(() => gateway.close());

  it('is refused, and never in force', async () => {
    const before = await view();
    const weights = (weight: number) => ({ weights: { model: weight }, by: 'test'.padEnd(200, '.') });
    let last = 1;
    let reply = await gateway.raw('PATCH', '/api/population/weights', weights(2));
    while (reply.status === 200 && last < 3000) {
      last += 1;
      reply = await gateway.raw('PATCH', '/api/population/weights', weights(last + 1));
    }
    expect(reply.status).toBe(503);
    const weightOf = async () =>
      (await view()).members.find(({ id }: { id: string }) => id === 'model').weight as number;
    expect(await weightOf()).toBe(last);
    expect((await put(of(direct('two'), pool(1)))).status).toBe(503);
    expect((await push('step-1')).status).toBe(503);
    expect((await view()).members.map(({ id }: { id: string }) => id)).toEqual(
      before.members.map(({ id }: { id: string }) => id),
    );
    await gateway.restart(settings({ maxBytes: 2 ** 24 }));
    expect(await weightOf()).toBe(last);
    expect(await said('model')).toBe('one m');
    expect((await push('step-2')).body.checkpoints).toEqual(['step-0', 'step-2']);
  });
});
