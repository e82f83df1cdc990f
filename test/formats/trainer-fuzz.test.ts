import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { READERS, readerNamed } from '../../src/formats/registry.ts';
import { collect, temporary } from './fixture.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const chat = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: '1', content: 'ok' },
];

/** A sound row of each format that is JSON. */
const sound: Record<string, Json> = {
  verl: { input: 'user\nHello\nassistant\n', output: 'Hi\nuser\nBye', gts: '', score: 1, step: 1, uid: 'u' },
  verifiers: { example_id: 1, prompt: chat, completion: chat, reward: 1, info: {}, task: 'default' },
  'prime-rl': {
    id: 'e',
    env: { id: 'x' },
    task: { type: 'T', data: { prompt: 'p' } },
    group: { id: 'g' },
    run: { id: 'r', work: { step: 1, policy: { start: 1, end: 2 } } },
    traces: [
      {
        id: 'u',
        agent: { name: 'user', config: { model: 'm' } },
        nodes: [{ parent: null, message: chat[1]! }],
      },
      {
        id: 'a',
        agent: { name: 'assistant' },
        nodes: [{ message: chat[0]! }, { parent: 0, message: chat[1]! }],
        rewards: { r: { score: 1, weight: 1 } },
      },
    ],
  },
  'nemo-gym': {
    responses_create_params: { input: chat },
    response: {
      output: [
        { type: 'function_call', name: 'f', arguments: '{}', call_id: '1' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      ],
    },
    reward: 1,
    _ng_task_index: 1,
    config: { llm_user: 'm', domain: 'retail' },
    task: { id: '1', user_scenario: { persona: 'p', instructions: { a: 'b' } } },
    result: { id: 'r', messages: [{ role: 'user', raw_data: { model: 'm' } }] },
  },
  scope: {
    messages: chat,
    reward: 1,
    status: 'done',
    turn_count: 2,
    metadata: { step: 1 },
    rollout_id: 1,
    timestamp: 0,
  },
  'vs-harness': {
    rollout_id: 'r',
    turn: 1,
    history: chat,
    candidates: [{ text: 'a', probability: 0.5 }],
    chosen_text: 'a',
  },
  cooperbench: {
    result: {
      run_id: 'r',
      repo: 'x',
      task_id: 1,
      model: 'm',
      agents: { a: { feature_id: 1 }, b: { feature_id: 2 } },
    },
    eval: { both_passed: true, merge: { status: 'clean' } },
    conversation: [
      { from: 'a', to: 'b', message: 'x', timestamp: 1 },
      { from: 'b', to: 'a', message: 'y', timestamp: 2 },
    ],
  },
  convokit: {
    id: 'u',
    conversation_id: 'c',
    speaker: 's',
    text: 't',
    reply_to: null,
    timestamp: 1,
    meta: { role: 1, label_1: ['x'] },
  },
  sharegpt: {
    id: 'i',
    conversations: [
      { from: 'human', value: 'a' },
      { from: 'function_call', value: '{"name":"f"}' },
    ],
  },
  atropos: { tokens: [[1]], scores: [1], messages: [chat] },
};

/** Every node of a JSON value replaced, dropped or renamed, one or more at once. */
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    '',
    ' ',
    'user',
    'assistant\n',
    '__proto__',
    [],
    {},
    [[]],
    [null],
    { role: 'x' },
    '\ud800',
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

function mutate(value: Json, at: number[], put: Json): Json {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  if (at.length === 0 || keys.length === 0) return put;
  const key = keys[at[0]! % keys.length]!;
  const rest = at.slice(1);
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === key ? mutate(item, rest, put) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [
      name,
      name === key ? mutate(item, rest, put) : item,
    ]),
  );
}

const mutation = fc.array(fc.tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }), junk), {
  minLength: 1,
  maxLength: 3,
});

let file = 0;
const path = (name: string) => {
  const made = temporary('anchor', '');
  const folder = join(dirname(made), `fuzz-${file++}`);
  mkdirSync(folder);
  return join(folder, name);
};

describe('every reader of trainer dumps and corpora', () => {
  for (const [format, row] of Object.entries(sound)) {
    it(`${format}: detects its own row, and a mutated one costs only itself`, async () => {
      const text = JSON.stringify(row);
      const own = path('rows.jsonl');
      writeFileSync(own, `${text}\n${text}`);
      const plain = await collect(own);
      expect(plain.file.format).toBe(format);
      await fc.assert(
        fc.asyncProperty(mutation, async (changes) => {
          let mutated: Json = row;
          for (const [at, put] of changes) mutated = mutate(mutated, at, put);
          writeFileSync(own, `${text}\n${JSON.stringify(mutated)}\n${text}`);
          // `collect` fails on uncoded errors and where rows are not kept + dropped.
          const { file: summary, trajectories } = await collect(own, { format });
          expect(summary.error).toBeNull();
          if (format !== 'convokit' && format !== 'vs-harness')
            expect(summary.kept).toBeGreaterThanOrEqual(plain.file.kept);
          for (const trajectory of trajectories)
            expect(trajectory.reward === null || Number.isFinite(trajectory.reward)).toBe(true);
        }),
        { numRuns: 120 },
      );
      rmSync(dirname(own), { recursive: true });
    });

    it(`${format}: takes cut and damaged bytes`, async () => {
      const text = Buffer.from(`${JSON.stringify(row)}\n${JSON.stringify(row, null, 1)}\n`);
      const own = path('rows.jsonl');
      await fc.assert(
        fc.asyncProperty(fc.nat(text.length), fc.nat(text.length - 1), fc.nat(255), async (end, at, byte) => {
          const damaged = Buffer.from(text.subarray(0, end));
          if (at < damaged.length) damaged[at] = byte;
          writeFileSync(own, damaged);
          const { file: summary } = await collect(own, { format });
          if (summary.error !== null) expect(summary.error.code).toMatch(/^CA_/);
        }),
        { numRuns: 60 },
      );
      rmSync(dirname(own), { recursive: true });
    });
  }

  it('takes a damaged Parquet file', async () => {
    const whole = readFileSync(join(import.meta.dirname, '../fixtures/trl/completions_00001.parquet'));
    const own = path('t.parquet');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = Buffer.from(whole);
        damaged[at] = byte;
        writeFileSync(own, damaged);
        const { file: summary } = await collect(own, { format: 'trl' });
        if (summary.error !== null) expect(summary.error.code).toMatch(/^CA_/);
      }),
      { numRuns: 25 },
    );
  });

  it('says of each reader what it was checked on', () => {
    for (const name of Object.keys(sound))
      expect(['real files', 'schema']).toContain(readerNamed(name).checkedOn);
    expect(new Set(READERS.map((reader) => reader.name)).size).toBe(READERS.length);
  });
});
