import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Gate, OpenAiEndpoint } from '../../src/endpoint/index.ts';
import { hash32 } from '../../src/math/index.ts';
import { gatewayStage } from '../../src/outside/index.ts';
import type { DialogueTable } from '../../src/outside/outside-dialogue.ts';
import { PatientGateway } from '../../src/outside/patient-gateway.ts';
import { playAll } from '../../src/outside/played-dialogues.ts';
import { Scorer } from '../../src/outside/scorer.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';

let gateway: Stand;
const servers: Server[] = [];
beforeAll(async () => {
  const scripted = (id: string) => ({ id, family: id, recipe: { kind: 'scripted' } });
  gateway = await stand({ settings: { population: { members: ['alder'].map(scripted), seen: ['alder'] } } });
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => gateway.close());

async function serve(answer: (body: string) => RequestListener): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    answer(body)(request, response);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const say =
  (body: string, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };
const spoken = (content: unknown) => JSON.stringify({ choices: [{ index: 0, message: { content } }] });
const sound = say(spoken('Would you give something?'));

let runs = 0;
/** Seeds of the dialogue that nothing goes wrong in. */
const SOUND = new Set([0, 1, 2].map((turn) => hash32(`sound/task-1/${turn}`) % 2 ** 31));
/** Three dialogues with `alder`, in two of which policy or scorer answer so. */
async function play(policy: RequestListener, score: RequestListener) {
  const run = `garbage-${++runs}`;
  const url = await serve((body) =>
    SOUND.has((JSON.parse(body) as { seed: number }).seed) ? sound : policy,
  );
  const stage = gatewayStage({
    url: gateway.url,
    adminKeyEnv: 'KEY',
    agent: { url: `${url}/v1`, model: 'policy' },
    probes: [],
  });
  const agent = new OpenAiEndpoint({
    baseUrl: stage.agent.url,
    model: 'policy',
    limits: { firstByte: 400, total: 800 },
    backoff: { first: 1, most: 2, patience: 400 },
  });
  const scores = await serve((body) => (body.includes(`"${run}.0"`) ? say('{"reward": 1}') : score));
  const scorer = new Scorer({ url: scores, keyEnv: null }, {});
  const table: DialogueTable = {
    gateway: new PatientGateway(gateway.url, ADMIN_KEY, 1, () => {}),
    agent,
    settings: stage.agent,
    agentModel: 'policy',
    policy: { id: 'policy', checkpoint: null },
    scorer,
    turns: 2,
    stops: stage.stops,
    signal: new AbortController().signal,
    run,
  };
  const scenario = {
    task: 'task-1',
    prompt: [{ role: 'assistant', content: 'Hello.' }],
    scenario: null,
  } as const;
  const places = ['sound', 'a', 'b'].map((name) => ({
    ...{ name, member: 'alder', model: 'population/alder' },
    ...{ scenario, luck: name },
  }));
  try {
    return await playAll(places, table, new Gate(2), async () => {});
  } finally {
    await agent.close();
  }
}

describe('what a policy may answer', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['no JSON', say('<html>busy</html>'), /JSON/],
    ['nothing', say(''), /JSON|nothing|empty/],
    ['another shape', say('{"choices": {"message": 7}}'), /the policy: /],
    ['a list', say('[1, 2]'), /the policy: /],
    ['no words', say(spoken('  ')), /it said nothing/],
    ['a number for words', say(spoken(12)), /the policy: /],
    [
      'an error that stays',
      say('{"error": {"message": "out of memory"}}', 500),
      /answered 500.*out of memory/,
    ],
    ['a refusal', say('{"error": {"message": "no such model"}}', 404), /answered 404/],
    [
      'a stream without end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = setInterval(() => response.write(' '.repeat(1000)), 5);
        response.on('close', () => clearInterval(more));
      },
      /the policy: /,
    ],
    ['silence', () => {}, /the policy: /],
    ['more than a gateway takes', say(spoken('word '.repeat(4_000_000))), /the simulated user: 413/],
  ])('%s: the dialogue is lost, and it is said why', async (_, policy, reason) => {
    const found = await play(policy, say('{"reward": 1}'));
    expect(found.episodes.map(({ id }) => id)).toEqual(['sound']);
    expect(found.lost).toHaveLength(2);
    for (const { member, reason: why } of found.lost) {
      expect(member).toBe('alder');
      expect(why).toMatch(reason);
      expect(why.length).toBeLessThan(600);
    }
  });
});

describe('what a scorer may answer', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['NaN', say('{"reward": NaN}'), /the scorer/],
    ['a text', say('{"reward": "1"}'), /gave no number/],
    ['beyond all numbers', say('{"reward": 1e400}'), /gave no number/],
    ['nothing', say(''), /the scorer/],
    ['null for all', say('null'), /the scorer/],
    ['no reward', say('{"score": 1}'), /gave no number/],
    ['an error', say('{"detail": "no"}', 500), /answered 500/],
    ['a page', say('<html>'), /the scorer/],
  ])('%s: the dialogue is lost, and worth no 0', async (_, score, reason) => {
    const { episodes, lost } = await play(sound, score);
    expect(episodes.map(({ id }) => id)).toEqual(['sound']);
    expect(lost).toHaveLength(2);
    for (const { reason: why } of lost) expect(why).toMatch(reason);
    const rows = await gateway.trajectories('?of=closed&purpose=nested');
    const own = rows.filter(({ id }) => id.startsWith(`garbage-${runs}.`));
    expect(own.map(({ reward }) => reward).sort()).toEqual([1, null, null]);
  });

  it('null: the dialogue counts, and has no reward', async () => {
    const { episodes, lost } = await play(sound, say('{"reward": null}'));
    expect(lost).toEqual([]);
    expect(episodes.map(({ trajectory }) => trajectory.reward)).toEqual([1, null, null]);
  });

  it('a number out of all range: the dialogue counts, and the loop gives it no reward', async () => {
    const { episodes, lost } = await play(sound, say('{"reward": 1e308}'));
    expect(lost).toEqual([]);
    expect(episodes.map(({ trajectory }) => trajectory.reward)).toEqual([1, 1e308, 1e308]);
  });
});
