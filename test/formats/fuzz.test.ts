import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODES } from '../../src/errors.ts';
import { mappingReader } from '../../src/formats/mapping.ts';
import { parseMapping } from '../../src/formats/mapping-schema.ts';
import { native } from '../../src/formats/native.ts';
import { openaiChat } from '../../src/formats/openai-chat.ts';
import { p4g } from '../../src/formats/p4g.ts';
import type { Reader } from '../../src/formats/reader.ts';
import { tauBench } from '../../src/formats/tau-bench.ts';
import { tau2 } from '../../src/formats/tau2.ts';
import { tau2Runs } from '../../src/formats/tau2-runs.ts';
import { collect, line, temporary } from './fixture.ts';

const call = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{"x": [1, 2]}' } }];
const chat = [
  { role: 'system', content: '# Airline agent policy' },
  { role: 'user', content: [{ type: 'text', text: 'Ça va? 🙂' }, { type: 'image_url' }] },
  { role: 'assistant', content: null, tool_calls: call },
  { role: 'tool', tool_call_id: '1', content: 'API output: ok' },
  {
    role: 'user',
    content: null,
    tool_calls: [{ id: '2', name: 'check_for_stop', arguments: {}, requestor: 'user' }],
  },
  { role: 'tool', id: '2', requestor: 'user', content: '' },
  { role: 'user', content: '###STOP###' },
];
const task = {
  id: '0',
  user_scenario: { persona: null, instructions: { domain: 'airline', known_info: 'You are Emma.' } },
};
const simulation = {
  id: 's',
  task_id: '0',
  trial: 0,
  messages: chat,
  reward_info: { reward: 1 },
  termination_reason: 'user_stop',
};
const info = {
  user_info: { llm: 'a/b', llm_args: { temperature: 0 } },
  agent_info: { llm: 'c' },
  environment_info: { domain_name: 'airline' },
};
const runs = {
  task_id: '0',
  task,
  run_info: { simulation_id: 'i' },
  reward_info: { reward: 0 },
  messages: chat,
};
const jsonl = (row: unknown): string => `${JSON.stringify(row)}\n`.repeat(3);

const seeds: { reader: Reader; name: string; text: string }[] = [
  {
    reader: native,
    name: 'n.jsonl',
    text: `${line('a')}\n${line('b', { turns: [{ role: 'user', text: null, toolCalls: [{ name: 'f', arguments: {} }] }] })}\n`,
  },
  {
    reader: tau2,
    name: 'results.json',
    text: JSON.stringify({ info, tasks: [task], simulations: [simulation, simulation] }, null, 1),
  },
  { reader: tau2Runs, name: 'x_llm_agent_a_user_simulator_b.jsonl', text: jsonl(runs) },
  {
    reader: tauBench,
    name: 'user-a__agent-b__1.json',
    text: JSON.stringify(
      [{ task_id: 0, reward: 1, info: { task: { instruction: 'x' } }, traj: chat }],
      null,
      1,
    ),
  },
  { reader: openaiChat, name: 'c.jsonl', text: jsonl({ messages: chat, tools: [] }) },
  {
    reader: p4g,
    name: 'full_dialog.csv',
    text: ',Unit,Turn,B4,B2\r\n0,"Hi, ""you""",0,0,d1\r\n1,Hé,0,1,d1\r\n2,Bye,1,0,d2\r\n3,Bye,1,1,d2\r\n',
  },
  {
    reader: mappingReader(
      parseMapping(
        'fields: { scenario: s, reward: r, epoch: e, simulator: [m.id, { const: x }] }\nturns: { path: t, role: by, text: say, acts: acts, toolCalls: calls }',
        'map',
      ),
    ),
    name: 'm.jsonl',
    text: jsonl({
      s: 'x',
      r: 1,
      e: 2,
      m: { id: 'q' },
      t: [{ by: 'user', say: 'hi', acts: ['a'], calls: call }],
    }),
  },
  {
    reader: mappingReader(parseMapping('groupBy: [c, d]\nturns: { role: by, text: say }', 'map')),
    name: 'm.csv',
    text: 'c,d,by,say\n1,1,user,"a, b"\n1,1,agent,c\n2,1,user,\n',
  },
];

/** One change to valid bytes: what crashes, disks and editors do. */
const edit = fc.record({
  kind: fc.constantFrom('cut', 'flip', 'insert', 'remove', 'repeat'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  size: fc.nat({ max: 40 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc
      .constantFrom(
        '"',
        '{',
        '[',
        ']',
        '}',
        ',',
        '\n',
        '\\',
        '\\ud800',
        'NaN',
        'null',
        '\0',
        '1e999',
        '-',
        '[[[[',
        'ÿ',
        '__proto__',
      )
      .map((text) => Buffer.from(text, 'latin1')),
  ),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function mutate(content: Buffer, edits: readonly Edit[]): Buffer {
  let made = content;
  for (const { kind, at, size, bytes } of edits) {
    const from = Math.floor(at * made.length);
    const head = made.subarray(0, from);
    if (kind === 'cut') made = Buffer.from(head);
    else if (kind === 'insert') made = Buffer.concat([head, bytes, made.subarray(from)]);
    else if (kind === 'remove') made = Buffer.concat([head, made.subarray(from + size)]);
    else if (kind === 'repeat')
      made = Buffer.concat([head, made.subarray(from, from + size), made.subarray(from)]);
    else {
      made = Buffer.from(made);
      bytes.forEach((byte, i) => {
        if (from + i < made.length) made[from + i] = byte;
      });
    }
  }
  return made;
}

describe('readers on damaged files', () => {
  it.each(seeds)('$reader.name reads its sound file', async ({ reader, name, text }) => {
    const { file, trajectories } = await collect(temporary(name, text), { reader });
    expect(file.error).toBeNull();
    expect(trajectories.length).toBeGreaterThan(0);
  });

  // `collect` fails on an uncoded fault and where rows are not kept + dropped.
  it.each(seeds)('$reader.name gives rows, dropped rows or a coded error', async ({ reader, name, text }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 9 }),
        async (edits, packed) => {
          const sound = Buffer.from(text);
          const content = packed === 0 ? mutate(gzipSync(sound), edits) : mutate(sound, edits);
          const { file, trajectories } = await collect(temporary(`fuzz-${name}`, content), { reader });
          if (file.error !== null) expect(CODES).toHaveProperty(file.error.code);
          // What is kept can be written: no half surrogates, no cycles, no depth.
          for (const trajectory of trajectories) JSON.stringify(trajectory);
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
    );
  });

  it('whatever is detected for damaged bytes is read without an uncoded fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        async ({ name, text }, edits) => {
          await collect(temporary(`any-${name}`, mutate(Buffer.from(text), edits)));
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
    );
  });
});
