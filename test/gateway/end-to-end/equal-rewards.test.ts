import { afterEach, expect, it } from 'vitest';
import type { Look } from '../../../src/gateway/live/live.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { stand, until } from './stand.ts';
import { playStyled, roundOf, styledMember, styledUpstream } from './styles.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

it('looks at epochs whose rewards are all equal, with one member to a group', async () => {
  const upstream = await fakeUpstream(styledUpstream);
  open.push(upstream);
  const seen = ['terse', 'long', 'asking'] as const;
  const gateway = await stand({
    settings: {
      seed: 'equal rewards',
      upstreams: { fake: { baseUrl: upstream.url } },
      population: { members: seen.map((style) => styledMember(style)), seen, draw: 'group' },
      live: { warmUp: 96, epochs: { by: 'sessions', every: 96 } },
    },
  });
  open.push(gateway);
  for (const name of ['a', 'b']) await playStyled(gateway, roundOf(name, 24, 4), () => 0);
  const looks = await until(async () => {
    const { looks } = (await gateway.api('GET', '/api/looks')).body as { looks: readonly Look[] };
    return looks.length === 2 ? looks : null;
  }, 'two looks');
  for (const { n, zeroVariance } of looks) expect([n, zeroVariance.value]).toEqual([96, 1]);
  const members = new Map<string | null, Set<string>>();
  for (const { group, simulator } of await gateway.trajectories())
    members.set(group, new Set([...(members.get(group) ?? []), simulator.id]));
  expect([...members.values()].map(({ size }) => size)).toEqual(Array(48).fill(1));
});
