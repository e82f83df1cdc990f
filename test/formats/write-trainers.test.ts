import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { convert } from '../../src/formats/convert.ts';
import { parquetColumns, readParquetRows } from '../../src/formats/parquet.ts';
import { WRITERS, writerNamed } from '../../src/formats/writers.ts';
import type { TrainingSignals } from '../../src/trajectory/training-signals.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { exportSignals, retail, telecom } from '../python/export-rows.ts';
import { collect } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-trainers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let counter = 0;
const place = (name: string) => join(folder, `${counter++}`, name);

const FILES: readonly (readonly [writer: string, file: string])[] = [
  ['native', 'rows.jsonl'],
  ['parquet', 'rows.parquet'],
  ['openai', 'rows.jsonl'],
  ['trl', 'rows.parquet'],
  ['trl', 'rows.jsonl'],
  ['verl', 'rows.parquet'],
  ['verifiers', 'results.jsonl'],
];

async function write(
  writer: string,
  path: string,
  rows: readonly (readonly [Trajectory, TrainingSignals?])[],
  signals?: boolean,
): Promise<string> {
  const file = await writerNamed(writer).open(path, signals === undefined ? {} : { signals });
  for (const [trajectory, training] of rows) await file.write(trajectory, training);
  await file.close();
  return path;
}

const signed = [
  [retail, exportSignals],
  [telecom, { ...exportSignals, batch: null, mode: null }],
] as const;

async function tableOf(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const row of readParquetRows(path)) rows.push(row);
  return rows;
}

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('every writer', () => {
  it('is tried here', () => {
    expect(new Set(FILES.map(([name]) => name))).toEqual(new Set(WRITERS.map(({ name }) => name)));
  });

  it.each(FILES)('%s as %s: equal rows give equal bytes', async (writer, name) => {
    const sums = [];
    for (let round = 0; round < 2; round++)
      sums.push(
        createHash('sha256')
          .update(readFileSync(await write(writer, place(name), signed)))
          .digest('hex'),
      );
    expect(sums[0]).toBe(sums[1]);
  });

  it.each(FILES)('%s as %s: no rows make a file that can be read', async (writer, name) => {
    const path = await write(writer, place(name), [], true);
    if (!name.endsWith('.parquet')) expect(readFileSync(path, 'utf8')).toBe('');
    else {
      expect(await tableOf(path)).toEqual([]);
      const columns = await parquetColumns(path);
      expect(columns).toContain(writer === 'verl' ? 'extra_info' : 'weight');
    }
  });

  it.each(FILES)('%s as %s: leaves nothing behind when given up', async (writer, name) => {
    const path = place(name);
    const file = await writerNamed(writer).open(path);
    await file.write(retail, exportSignals);
    await file.abort();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each(FILES)('%s as %s: has no half of a surrogate pair', async (writer, name) => {
    const odd: Trajectory = { ...retail, turns: [{ role: 'user', text: 'a\ud800b \\ud800 \u{1f600}' }] };
    const path = await write(writer, place(name), [[odd]]);
    const text = JSON.stringify(name.endsWith('.parquet') ? await tableOf(path) : linesOf(path));
    if (writer !== 'parquet') expect(text.replaceAll('\\\\', '')).not.toMatch(/\\ud[89a-f]/i);
    expect(text).toContain('\u{1f600}');
  });
});

describe('files with training signals', () => {
  it('native: hold them beside the trajectory, and read back as the trajectory', async () => {
    const path = await write('native', place('rows.jsonl'), signed);
    expect(linesOf(path)[0]!.training).toEqual(exportSignals);
    const { trajectories, file } = await collect(path);
    expect(file.dropped).toBe(0);
    expect(trajectories.map((row) => ({ ...row, source: retail.source }))).toEqual([retail, telecom]);
  });

  it('native and Parquet: are what they always were without them', async () => {
    const lines = linesOf(await write('native', place('rows.jsonl'), [[retail]]));
    expect(lines).toEqual([retail]);
    const columns = await parquetColumns(await write('parquet', place('rows.parquet'), [[retail]]));
    expect(columns).not.toContain('weight');
    expect(columns.at(-1)).toBe('user_text');
  });

  it('Parquet: hold them as columns, null where there is none, and read back as the trajectory', async () => {
    const path = await write('parquet', place('rows.parquet'), signed);
    const [first, second] = await tableOf(path);
    expect(first).toMatchObject({
      hash: '00112233445566778899aabbccddeeff',
      weight: 1.5,
      gradient_scale: 0.25,
      inclusion_probability: 0.5,
      mode: 3,
      advantage: -0.75,
      batch: 0,
      simulator: 'user-a',
      group: 'g1',
    });
    expect(second).toMatchObject({ mode: null, batch: null, reward: null });
    const { trajectories } = await collect(path);
    expect(trajectories.map((row) => ({ ...row, source: retail.source }))).toEqual([retail, telecom]);
  });

  it('Parquet: refuse signals that the file has no columns for, rather than lose them', async () => {
    const path = place('rows.parquet');
    const rows = [[retail], [telecom, exportSignals]] as const;
    await expect(write('parquet', path, rows)).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
  });
});

describe('trl', () => {
  it.each(['rows.jsonl', 'rows.parquet'])('%s: the episode as the policy had it', async (name) => {
    const path = await write('trl', place(name), signed);
    const rows = name.endsWith('.jsonl') ? linesOf(path) : await tableOf(path);
    const messages = (rows[0]!.messages as unknown[]).map((message) =>
      typeof message === 'string' ? JSON.parse(message) : message,
    );
    expect(messages).toEqual([
      { role: 'system', content: 'Be helpful.' },
      { role: 'user', content: 'Where is my lamp? 💡' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'find_order', arguments: { item: 'lamp' } } },
        ],
      },
      { role: 'tool', content: 'shipped', tool_call_id: 'call_1', name: 'find_order' },
      { role: 'assistant', content: 'It has shipped.' },
      { role: 'user', content: 'Thanks' },
    ]);
    expect({ ...rows[0], messages: null }).toEqual({
      id: 'r1',
      messages: null,
      prompt_messages: 2,
      reward: 1,
      simulator: 'user-a',
      group: 'g1',
      context: 'retail/-/1',
      scenario: 'You ordered a lamp.',
      hash: '00112233445566778899aabbccddeeff',
      weight: 1.5,
      gradient_scale: 0.25,
      inclusion_probability: 0.5,
      mode: 3,
      advantage: -0.75,
      batch: 0,
    });
    expect(rows[1]!.reward).toBeNull();
  });
});

