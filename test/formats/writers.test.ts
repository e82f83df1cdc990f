import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { convert } from '../../src/formats/convert.ts';
import { parquetColumns, readParquetRows } from '../../src/formats/parquet.ts';
import { readFiles } from '../../src/formats/read.ts';
import { nativeWriter } from '../../src/formats/write-native.ts';
import { openAiMessages, openAiWriter } from '../../src/formats/write-openai.ts';
import { PARQUET_COLUMNS, parquetWriter } from '../../src/formats/write-parquet.ts';
import type { Writer } from '../../src/formats/writer.ts';
import { writerNamed } from '../../src/formats/writers.ts';
import { simulatorFacts } from '../../src/trajectory/identity.ts';
import { TRAJECTORY_SCHEMA, type Trajectory, type Turn } from '../../src/trajectory/trajectory.ts';
import { collect, DATA, hasData } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-writers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let counter = 0;
const place = (name: string) => join(folder, `${counter++}`, name);

/** Text that UTF-8 can hold. */
const text = fc.string({ unit: 'binary' });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
// -0 is 0 in JSON.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const call = fc.record(
  {
    id: text,
    name: text,
    arguments: fc.oneof(fc.constant(null), fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.integer())),
  },
  { requiredKeys: ['name', 'arguments'] },
);
const turn: fc.Arbitrary<Turn> = fc.record(
  {
    role: fc.constantFrom('agent', 'tool', 'system', 'user'),
    text: optional(text),
    toolCalls: fc.array(call, { minLength: 1, maxLength: 2 }),
    requestor: fc.constantFrom('user', 'agent'),
    acts: fc.array(text, { maxLength: 2 }),
    probability: number,
    candidates: fc.array(fc.record({ text, probability: optional(number) }), { maxLength: 2 }),
    resamples: fc.array(
      fc.record({ law: fc.constantFrom('member', 'population'), member: optional(text), text }),
      { maxLength: 2 },
    ),
    probeProbability: fc.double({ min: 0, max: 1, minExcluded: true, noNaN: true }),
  },
  { requiredKeys: ['role', 'text'] },
) as fc.Arbitrary<Turn>;

const trajectory: fc.Arbitrary<Trajectory> = fc.record({
  schema: fc.constant(TRAJECTORY_SCHEMA),
  id: text,
  context: text,
  contextFrom: fc.constantFrom('scenario', 'label', 'none'),
  contextLabel: optional(text),
  benchmark: optional(text),
  domain: optional(text),
  scenario: optional(text),
  group: optional(text),
  epoch: optional(fc.integer()),
  run: optional(text),
  simulator: fc
    .record({
      id: text,
      kind: fc.constantFrom('llm', 'scripted', 'human', 'trained'),
      person: optional(text),
      model: optional(text),
      recipe: optional(text),
      fingerprint: optional(text),
    })
    .map(simulatorFacts),
  policy: fc.record({ id: text, checkpoint: optional(text) }),
  turns: fc.array(turn, { maxLength: 4 }).map((turns) => [...turns, { role: 'user', text: 'end' }]),
  reward: optional(number),
  outcome: optional(text),
  split: fc.constantFrom('seen', 'selection', 'test', null),
  termination: optional(text),
  source: fc.record({ file: text, line: optional(fc.nat(1000)) }),
}) as fc.Arbitrary<Trajectory>;

/** Where a record was read from is the one thing that reading it back must change. */
const placed = (row: Trajectory) => ({ ...row, source: null });

async function* failing(rows: Iterable<Trajectory>): AsyncGenerator<Trajectory> {
  yield* rows;
  throw new Error('the reader failed');
}

const some = fc.sample(trajectory, { numRuns: 5, seed: 1 });

describe('round trips', () => {
  for (const [writer, name] of [
    [nativeWriter, 'out.jsonl'],
    [nativeWriter, 'out.jsonl.gz'],
    [parquetWriter, 'out.parquet'],
  ] as [Writer, string][])
    it(`${writer.name} as ${name}: what is read back is what was written`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(trajectory, { minLength: 1, maxLength: 5 }), async (rows) => {
          const path = place(name);
          expect(await convert(rows, writer, path)).toEqual({ written: rows.length, dropped: 0 });
          const { trajectories, file } = await collect(path);
          expect(file.dropped).toBe(0);
          expect(trajectories.map(placed)).toEqual(rows.map(placed));
          rmSync(join(path, '..'), { recursive: true });
        }),
        { numRuns: writer === parquetWriter ? 8 : 60 },
      );
    });

  it.skipIf(!hasData('cooperbench'))('keeps real episodes over native, Parquet and back', async () => {
    const { trajectories } = await collect(join(DATA, 'cooperbench/coop_runs_200.jsonl.gz'));
    const parquet = place('runs.parquet');
    const native = place('runs.jsonl.gz');
    await convert(trajectories, parquetWriter, parquet);
    await convert(readFiles([parquet]), nativeWriter, native);
    expect((await collect(native)).trajectories.map(placed)).toEqual(trajectories.map(placed));
  });

  it('compresses where the name says so', async () => {
    const path = place('out.jsonl.gz');
    await convert(some, nativeWriter, path);
    expect(gunzipSync(readFileSync(path)).toString().trim().split('\n')).toHaveLength(some.length);
  });
});

