import { afterEach, expect, it } from 'vitest';
import { labRollouts } from '../../curator/curated-columns.ts';
import { type Stand, stand } from '../end-to-end/stand.ts';

let gateway: Stand | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

it('count once for an epoch, also where they are sent again or rewarded after a restart', async () => {
  const settings = { live: { epochs: { by: 'sessions', every: 3 } } };
  gateway = await stand({ settings });
  const trajectories = labRollouts(2, 1)
    .slice(0, 2)
    .map((one) => ({ ...one, epoch: 0 }));
  const record = () => gateway!.api('POST', '/api/record', { trajectories });
  const epoch = async () => (await gateway!.gate()).epoch;
  await record();
  await record();
  expect(await epoch()).toBe(0);
  for (let life = 0; life < 2; life++) {
    await gateway.restart();
    const rewards = trajectories.map(({ id }) => ({ session: id, reward: life }));
    expect((await gateway.api('POST', '/api/rewards', { rewards })).body.accepted).toBe(2);
    await record();
  }
  // Stopping waits until everything is counted.
  await gateway.restart();
  expect(await epoch()).toBe(0);
  const [first] = trajectories;
  await gateway.api('POST', '/api/record', { trajectories: [{ ...first!, id: 'a third' }] });
  await gateway.restart();
  expect(await epoch()).toBe(1);
});
