import { afterEach, describe, expect, it } from 'vitest';
import { sampleEvolve } from '../../report/evolve-fixture.ts';
import { ADMIN_KEY, ask, errorOf, eventually, type Stage, stageOf, tidyStages } from '../faults/stage.ts';

afterEach(tidyStages);

const send = (stage: Stage, method: string, path: string, body: string) =>
  fetch(`${stage.url}${path}`, {
    method,
    body,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
  });

const LISTS = '['.repeat(50_000) + ']'.repeat(50_000);
const MAPS = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;

/** A run that has everything, and a note of its settings that nobody asked for. */
function shownBody(deep: string): string {
  const body = JSON.stringify(sampleEvolve({ rounds: 1, underWay: true }));
  return body.replace('"settings":{', `"settings":{"note":${deep},`);
}

describe('a body of the control API that is nested tens of thousands of levels deep', () => {
  it('is a fault of the body wherever it stands', async () => {
    const stage = await stageOf();
    for (const deep of [LISTS, MAPS])
      for (const [method, path, body] of [
        ['PUT', '/api/population', `{"population":${deep},"by":"me"}`],
        ['POST', '/api/sessions', `{"id":${deep}}`],
        ['POST', '/api/breaker', deep],
        ['PUT', '/api/evolve', `{"run":${deep}}`],
        ['PUT', '/api/evolve', shownBody(deep)],
        ['POST', '/api/weights', `{"ids":[],"recipe":${deep}}`],
        ['POST', '/api/select', `{"candidates":[],"n":2,"recipe":${deep}}`],
      ] as const)
        expect((await errorOf(send(stage, method, path, body))).status, path).toBe(400);
  });

  it('rejects the rows of a dump that are so', async () => {
    const stage = await stageOf();
    for (const deep of [LISTS, MAPS]) {
      const rows = `{"rows":[{"uid":"a","reward":1},{"uid":"x","reward":${deep}}]}`;
      const response = await send(stage, 'POST', '/api/rewards/dump', rows);
      expect(await response.json()).toEqual({
        accepted: 0,
        rejected: [{ id: 'row 1', code: 'row_too_deep', reason: expect.any(String) }],
      });
    }
  });
});

describe('an epoch', () => {
  it('is refused where the next one could not be counted', async () => {
    const stage = await stageOf({}, { settings: { live: { epochs: { by: 'sessions', every: 1 } } } });
    const begin = (epoch: number) => stage.api('/api/epochs', { epoch });
    for (const epoch of [Number.MAX_SAFE_INTEGER, 1e15]) expect((await begin(epoch)).status).toBe(400);
    expect((await begin(1e15 - 1)).status).toBe(200);
    const session = (await stage.chat(ask('Hello.'))).headers.get('x-session-id');
    await stage.api(`/api/sessions/${session}/end`, {});
    const epochNow = async () => ((await (await stage.api('/api/gate')).json()) as { epoch: number }).epoch;
    await eventually(async () => (await epochNow()) === 1e15, 'the epoch ends');
  });
});

describe('a change of the population', () => {
  it("is nobody else's in the name of the settings: a restart would take it back", async () => {
    const stage = await stageOf();
    const member = { id: 'rules', family: 'birch', recipe: { kind: 'scripted' } };
    const put = { population: { members: [member], seen: ['rules'] }, by: 'the settings' };
    const refused = [
      stage.api('/api/population', put, 'PUT'),
      stage.api('/api/population/weights', { weights: { plain: 2 }, by: put.by }, 'PATCH'),
    ];
    for (const response of refused) expect((await errorOf(response)).status).toBe(400);
    expect((await stage.api('/api/population', { ...put, by: 'me' }, 'PUT')).status).toBe(200);
  });
});
