import { afterEach, describe, expect, it } from 'vitest';
import { type Stand, stand } from '../end-to-end/stand.ts';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';

const IDS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo', 'hazel'];
const scripted = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  family: id,
  recipe: { kind: 'scripted' },
  ...more,
});
const POPULATION = { members: IDS.map((id) => scripted(id)), seen: IDS };

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.reverse()) await one.close();
  open = [];
});

async function started(settings: Record<string, unknown> = {}): Promise<Stand> {
  const gateway = await stand({ settings: { seed: 'groups', population: POPULATION, ...settings } });
  open.push(gateway);
  return gateway;
}

interface Asked {
  readonly prompt?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly model?: string;
}
/** One session of one turn; its member. */
async function begin(
  gateway: Stand,
  id: string,
  { prompt = 'a lamp', headers = {}, model = 'population' }: Asked,
): Promise<string> {
  const {
    status,
    body,
    headers: told,
  } = await gateway.chat(
    {
      model,
      messages: [
        { role: 'system', content: `<scenario>You want ${prompt}.</scenario>` },
        { role: 'user', content: 'Hello!' },
      ],
    },
    { headers: { 'x-session-id': id, ...headers } },
  );
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return String(told['x-ca-simulator']);
}
const end = (gateway: Stand, ...ids: string[]) =>
  gateway.api('POST', '/api/rewards', { rewards: ids.map((session) => ({ session, reward: 1 })) });
const session = async (gateway: Stand, id: string) => (await gateway.api('GET', `/api/sessions/${id}`)).body;
const epochOf = async (gateway: Stand) => (await gateway.gate()).epoch;

