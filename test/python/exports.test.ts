import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writerNamed } from '../../src/formats/writers.ts';
import type { TrainingSignals } from '../../src/trajectory/training-signals.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { requirement } from '../require.ts';
import { exportSignals, retail, telecom } from './export-rows.ts';
import { type Forks, openForks } from './forks.ts';
import { PYTHON, ROOT } from './trl-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing is asked of a network, and nothing is kept in the home folder. */
const ENV = {
  ...process.env,
  HF_HOME: join(folder, 'hub'),
  HF_HUB_OFFLINE: '1',
  TOKENIZERS_PARALLELISM: 'false',
  PYTHONDONTWRITEBYTECODE: '1',
};

const found = spawnSync(PYTHON, [
  '-c',
  'from importlib.util import find_spec as f\nfor n in "datasets trl verl verifiers".split(): assert f(n), n',
]);
const ready = requirement(
  'Python with datasets, trl, verl and verifiers',
  found.status === 0,
  'python3 -m venv .venv && .venv/bin/pip install --no-deps -r test/python/requirements.txt, or name one with CA_PYTHON',
);

let forks: Forks;

// biome-ignore lint/suspicious/noExplicitAny: what a script printed
function python(script: string, ...args: string[]): any {
  const printed = execFileSync(PYTHON, forks.python([join(import.meta.dirname, script), ...args]), {
    encoding: 'utf8',
    env: ENV,
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(printed.trim().split('\n').at(-1)!);
}

async function write(
  writer: string,
  name: string,
  rows: Iterable<readonly [Trajectory, TrainingSignals]> = signed,
): Promise<string> {
  const path = join(folder, name);
  const file = await writerNamed(writer).open(path, { signals: true });
  for (const [trajectory, signals] of rows) await file.write(trajectory, signals);
  await file.close();
  return path;
}

const signed = [
  [retail, exportSignals],
  [telecom, { ...exportSignals, weight: 0.5, mode: null }],
] as const;

/** What the columns of signals have to be for the two rows. */
const columns = [
  { weight: 1.5, gradient_scale: 0.25, inclusion_probability: 0.5, mode: 3, advantage: -0.75, batch: 0 },
  { weight: 0.5, gradient_scale: 0.25, inclusion_probability: 0.5, mode: null, advantage: -0.75, batch: 0 },
];

describe.skipIf(!ready)('trainers read the exports', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    forks = await openForks();
  }, 600_000);
  afterAll(() => forks.close());

  it('datasets: the Parquet file, with numbers as numbers', async () => {
    const { rows, features } = python('read_table.py', 'parquet', await write('parquet', 'rows.parquet'));
    expect(rows).toMatchObject(columns);
    expect(rows[0]).toMatchObject({ id: 'r1', simulator: 'user-a', group: 'g1', reward: 1 });
    expect(rows[1].reward).toBeNull();
    expect(features).toMatchObject({ weight: "Value('float64')", mode: "Value('int32')" });
  });

  it('datasets: native JSON lines', async () => {
    const { rows } = python('read_table.py', 'json', await write('native', 'rows.jsonl'));
    expect(rows[0].training).toEqual(exportSignals);
    expect(rows[0].turns[1].text).toBe('Where is my lamp? 💡');
  });

  it('TRL: both files, down to a step of SFT on what the policy said', async () => {
    const paths = [await write('trl', 'trl.parquet'), await write('trl', 'trl.jsonl')];
    const { files, learned, loss } = python('read_trl.py', ...paths);
    for (const read of files) {
      expect(read.conversational).toEqual([true, true]);
      expect(read.rows).toMatchObject(columns);
      expect(read.rows[0].messages[2].tool_calls[0].function.arguments).toEqual({ item: 'lamp' });
      expect(read.rows[1].messages[4].tool_calls[0].function.arguments).toEqual({ line: 7, deep: true });
      expect(Object.keys(read.rows[0].messages[1])).toEqual(['role', 'content']);
      expect(read.texts[0]).toContain('{"name": "find_order", "arguments": {"item": "lamp"}}');
      expect(read.prompts[0]).toMatch(/Where is my lamp\? 💡<\|im_end\|>\n<\|im_start\|>assistant\n$/);
    }
    expect(learned[0]).toContain('It has shipped.');
    expect(learned[0]).toContain('find_order');
    for (const other of ['Where is my lamp', 'Thanks', 'Be helpful']) expect(learned[0]).not.toContain(other);
    expect(loss).toBeGreaterThan(0);
  });

  it('TRL: GRPO scales advantages by the weight of each rollout, after normalisation', async () => {
    interface Seen {
      readonly id: string;
      readonly signals: { readonly weight: number; readonly gradientScale: number } | null;
      readonly advantage: number;
    }
    const printed = python('train_grpo.py', await write('trl', 'grpo.parquet'));
    const [plain, weighted] = [printed.plain as number[], printed.weighted as Seen[]];
    expect(plain.some((value) => value > 0)).toBe(true);
    expect(new Set(weighted.map(({ id }) => id))).toEqual(new Set(['r1', 't1']));
    const kept = weighted.flatMap(({ signals }) => (signals === null ? [] : [signals.weight]));
    const mean = kept.reduce((sum, weight) => sum + weight, 0) / kept.length;
    expect(kept.length).toBe(weighted.length - 1);
    weighted.forEach(({ signals, advantage }, at) => {
      const factor = signals === null ? 0 : (signals.weight / mean) * signals.gradientScale;
      expect(advantage).toBeCloseTo(plain[at]! * factor, 5);
    });
    const page = readFileSync(join(ROOT, 'docs/exports.md'), 'utf8');
    expect(page).toContain(readFileSync(join(import.meta.dirname, 'weighted_grpo.py'), 'utf8'));
  });

  it('TRL: Parquet columns keep their type when the first rows hold nulls only', async () => {
    const long = 'x'.repeat(1_000_000);
    const rows = Array.from({ length: 24 }, (_, at): readonly [Trajectory, TrainingSignals] => [
      {
        ...(at < 20 ? telecom : retail),
        id: `${at}`,
        turns: [
          { role: 'user', text: long },
          { role: 'agent', text: 'ok' },
        ],
      },
      { ...exportSignals, batch: at < 20 ? null : 1 },
    ]);
    const read = python('read_table.py', 'parquet', await write('trl', 'long.parquet', rows));
    expect(read.rows).toHaveLength(24);
    expect(read.rows[0]).toMatchObject({ reward: null, batch: null, scenario: null });
    expect(read.rows[23]).toMatchObject({ reward: 1, batch: 1, scenario: retail.scenario });
  });

  it('verl: RLHFDataset takes every row and collates a batch', async () => {
    const { rows, batch } = python('read_verl.py', await write('verl', 'verl.parquet'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      data_source: 'retail',
      raw_prompt: [
        { role: 'system', content: 'Be helpful.' },
        { role: 'user', content: 'Where is my lamp? 💡' },
      ],
      reward_model: { style: 'rule', ground_truth: null },
      index: 'r1',
      tools_kwargs: {},
    });
    expect(rows.map((row: { extra_info: unknown }) => row.extra_info)).toMatchObject(columns);
    expect(batch).toMatchObject({ raw_prompt: [2], extra_info: [2], dummy_tensor: [2, 1] });
  });

  it('verifiers: its own reader of results gives the rows', async () => {
    await write('verifiers', 'results.jsonl');
    const { rows, features } = python('read_verifiers.py', folder);
    expect(rows[0]).toMatchObject({ reward: 1, task: 'support', info: { id: 'r1', simulator: 'user-a' } });
    expect(rows[0].prompt).toHaveLength(2);
    expect(rows[0].completion[0].tool_calls[0].function.arguments).toBe('{"item":"lamp"}');
    expect(rows.map((row: { info: unknown }) => row.info)).toMatchObject(columns);
    expect(rows[1].reward).toBeNull();
    expect(features).toMatchObject({ example_id: "Value('int64')", rollout_id: "Value('string')" });
  });

  it.each([
    ['parquet', 'none.parquet'],
    ['trl', 'none-trl.parquet'],
    ['verl', 'none-verl.parquet'],
  ])('a file of %s without rows has its columns', async (writer, name) => {
    const { rows, features } = python('read_table.py', 'table', await write(writer, name, []));
    expect(rows).toEqual([]);
    expect(Object.keys(features)).toContain(writer === 'verl' ? 'extra_info' : 'weight');
  });
});
