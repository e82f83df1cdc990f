import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MemberView } from '../../../src/gateway/api/control.ts';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { type Stand, stand, until } from './stand.ts';

let upstream: FakeUpstream;
let gateway: Stand;

const direct = (id: string) => ({ id, family: id, model: `m-${id}`, upstream: 'main' });
beforeAll(async () => {
  upstream = await fakeUpstream();
  gateway = await stand({
    settings: {
      upstreams: {
        main: { baseUrl: upstream.url, retries: 0, prices: { prompt: 1_000_000, completion: 2_000_000 } },
      },
      population: {
        members: [
          direct('plain'),
          direct('cut'),
          direct('probed'),
          direct('idle'),
          { ...direct('listing'), recipe: { kind: 'verbalized', candidates: 2 } },
        ],
        seen: ['plain', 'cut', 'probed', 'idle', 'listing'],
      },
      probes: { share: 1, resamples: 2, laws: ['member'] },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (member: string, more: object = {}) =>
  gateway.chat({
    model: `population/${member}`,
    messages: [
      { role: 'system', content: `You are ${member}.` },
      { role: 'user', content: 'Hello!' },
    ],
    ...more,
  });
const viewOf = async (id: string): Promise<MemberView> =>
  (await gateway.api('GET', '/api/population')).body.members.find((one: MemberView) => one.id === id);
const probesDone = async (count: number) => {
  await until(
    async () => (await gateway.api('GET', '/api/status')).body.probes.done === count,
    `${count} histories probed`,
  );
};
const metricsOf = async (member: string): Promise<string[]> => {
  const { body } = await gateway.raw('GET', '/metrics');
  return (body as string)
    .split('\n')
    .filter((line) => /tokens_total|unmetered/.test(line) && line.includes(`member="${member}"`))
    .map((line) => line.replace('collapse_aware_', ''))
    .sort();
};

it('shows the tokens of probes beside those of clients, and both in the cost', async () => {
  const { body } = await ask('probed');
  const { prompt_tokens: prompt, completion_tokens: completion } = body.usage;
  await probesDone(1);
  const view = await viewOf('probed');
  expect(view).toMatchObject({
    promptTokens: prompt,
    completionTokens: completion,
    probeTokens: { prompt: 2 * prompt, completion: 2 * completion },
    unmetered: 0,
    costIsLow: false,
  });
  expect(view.cost).toBeCloseTo(3 * (prompt + 2 * completion));
  expect(await metricsOf('probed')).toEqual([
    `tokens_total{member="probed",kind="completion"} ${completion}`,
    `tokens_total{member="probed",kind="probe_completion"} ${2 * completion}`,
    `tokens_total{member="probed",kind="probe_prompt"} ${2 * prompt}`,
    `tokens_total{member="probed",kind="prompt"} ${prompt}`,
  ]);
});

it('counts a stream that broke off before its account, and says that the cost is low', async () => {
  upstream.answer({ fault: 'reset-mid' });
  await ask('cut', { stream: true });
  upstream.answer({});
  await until(async () => (await viewOf('cut')).unmetered === 1, 'the broken stream is on record');
  expect(await viewOf('cut')).toMatchObject({ turns: 0, failures: 1, cost: 0, costIsLow: true });
  expect(await metricsOf('cut')).toContain('replies_unmetered_total{member="cut"} 1');
});

it('gives the client the tokens of every request that its reply took', async () => {
  upstream.answer(({ body }) =>
    JSON.stringify(body.messages).includes('candidates') ? { text: 'No list.' } : { text: 'Said directly.' },
  );
  const { body, headers } = await ask('listing');
  upstream.answer({});
  expect(headers['x-ca-attempts']).toBe('3');
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = body.usage;
  expect(total).toBe(prompt + completion);
  expect(await viewOf('listing')).toMatchObject({ promptTokens: prompt, completionTokens: completion });
});

it('counts what a turn used that ended in an error', async () => {
  const before = await viewOf('listing');
  upstream.answer({ text: '{"candidates": []}' });
  expect((await ask('listing')).status).toBe(502);
  upstream.answer({});
  await until(
    async () => (await viewOf('listing')).promptTokens > before.promptTokens,
    'what was spent is on record',
  );
  expect(await viewOf('listing')).toMatchObject({ turns: before.turns, failures: before.failures + 1 });
});

it('shows what is under way at its upstreams', async () => {
  const { body } = await gateway.raw('GET', '/metrics');
  for (const state of ['running', 'waiting'])
    expect(body).toContain(`collapse_aware_upstream_requests{upstream="main",state="${state}"} 0`);
});

it('costs nothing while nobody was asked, and the same after a restart', async () => {
  expect(await viewOf('idle')).toMatchObject({ turns: 0, cost: 0, costIsLow: false });
  const before = await Promise.all(['probed', 'cut'].map(viewOf));
  await gateway.restart();
  expect(await Promise.all(['probed', 'cut'].map(viewOf))).toEqual(before);
});
