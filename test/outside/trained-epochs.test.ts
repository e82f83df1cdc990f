import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayStage } from '../../src/outside/index.ts';
import { PatientGateway } from '../../src/outside/patient-gateway.ts';
import { trainedEpochs, untilEpoch } from '../../src/outside/trained-epochs.ts';
import { TrainerHold } from '../../src/outside/trainer-hold.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';

const signal = new AbortController().signal;
const limits = {
  ...gatewayStage({ url: '', adminKeyEnv: '', agent: { url: '', model: '' }, probes: [] }).limits,
  reward: 0.2,
  epoch: 0.5,
};
const SETTINGS = {
  population: {
    members: ['alder'].map((family) => ({ id: family, family, recipe: { kind: 'scripted' } })),
    seen: ['alder'],
  },
  live: { epochs: { by: 'trainer' } },
  breaker: { enabled: false },
};

let gateway: Stand;
let patient: PatientGateway;
beforeAll(async () => {
  gateway = await stand({ settings: SETTINGS });
  patient = new PatientGateway(gateway.url, ADMIN_KEY, 5, () => {});
});
afterAll(() => gateway.close());

async function session(id: string, epoch: number): Promise<void> {
  const { body } = await gateway.api('POST', '/api/sessions', {
    id,
    epoch,
    group: `g${epoch}`,
    model: 'population',
  });
  const messages = [{ role: 'user', content: `Hello ${id}, would you like to give?` }];
  await gateway.chat(
    { model: 'population', messages },
    { base: body.baseUrl as string, key: body.key as string },
  );
}
const reward = (id: string, value: number | null) =>
  gateway.api('POST', '/api/rewards', {
    rewards: [{ session: id, reward: value, termination: 'turn limit' }],
  });

describe('epochs of a trainer behind a gateway', () => {
  it('have their rewards by id; what has none in time is lost, with the reason, and not worth 0', async () => {
    for (const [id, epoch] of [
      ['a', 0],
      ['b', 0],
      ['late', 1],
      ['failed', 1],
      ['other', 2],
    ] as const)
      await session(id, epoch);
    await reward('a', 1);
    await reward('b', 1);
    await reward('failed', null);
    await reward('other', 1);
    const found = await trainedEpochs(patient, 0, 2, limits, signal);
    expect(found.episodes.map(({ id, trajectory }) => [id, trajectory.reward])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(found.sessions).toBe(4);
    expect(found.lost.map(({ reason, count }) => [reason, count])).toEqual([
      ['it ended without a reward: turn limit', 1],
      ['no reward came within 0.2 s of its epoch', 1],
    ]);
    expect(found.curve).toEqual([
      { step: 0, reward: 1, zeroVariance: 1, entropy: null },
      { step: 1, reward: null, zeroVariance: null, entropy: null },
    ]);
  });

  it('are waited for so long, and then whoever waits is told where the trainer stands', async () => {
    await gateway.api('POST', '/api/epochs', { epoch: 3 });
    const said: string[] = [];
    expect((await untilEpoch(patient, 3, limits, (text) => said.push(text), signal)).epoch).toBe(3);
    await new TrainerHold(patient, 60).hold('to see', signal);
    await expect(untilEpoch(patient, 5, limits, (text) => said.push(text), signal)).rejects.toMatchObject({
      code: 'CA_ENDPOINT_FAILED',
      message: expect.stringMatching(
        /stands at 3, epoch 5 is waited for, and the gate holds it: evolve set red: to see/,
      ),
    });
  });

  it('leaves an operator their own level', async () => {
    const hold = new TrainerHold(patient, 60);
    await hold.release(signal);
    expect((await gateway.gate()).override).toBeNull();
    await gateway.api('POST', '/api/breaker', { level: 'yellow', by: 'anna', reason: 'mine' });
    await hold.hold('to see', signal);
    await hold.release(signal);
    expect((await gateway.gate()).override).toMatchObject({ by: 'anna', level: 'yellow' });
    await gateway.api('POST', '/api/breaker', { release: true, by: 'anna' });
  });

  it('are asked for again while the gateway is down', async () => {
    const { url } = gateway;
    const restarted = gateway.restart({ ...SETTINGS, listen: { port: Number(new URL(url).port) } });
    const again = new PatientGateway(url, ADMIN_KEY, 60, () => {});
    const replies = await Promise.all([1, 2, 3].map(() => again.ask((client) => client.gate())));
    await restarted;
    for (const { view } of replies) expect(view!.epoch).toBe(3);
  });
});
