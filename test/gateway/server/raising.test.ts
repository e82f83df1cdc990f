import { afterEach, expect, it } from 'vitest';
import { Cast, Circuits } from '../../../src/gateway/cast/index.ts';
import { raisingAt } from '../../../src/gateway/server/raising.ts';
import { readPopulation } from '../../../src/gateway/settings/read-population.ts';
import { type Stand, stand } from '../end-to-end/stand.ts';

const scripted = (id: string, antiCollapse = false) => ({
  id,
  family: id,
  recipe: { kind: 'scripted' },
  ...(antiCollapse ? { antiCollapse } : {}),
});

let gateway: Stand | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

const NOTE = /no member of antiCollapse is in service/;
const reasons = async () => (await gateway!.gate()).reasons.filter((one) => NOTE.test(one));
const notes = async (): Promise<string[]> =>
  (await gateway!.api('GET', '/api/status')).body.notes.filter((one: string) => NOTE.test(one));
const level = (to: string) =>
  gateway!.api('POST', '/api/breaker', { level: to, by: 'anna', reason: 'to see' });

it('is missed at gate and status where nobody can be raised, at every level that asks for it', async () => {
  gateway = await stand({
    settings: { population: { members: [scripted('a'), scripted('b', true)], seen: ['a', 'b'] } },
  });
  await level('yellow');
  expect([await reasons(), await notes()]).toEqual([[], []]);
  await gateway.api('PATCH', '/api/population/weights', { weights: { b: 0 }, by: 'anna' });
  for (const to of ['yellow', 'red']) {
    await level(to);
    expect([(await reasons()).length, (await notes()).length]).toEqual([1, 1]);
  }
  await level('green');
  expect([await reasons(), await notes()]).toEqual([[], []]);
});

it('counts on nobody who rests', () => {
  const population = readPopulation(
    {
      members: [scripted('a'), scripted('b', true), scripted('c', true)],
      seen: ['a', 'b', 'c'],
    },
    { upstreams: [] },
  );
  const cast = new Cast(population, (member) => ({
    member,
    kind: 'scripted',
    fingerprint: '',
    recipe: '',
    open: () => ({ person: null, reply: () => Promise.reject(new Error('nobody asks')) }),
  }));
  const circuits = new Circuits(() => ({ tripAfter: 1, restMs: 10 }));
  circuits.tell('b', 'failed', 0);
  const { weights, share, raised } = raisingAt({ cast, circuits }, 'yellow', 0);
  expect(Object.fromEntries(weights)).toEqual({ a: 0.5, b: 0, c: 1.5 });
  expect(share).toBe(0.75);
  expect(raised).toEqual(new Set(['b', 'c']));
  expect(raisingAt({ cast, circuits }, 'green', 0)).toMatchObject({
    share: 0.5,
    note: null,
    raised: new Set(),
  });
  circuits.tell('c', 'failed', 0);
  expect(raisingAt({ cast, circuits }, 'red', 0).note).toMatch(NOTE);
});
