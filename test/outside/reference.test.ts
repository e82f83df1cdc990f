import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PerformContext } from '../../src/loop/index.ts';
import { gatewayPerformer, gatewayStage } from '../../src/outside/index.ts';
import { ADMIN_KEY, type Stand, stand } from '../gateway/end-to-end/stand.ts';

const PEOPLE = 90;
const SUMS = ['nothing', 'ten cents', 'a dollar', 'half of it', 'all of it'];
/** The third sentence of everybody is theirs alone. */
const own = (at: number) => `My number is ${at} and I say ${'well '.repeat(at % 7)}${SUMS[at % 5]}`;
const folder = mkdtempSync(join(tmpdir(), 'ca-reference-'));
const people = join(folder, 'people.csv');
let gateway: Stand;

beforeAll(async () => {
  const rows = Array.from({ length: PEOPLE }, (_, at) =>
    [
      'Hello, how are you?',
      `${at % 2 ? 'Fine, thanks.' : 'In a hurry. Who are you?'}`,
      'Will you give some of your payment?',
      `${'Let me think. '.repeat(at % 4)}${own(at)}${at % 3 ? '.' : '. Who gets it?'}`,
    ].map((text, turn) => `${4 * at + turn},"${text}",${turn >> 1},${turn % 2},d-${at}`),
  );
  writeFileSync(people, [',Unit,Turn,B4,B2', ...rows.flat()].join('\r\n'));
  const scripted = (id: string) => ({ id, family: id, recipe: { kind: 'scripted' } });
  gateway = await stand({
    settings: {
      population: { members: ['alder', 'birch'].map(scripted), seen: ['alder', 'birch'] },
      live: { reference: [people], warmUp: 24, epochs: { by: 'trainer' } },
      breaker: { enabled: false },
    },
  });
  await gateway.api('POST', '/api/epochs', { epoch: 0 });
  const rewards = [];
  for (let at = 0; at < 30; at++) {
    const session = `session-${at}`;
    const messages = [{ role: 'user', content: 'Hello, how are you today?' }];
    for (const next of ['Would you give some of your payment?', 'How much would you like to give?']) {
      const { body } = await gateway.chat(
        { model: 'population', messages },
        { headers: { 'x-session-id': session, 'x-ca-task': `task-${at % 10}` } },
      );
      messages.push({ role: 'assistant', content: body.choices[0].message.content });
      messages.push({ role: 'user', content: next });
    }
    rewards.push({ session, reward: at % 2, termination: 'user stop' });
  }
  await gateway.api('POST', '/api/rewards', { rewards });
}, 300_000);

afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const kept = new Map<string, string>();
const context: PerformContext = {
  read: async (name) => kept.get(name)!,
  keep: async (text) => {
    kept.set('first', text);
    return 'first';
  },
  signal: new AbortController().signal,
  round: 0,
};

async function opened(reference: readonly string[]) {
  const stage = gatewayStage({
    url: gateway.url,
    adminKeyEnv: 'CA_ADMIN_KEY',
    agent: { url: 'http://127.0.0.1:9/v1', model: 'policy' },
    probes: [],
    reference,
    personas: [{ mode: null, text: 'You are somebody.', exemplars: [] }],
    limits: { space: 60 },
  });
  const performer = gatewayPerformer(stage, { environment: { CA_ADMIN_KEY: ADMIN_KEY } });
  try {
    const answer = await performer.perform({ kind: 'open', id: 'open' }, context);
    if (answer.kind !== 'open') throw new Error(answer.kind);
    return answer;
  } finally {
    await performer.close();
  }
}

describe("the gateway's people, for the loop", { timeout: 300_000 }, () => {
  it('are counted in the modes, and described to members without a word of theirs', async () => {
    const answer = await opened([people]);
    const { mass, ceiling } = answer.people!;
    // Each stands in one part at most, and some fitted the space alone.
    expect(mass.cells.length).toBeGreaterThan(10);
    expect(ceiling.cells.length).toBeGreaterThan(10);
    expect(mass.cells.length + ceiling.cells.length).toBeLessThan(PEOPLE);
    expect(mass.units.filter((unit) => ceiling.units.includes(unit))).toEqual([]);
    expect(answer.personas.length).toBeGreaterThan(0);
    for (const { mode, text, exemplars } of answer.personas) {
      expect(mode).toBeGreaterThanOrEqual(0);
      expect(mode).toBeLessThan(answer.k);
      for (const told of [text, ...exemplars]) expect(told).not.toContain('My number is');
    }
  });

  it('are not needed for descriptions: those that are given are taken', async () => {
    const answer = await opened([]);
    expect(answer.people).not.toBeNull();
    expect(answer.personas).toEqual([{ mode: null, text: 'You are somebody.', exemplars: [] }]);
  });

  it('are asked for where the files are others than the gateway has', async () => {
    const other = join(folder, 'other.csv');
    writeFileSync(other, ',Unit,Turn,B4,B2\r\n0,Hello.,0,0,d-1\r\n1,Hi there.,0,1,d-1\r\n');
    for (const path of [other, join(folder, 'none.csv')])
      await expect(opened([path])).rejects.toMatchObject({ code: 'CA_INPUT_EMPTY' });
  });
});
