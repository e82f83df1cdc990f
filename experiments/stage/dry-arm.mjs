import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CollapseAwareClient } from '../../dist/client/index.js';
import { CollapseAwareError } from '../../dist/errors.js';
import { startGateway } from '../../dist/gateway/index.js';
import { isTrained, OURS } from './arms.mjs';
import { DRY_POLICY, randomPolicy } from './random-policy.mjs';
import { BASE, EXAM, SELECTION, TRAINING } from './runs.mjs';

/** Sizes of a dry run: enough units for an interval (8), and no more. */
export const DRY = { contexts: 8, group: 2, steps: 2, turns: 8, lanes: 4 };
/** Whom the exam meets of the seen panel: drawn as the population is, and never held. */
const SEEN = 'probe/population';
/** Settings of the world from here on are met in the exam alone. */
const EXAM_FROM = 500;

/**
 * One arm from beginning to end, through a real gateway with the settings of that arm: panels before training, training
 * steps with rewards, decisions and weights as a trainer asks for them, panels after it. The export of its sessions is
 * written to `<runs>/<benchmark>/<arm>/1/sessions.jsonl`.
 * @returns the file, and what the arm asked of its simulators
 */
export async function dryArm({ benchmark, arm, settings, environment, world, runs, say }) {
  const shortened = { ...settings, listen: { ...settings.listen, port: 0 } };
  const gateway = await startGateway(shortened, { environment, log: 'error', folder: benchmark.folder });
  try {
    const client = new CollapseAwareClient({
      baseUrl: gateway.url,
      adminKey: environment[settings.keys.adminEnv],
      failOpen: false,
    });
    const policy = randomPolicy(world);
    const talk = (session) => converse(gateway.url, environment[settings.keys.clientEnv], session, policy);
    const last = isTrained(arm) ? `step-${DRY.steps}` : BASE;
    await panel({ client, talk, arm, checkpoint: BASE, run: EXAM, models: [SEEN, 'panel/test'] });
    if (isTrained(arm)) {
      for (let step = 1; step <= DRY.steps; step++) {
        await trainStep({ client, talk, arm, step });
        await panel({
          client,
          talk,
          arm,
          checkpoint: `step-${step}`,
          run: SELECTION,
          models: ['panel/selection'],
        });
      }
      await panel({ client, talk, arm, checkpoint: last, run: EXAM, models: [SEEN, 'panel/test'] });
    }
    const file = join(runs, benchmark.id, arm, '1', 'sessions.jsonl');
    const sessions = await write(
      client.trajectories({ of: 'closed', purpose: ['training', 'panel', 'probe'] }),
      file,
    );
    const tokens = (await client.population()).members.reduce((sum, one) => sum + one.completionTokens, 0);
    say(`${arm}: ${sessions} sessions, checkpoints ${BASE}${last === BASE ? '' : ` and ${last}`}`);
    return { file, tokens };
  } finally {
    await gateway.stop('the dry run is over', 5000);
  }
}

/** What a trainer does in one step; the policy stays as it is, and its checkpoint's name goes on. */
async function trainStep({ client, talk, arm, step }) {
  await client.epochs({ epoch: step, policy: { id: DRY_POLICY, checkpoint: `step-${step}` } });
  const gate = await client.gate();
  if (gate.training === 'hold')
    throw new CollapseAwareError(
      'CA_INTERNAL',
      `the gate holds training in a dry run: ${gate.reasons.join('; ')}`,
    );
  const groups = Array.from({ length: DRY.contexts }, (_, at) => ({
    id: `${arm}/${step}/${at}`,
    setting: at,
    sessions: Array.from({ length: DRY.group }, (_, rollout) => `${arm}-${step}-${at}-${rollout}`),
  }));
  await play({
    client,
    talk,
    sessions: groups.flatMap(({ id, setting, sessions }) =>
      sessions.map((session) => ({
        session,
        setting,
        group: id,
        model: 'population',
        run: TRAINING,
        epoch: step,
        checkpoint: `step-${step}`,
      })),
    ),
  });
  const decisions = await client.decide(groups.map(({ id, sessions }) => ({ id, sessions })));
  const usable = decisions.filter(({ decision }) => decision === 'accept').flatMap((one) => one.usable);
  const { weights } = await client.weights(groups.flatMap(({ sessions }) => sessions));
  if (usable.some((session) => !(weights[session] >= 0)))
    throw new CollapseAwareError('CA_INTERNAL', 'a usable session has no weight');
  if (arm === 'co-training') await client.pushCheckpoint('co', `co-step-${step}`, 'dry run');
  if (arm === OURS) await steer(client, step);
}