describe('verl', () => {
  it('prompts end where the policy first answers; the rest is in extra_info', async () => {
    const rows = await tableOf(await write('verl', place('rows.parquet'), signed));
    expect(rows[0]).toMatchObject({
      data_source: 'retail',
      prompt: [
        { role: 'system', content: 'Be helpful.' },
        { role: 'user', content: 'Where is my lamp? 💡' },
      ],
      reward_model: { style: 'rule', ground_truth: null },
      extra_info: {
        index: 'r1',
        id: 'r1',
        group: 'g1',
        simulator: 'user-a',
        hash: '00112233445566778899aabbccddeeff',
        weight: 1.5,
        batch: 0,
        reward: 1,
      },
    });
    const extra = rows[0]!.extra_info as { completion: string };
    expect(JSON.parse(extra.completion)).toHaveLength(4);
    expect(rows[1]!.extra_info).toMatchObject({ reward: null, mode: null });
  });

  it('has an opening of the policy in the prompt, but nothing that only the user saw', async () => {
    const [, row] = await tableOf(await write('verl', place('rows.parquet'), signed));
    expect(row!.prompt).toEqual([
      { role: 'assistant', content: 'Hi!' },
      { role: 'user', content: 'No signal.' },
    ]);
    expect(JSON.stringify(row)).not.toContain('toggle_airplane_mode');
  });

  it('is read back as where rollouts start', async () => {
    const { trajectories, file } = await collect(await write('verl', place('rows.parquet'), signed));
    expect(file).toMatchObject({ format: 'verl-dataset', kept: 2, dropped: 0 });
    expect(trajectories[0]!.turns).toEqual(retail.turns.slice(0, 2));
  });
});

describe('verifiers', () => {
  it('is read back with the same id, words, reward and simulator', async () => {
    const { trajectories, file } = await collect(await write('verifiers', place('results.jsonl'), signed));
    expect(file).toMatchObject({ format: 'verifiers', kept: 2, dropped: 0 });
    expect(trajectories[0]).toMatchObject({
      id: 'r1',
      reward: 1,
      domain: 'support',
      turns: retail.turns.map((turn) =>
        turn.toolCalls === undefined
          ? turn
          : { ...turn, toolCalls: [{ id: 'call_1', ...turn.toolCalls[0] }] },
      ),
    });
    expect(trajectories[0]!.simulator.id).toBe('user-a');
    expect(trajectories[1]!.reward).toBeNull();
  });

  it('gives one context one whole number, whatever the order of rows', async () => {
    const same: Trajectory = { ...telecom, context: retail.context };
    const rows = linesOf(await write('verifiers', place('results.jsonl'), [[same], [retail], [telecom]]));
    expect(rows[0]!.example_id).toBe(rows[1]!.example_id);
    expect(rows[2]!.example_id).not.toBe(rows[1]!.example_id);
    expect(Number.isSafeInteger(rows[0]!.example_id)).toBe(true);
  });
});

it('convert writes to any of them', async () => {
  for (const [name, file] of FILES)
    expect(await convert([retail, telecom], writerNamed(name), place(file))).toEqual({
      written: 2,
      dropped: 0,
    });
});
