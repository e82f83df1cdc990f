import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DumpFile, listDumps, readySteps, Settling, stepOfName } from '../../src/cli/watch-folder.ts';
import { folder } from './command.ts';

describe('the step of a file', () => {
  it.each([
    ['12.jsonl', 12],
    ['rollout_000123.jsonl', 123],
    ['completions/completions_00010.parquet', 10],
    ['train_data_step12.jsonl', 12],
    ['step_10/rank_0.jsonl', 10],
    ['rollout_000012_rank3.jsonl.gz', 12],
    ['global_step_40/part-00001.jsonl.zst', 40],
    ['epoch_1/step_7.json', 7],
    ['gpt-4/iter-3.jsonl', 3],
    ['2024-run/9.json', 9],
    ['traces.jsonl', null],
    ['run_5/traces.jsonl', null],
    ['worker_3.jsonl', null],
    ['99999999999999999999.jsonl', null],
  ])('of %s is %s', (path, step) => {
    expect(stepOfName(path)).toBe(step);
  });

  it('can be told by a pattern, or left to the rows', () => {
    expect(stepOfName('b17_s3.jsonl', /b(\d+)/g)).toBe(17);
    expect(stepOfName('b17_s3.jsonl', /x(\d+)/)).toBeNull();
    expect(stepOfName('12.jsonl', 'rows')).toBeNull();
  });
});

const file = (path: string, bytes = 10, changed = 0): DumpFile => ({ path, bytes, changed });

describe('a file', () => {
  it('has settled when nothing of it changed for an interval', () => {
    const settling = new Settling();
    settling.see([file('a', 10)], 0);
    expect(settling.isSettled(file('a', 10), 1999, 2000)).toBe(false);
    settling.see([file('a', 20)], 1999);
    expect(settling.isSettled(file('a', 20), 3000, 2000)).toBe(false);
    settling.see([file('a', 20)], 3999);
    expect(settling.isSettled(file('a', 20), 3999, 2000)).toBe(true);
    settling.see([file('a', 20, 5)], 4000);
    expect(settling.isSettled(file('a', 20, 5), 4001, 2000)).toBe(false);
  });

  it('has not settled while it is empty, was never seen, or came back', () => {
    const settling = new Settling();
    settling.see([file('a', 0), file('b')], 0);
    expect(settling.isSettled(file('a', 0), 9999, 2000)).toBe(false);
    expect(settling.isSettled(file('c'), 9999, 2000)).toBe(false);
    settling.see([], 5000);
    settling.see([file('b')], 6000);
    expect(settling.isSettled(file('b'), 7000, 2000)).toBe(false);
  });
});

describe('steps that can be read', () => {
  it('are all before the latest, in order, and the latest when all its files have settled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ step: fc.integer({ min: 0, max: 6 }), settled: fc.boolean() }), {
          minLength: 1,
        }),
        (facts) => {
          const pending = facts.map(({ step, settled }, at) => ({ step, file: file(`${at}-${settled}`) }));
          const latest = Math.max(...facts.map(({ step }) => step));
          const ready = readySteps(pending, latest, ({ path }) => path.endsWith('true'));
          const steps = ready.map(({ step }) => step);
          const all = [...new Set(facts.map(({ step }) => step))].sort((a, b) => a - b);
          const whole = facts.every(({ step, settled }) => step < latest || settled);
          expect(steps).toEqual(whole ? all : all.slice(0, -1));
          expect(ready.flatMap(({ files }) => files)).toHaveLength(
            facts.filter(({ step }) => steps.includes(step)).length,
          );
        },
      ),
    );
  });

  it('leave the latest alone where an unread file of it is all there is', () => {
    expect(readySteps([{ step: 3, file: file('3') }], 3, () => false)).toEqual([]);
    expect(readySteps([{ step: 3, file: file('3') }], 4, () => false)).toHaveLength(1);
  });
});

it('lists data files in folders below, without hidden ones and its own', async () => {
  const at = folder();
  mkdirSync(join(at, 'sub/.hidden'), { recursive: true });
  for (const path of ['1.jsonl', 'sub/2.parquet', 'sub/.hidden/3.jsonl', '.4.jsonl', 'gate.json', 'log.txt'])
    writeFileSync(join(at, path), 'x');
  const found = await listDumps(at, [join(at, 'gate.json')]);
  expect(found!.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['1.jsonl', 1],
    ['sub/2.parquet', 1],
  ]);
  expect(await listDumps(join(at, 'missing'), [])).toBeNull();
});