describe('groups of rollouts of one prompt, without a name', () => {
  it('meet one member each while epochs change in the middle of them', async () => {
    const gateway = await started({ live: { epochs: { by: 'sessions', every: 4 } } });
    const members: Set<string>[] = [];
    const epochs: Set<number>[] = [];
    for (let group = 0; group < 12; group++) {
      members.push(new Set());
      epochs.push(new Set());
      for (let rollout = 0; rollout < 6; rollout++) {
        const id = `${group}-${rollout}`;
        members[group]!.add(await begin(gateway, id, { prompt: `prompt ${group}` }));
        epochs[group]!.add((await session(gateway, id)).epoch);
        await end(gateway, id);
      }
    }
    expect(epochs.filter(({ size }) => size > 1).length).toBeGreaterThan(6);
    expect(members.map(({ size }) => size)).toEqual(Array(12).fill(1));
    expect(new Set(members.flatMap((one) => [...one])).size).toBeGreaterThan(2);
    const { body } = await gateway.api('GET', '/api/sessions?limit=100');
    const names = body.sessions.map((one: { group: string }) => one.group);
    expect(new Set(names).size).toBe(12);
  });

  it('stay together over an epoch of the trainer and a restart while one is open, and are drawn anew afterwards', async () => {
    const gateway = await started({ live: { epochs: { by: 'trainer' } } });
    const prompts = Array.from({ length: 12 }, (_, i) => `prompt ${i}`);
    const play = async (name: string) => {
      const met: string[] = [];
      for (const [i, prompt] of prompts.entries()) met.push(await begin(gateway, `${name}-${i}`, { prompt }));
      return met;
    };
    const first = await play('a');
    await gateway.api('POST', '/api/epochs', { epoch: 10 });
    expect(await play('b')).toEqual(first);
    await gateway.restart();
    expect(await play('c')).toEqual(first);
    await end(gateway, ...['a', 'b', 'c'].flatMap((name) => prompts.map((_, i) => `${name}-${i}`)));
    const later = await play('d');
    expect(later).not.toEqual(first);
    expect((await session(gateway, 'd-0')).group).toMatch(/^10\//);
    expect((await session(gateway, 'c-0')).group).toMatch(/^0\//);
  });
});

describe('a named group', () => {
  it('is one in each epoch and run, under the name that the client gave it', async () => {
    const gateway = await started({ live: { epochs: { by: 'trainer' } } });
    const met = async (run: string, epoch: number) => {
      const asked = { headers: { 'x-ca-group': 'task-1', 'x-ca-run': run, 'x-ca-epoch': String(epoch) } };
      const members = new Set<string>();
      for (const rollout of ['a', 'b', 'c'])
        members.add(await begin(gateway, `${run}-${epoch}-${rollout}`, asked));
      expect(members.size).toBe(1);
      return [...members][0]!;
    };
    const drawn: string[] = [];
    for (let epoch = 0; epoch < 8; epoch++) drawn.push(await met('first', epoch));
    expect(new Set(drawn).size).toBeGreaterThan(2);
    const other: string[] = [];
    for (let epoch = 0; epoch < 8; epoch++) other.push(await met('second', epoch));
    expect(other).not.toEqual(drawn);
    expect((await session(gateway, 'first-3-a')).group).toBe('task-1');
  });

  it('keeps to the epoch that the client names, be the gateway in another', async () => {
    const gateway = await started({ live: { epochs: { by: 'sessions', every: 2 } } });
    const headers = { 'x-ca-group': 'g', 'x-ca-epoch': '1' };
    const met = new Set<string>();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      met.add(await begin(gateway, id, { headers }));
      await end(gateway, id);
    }
    expect(await epochOf(gateway)).toBeGreaterThan(1);
    expect(met.size).toBe(1);
  });
});

describe('a group under way', () => {
  const asked = { headers: { 'x-ca-group': 'g' } };

  it('goes on with its member when that is made anew under its id, or removed; others meet who serves now', async () => {
    const gateway = await started();
    const member = await begin(gateway, 'before', asked);
    const { fingerprint } = await session(gateway, 'before');
    const anew = {
      ...POPULATION,
      members: IDS.map((id) => scripted(id, id === member ? { family: 'maple' } : {})),
    };
    await gateway.api('PUT', '/api/population', { population: anew, by: 'test' });
    await begin(gateway, 'anew', asked);
    expect(await session(gateway, 'anew')).toMatchObject({ member, fingerprint });
    await begin(gateway, 'pinned', { model: `population/${member}` });
    const now = await session(gateway, 'pinned');
    expect([now.member, now.fingerprint === fingerprint]).toEqual([member, false]);

    const rest = IDS.filter((id) => id !== member);
    const without = { members: rest.map((id) => scripted(id)), seen: rest };
    await gateway.api('PUT', '/api/population', { population: without, by: 'test' });
    await begin(gateway, 'removed', asked);
    expect(await session(gateway, 'removed')).toMatchObject({ member, fingerprint });
    await gateway.restart();
    await begin(gateway, 'restarted', asked);
    expect(await session(gateway, 'restarted')).toMatchObject({ member, fingerprint });
    for (let i = 0; i < 12; i++)
      expect(await begin(gateway, `other-${i}`, { headers: { 'x-ca-group': `o${i}` } })).not.toBe(member);
  });

  it('goes on with its member in the world that it began in', async () => {
    const gateway = await started();
    const member = await begin(gateway, 'before', asked);
    const { fingerprint } = await session(gateway, 'before');
    const elsewhere = { ...POPULATION, world: 'service' };
    await gateway.api('PUT', '/api/population', { population: elsewhere, by: 'test' });
    await begin(gateway, 'after', asked);
    expect(await session(gateway, 'after')).toMatchObject({ member, fingerprint });
    await begin(gateway, 'pinned', { model: `population/${member}` });
    expect((await session(gateway, 'pinned')).fingerprint).not.toBe(fingerprint);
    await gateway.restart();
    await begin(gateway, 'restarted', asked);
    expect(await session(gateway, 'restarted')).toMatchObject({ member, fingerprint });
  });

  it('waits for a member whose upstream is gone', async () => {
    const upstream: FakeUpstream = await fakeUpstream(() => ({ text: 'Hm.' }));
    open.push(upstream);
    const model = { id: 'model', family: 'alder', model: 'alder-4b', upstream: 'fake' };
    const gateway = await started({
      upstreams: { fake: { baseUrl: upstream.url } },
      population: { members: [model], seen: ['model'] },
    });
    expect(await begin(gateway, 'before', asked)).toBe('model');
    await gateway.restart({ seed: 'groups', upstreams: {}, population: POPULATION });
    await expect(begin(gateway, 'after', asked)).rejects.toThrow(/503.*can no longer be had/);
    expect(IDS).toContain(await begin(gateway, 'other', { headers: { 'x-ca-group': 'h' } }));
  });

  it('is not told its member by a session that named one, be it by an alias, before a restart or after', async () => {
    const gateway = await started({ population: { ...POPULATION, aliases: { strict: 'population/elm' } } });
    const groups = Array.from({ length: 6 }, (_, i) => ({ headers: { 'x-ca-group': `g${i}` } }));
    for (const [i, one] of groups.entries())
      expect(await begin(gateway, `strict-${i}`, { ...one, model: 'strict' })).toBe('elm');
    await gateway.restart();
    const met: string[] = [];
    for (const [i, one] of groups.entries()) met.push(await begin(gateway, `drawn-${i}`, one));
    expect(new Set(met).size).toBeGreaterThan(1);
  });

  it('does not say whom a probe of the population meets', async () => {
    const gateway = await started();
    const member = await begin(gateway, 'before', asked);
    const rest = IDS.filter((id) => id !== member);
    const without = { members: rest.map((id) => scripted(id)), seen: rest };
    await gateway.api('PUT', '/api/population', { population: without, by: 'test' });
    expect(await begin(gateway, 'after', asked)).toBe(member);
    expect(rest).toContain(await begin(gateway, 'probe', { ...asked, model: 'probe/population' }));
  });
});
