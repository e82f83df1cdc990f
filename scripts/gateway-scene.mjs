// A gateway as the picture of its dashboard shows it: scripted users of the lab, six epochs of a population, then one
// member alone until the breaker trips. Everything is played over HTTP. Needs the built package.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, startGateway } from '../dist/gateway/index.js';
import { playOverChat, worldOf } from '../dist/lab/index.js';
import { seeded } from '../dist/math/index.js';

const EPOCH = 128;
/** Rollouts that are compared with one another: of one setting. */
const GROUP = 4;
const SETTINGS_PLAYED = 40;
const KEY = 'a-key-for-the-picture';
const SETTINGS = {
  schema: 'collapse-aware/gateway@1',
  listen: { port: 0 },
  keys: { adminEnv: 'SCENE_KEY' },
  probes: { share: 0.1 },
  live: { warmUp: EPOCH, epochs: { by: 'sessions', every: EPOCH } },
  // Nearer than the proposed ones, which scripted users do not reach.
  breaker: { plannedEpochs: 20, bars: { yellow: 0.2, red: 0.35 }, holdSeconds: 1, psodEvery: 2 },
};

/** @returns {Promise<{url: string, stop(): Promise<void>}>} `url` opens the dashboard. */
export async function gatewayScene() {
  const folder = mkdtempSync(join(tmpdir(), 'collapse-aware-scene-'));
  const environment = { SCENE_KEY: KEY };
  const world = worldOf('persuasion');
  const settings = readSettings({ ...SETTINGS, store: folder }, { environment });
  const gateway = await startGateway(settings, { environment, folder, log: 'error' });
  let played = 0;

  const post = (path, body, headers = {}, method = 'POST') =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, ...headers },
      body: JSON.stringify(body),
    });
  const dialogue = async (number, model) => {
    const session = `rollout-${String(number).padStart(4, '0')}`;
    const prompt = Math.floor(number / GROUP);
    const ask = async (messages) => {
      const reply = await post(
        '/v1/chat/completions',
        { model, messages },
        { 'x-session-id': session, 'x-ca-group': `prompt-${prompt}`, authorization: '' },
      );
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
      return (await reply.json()).choices[0].message.content;
    };
    const talk = await playOverChat({
      ask,
      world,
      settingNumber: prompt % SETTINGS_PLAYED,
      random: seeded(`scene/${number}`),
    });
    await post('/api/rewards', { rewards: [{ session, reward: talk.reward }] });
  };
  const play = async (count, model) => {
    const from = played;
    played += count;
    // One after the other in few lanes: the order of the ends decides what an epoch holds.
    for (let at = from; at < from + count; at += 4)
      await Promise.all(
        [0, 1, 2, 3].filter((i) => at + i < from + count).map((i) => dialogue(at + i, model)),
      );
  };

  const stop = async () => {
    await gateway.stop('the picture is made');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (let epoch = 0; epoch < 6; epoch++) {
      await play(EPOCH, 'population');
      if (epoch % 2 === 0) await play(24 * GROUP, 'panel/selection');
    }
    await post(
      '/api/population/weights',
      { weights: { birch: 0, cedar: 0, 'alder-vs': 0 }, by: 'scene' },
      {},
      'PATCH',
    );
    for (let epoch = 0; epoch < 4; epoch++) {
      try {
        await play(EPOCH, 'population');
      } catch (error) {
        // Training is held: that is what the picture is of.
        if (!String(error).includes('training_held')) throw error;
        break;
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `${gateway.url}/#key=${KEY}`, stop };
}