describe('the Parquet file', () => {
  it('has one row an episode, in order, with columns to query by', async () => {
    const many = Array.from(
      { length: 5000 },
      (_, i): Trajectory => ({ ...some[0]!, id: `${i}`, reward: i === 7 ? null : i }),
    );
    const path = place('many.parquet');
    await convert(many, parquetWriter, path);
    expect(await parquetColumns(path)).toEqual(PARQUET_COLUMNS.map((field) => field.name));
    const rows: Record<string, unknown>[] = [];
    for await (const row of readParquetRows(path)) rows.push(row);
    expect(rows.map((row) => row.id)).toEqual(many.map((row) => row.id));
    expect(rows[7]).toMatchObject({ reward: null, turn_count: many[7]!.turns.length });
    expect(rows[8]!.reward).toBe(8);
    expect(rows[8]!.user_text).toContain('end');
  });

  it('keeps long episodes in order when there are more than it holds in memory', async () => {
    const long = 'x'.repeat(1_000_000);
    const path = place('long.parquet');
    const rows = (function* () {
      for (let i = 0; i < 80; i++)
        yield { ...some[0]!, id: `${i}`, turns: [{ role: 'user', text: `${i} ${long}` }] } as Trajectory;
    })();
    await convert(rows, parquetWriter, path);
    expect(readdirSync(join(path, '..'))).toEqual(['long.parquet']);
    let next = 0;
    for await (const row of readFiles([path]))
      if (row.kind === 'trajectory' && row.trajectory.turns[0]!.text === `${next} ${long}`) next++;
    expect(next).toBe(80);
  });

  it('can be empty', async () => {
    const path = place('none.parquet');
    await convert([], parquetWriter, path);
    expect((await collect(path)).file).toMatchObject({ rows: 0, error: null });
  });
});

describe('convert', () => {
  for (const writer of [nativeWriter, parquetWriter, openAiWriter])
    it(`${writer.name}: leaves no file behind when the rows fail, or the signal comes`, async () => {
      const path = place(`out${writer.extensions.at(-1)}`);
      await expect(convert(failing(some), writer, path)).rejects.toThrow('the reader failed');
      expect(readdirSync(join(path, '..'))).toEqual([]);
      const control = new AbortController();
      const rows = (function* () {
        yield some[0]!;
        control.abort(new Error('stopped'));
        yield some[1]!;
      })();
      await expect(convert(rows, writer, path, { signal: control.signal })).rejects.toThrow('stopped');
      expect(readdirSync(join(path, '..'))).toEqual([]);
    });

  it.each(['trl', 'verl', 'verifiers'])('%s: takes any trajectory, a row for each', async (name) => {
    const writer = writerNamed(name);
    await fc.assert(
      fc.asyncProperty(fc.array(trajectory, { maxLength: 5 }), async (rows) => {
        const path = place(`out${writer.extensions[0]}`);
        await convert(rows, writer, path);
        const ids: unknown[] = [];
        if (path.endsWith('.parquet'))
          for await (const row of readParquetRows(path))
            ids.push(row.id ?? (row.extra_info as { id: unknown }).id);
        else
          for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1))
            ids.push(JSON.parse(line).rollout_id);
        expect(ids).toEqual(rows.map((row) => row.id));
        rmSync(join(path, '..'), { recursive: true });
      }),
      { numRuns: 10 },
    );
  });

  it('counts dropped rows and writes the others', async () => {
    const path = place('out.jsonl');
    const dropped = {
      kind: 'dropped',
      dropped: { file: 'f', line: 1, id: null, code: 'CA_ROW_EMPTY', reason: '' },
    } as const;
    expect(
      await convert([dropped, { kind: 'trajectory', trajectory: some[0]! }], nativeWriter, path),
    ).toEqual({
      written: 1,
      dropped: 1,
    });
    expect(existsSync(path)).toBe(true);
  });
});

describe('OpenAI chat files', () => {
  it('give every tool reply the id of its call', () => {
    expect(
      openAiMessages([
        { role: 'user', text: 'Balance?' },
        {
          role: 'agent',
          text: null,
          toolCalls: [
            { name: 'a', arguments: { x: 1 } },
            { id: 'given', name: 'b', arguments: 'raw' },
          ],
        },
        { role: 'tool', text: '42', requestor: 'agent' },
        { role: 'tool', text: null },
        { role: 'agent', text: 'It is 42.' },
      ]),
    ).toEqual([
      { role: 'user', content: 'Balance?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
          { id: 'given', type: 'function', function: { name: 'b', arguments: 'raw' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '42' },
      { role: 'tool', tool_call_id: 'given', content: '' },
      { role: 'assistant', content: 'It is 42.' },
    ]);
  });

  it('are read back with the same words by the same sides', async () => {
    const spoken: Trajectory = {
      ...some[0]!,
      contextLabel: 'task 1',
      turns: [
        { role: 'user', text: 'Hello' },
        { role: 'agent', text: null, toolCalls: [{ id: '1', name: 'f', arguments: { a: 1 } }] },
        { role: 'tool', text: 'ok', requestor: 'agent' },
        { role: 'agent', text: 'Done' },
      ],
    };
    const path = place('chat.jsonl');
    await convert([spoken], openAiWriter, path);
    const { trajectories, file } = await collect(path);
    expect(file.format).toBe('openai-chat');
    expect(trajectories[0]).toMatchObject({ id: spoken.id, turns: spoken.turns, contextLabel: 'task 1' });
  });
});