/**
 * The population moves away from whoever was met most: a stand-in for `collapse-aware evolve`, which needs more sessions
 * than a dry run has before it changes anything. It goes over the same control API.
 */
async function steer(client, step) {
  const { members } = await client.population();
  const seen = members.filter(({ panel }) => panel === 'seen');
  const most = Math.max(...seen.map(({ sessions }) => sessions));
  const weights = Object.fromEntries(
    seen.map(({ id, sessions }) => [id, 1 + (most - sessions) / Math.max(1, most)]),
  );
  await client.setWeights(weights, `dry run, step ${step}`);
}

/** A session a context with each of the models: differences are taken within contexts. */
async function panel({ client, talk, arm, checkpoint, run, models }) {
  const from = run === EXAM ? EXAM_FROM : 0;
  await play({
    client,
    talk,
    sessions: models.flatMap((model) =>
      Array.from({ length: DRY.contexts }, (_, at) => ({
        session: `${arm}-${run}-${checkpoint}-${model.replace('/', '-')}-${at}`,
        setting: from + at,
        group: null,
        model,
        run,
        epoch: null,
        checkpoint,
      })),
    ),
  });
}

async function play({ client, talk, sessions }) {
  const rewards = [];
  let next = 0;
  const lane = async () => {
    while (next < sessions.length) {
      const one = sessions[next++];
      const { reward, outcome } = await talk(one);
      // Cut off at the last turn: nothing was donated, solved or merged.
      rewards.push({ session: one.session, reward: reward ?? 0, outcome });
    }
  };
  await Promise.all(Array.from({ length: DRY.lanes }, lane));
  const { rejected } = await client.rewards(rewards);
  if (rejected.length > 0)
    throw new CollapseAwareError('CA_INTERNAL', `a reward was refused: ${rejected[0].reason}`);
}

async function converse(url, key, { session, setting, group, model, run, epoch, checkpoint }, policy) {
  return policy.play({
    session,
    setting,
    turns: DRY.turns,
    ask: async (messages) => {
      const reply = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          'x-session-id': session,
          'x-ca-run': run,
          'x-ca-task': `setting-${setting}`,
          'x-ca-policy': DRY_POLICY,
          'x-ca-checkpoint': checkpoint,
          ...(group === null ? {} : { 'x-ca-group': group }),
          ...(epoch === null ? {} : { 'x-ca-epoch': String(epoch) }),
        },
        // The session's own luck: the fake users answer equal requests alike.
        body: JSON.stringify({ model, messages, seed: seedOf(session) }),
      });
      const body = await reply.json();
      if (!reply.ok)
        throw new CollapseAwareError(
          'CA_ENDPOINT_REPLY',
          `the gateway answered ${reply.status}: ${body.error?.message}`,
        );
      return body.choices[0].message.content;
    },
  });
}

const seedOf = (session) =>
  [...session].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2147483647, 7);

async function write(trajectories, file) {
  mkdirSync(dirname(file), { recursive: true });
  const out = createWriteStream(file);
  let count = 0;
  for await (const one of trajectories) {
    out.write(`${JSON.stringify(one)}\n`);
    count += 1;
  }
  out.end();
  await once(out, 'finish');
  return count;
}
