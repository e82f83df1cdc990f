import { describe, expect, it } from 'vitest';
import { StepColumns } from '../../../src/lab/training/columns.ts';

/** Step `i` has an observation, mask, act and log probability that are told by `i`. */
function push(columns: StepColumns, i: number) {
  const { inputs, acts } = columns;
  columns.push(
    i % 7,
    Float64Array.from({ length: inputs }, (_, j) => i + j / 10),
    0,
    Uint8Array.from({ length: acts }, (_, a) => (i + a) % 2),
    0,
    i % acts,
    -i / 100,
  );
}

function filled(n: number): StepColumns {
  const columns = new StepColumns(3, 2);
  for (let i = 0; i < n; i++) push(columns, i);
  return columns;
}

describe('columns of steps', () => {
  it('hold what was pushed, in order, past every growth', () => {
    const n = 5000;
    const { episode, act, logProb, observation, mask } = filled(n).columns;
    expect([episode.length, act.length, logProb.length]).toEqual([n, n, n]);
    expect([observation.length, mask.length]).toEqual([3 * n, 2 * n]);
    for (const i of [0, 1, 1023, 1024, 1025, 2047, 2048, 4096, n - 1]) {
      expect(episode[i]).toBe(i % 7);
      expect(act[i]).toBe(i % 2);
      expect(logProb[i]).toBe(-i / 100);
      expect([...observation.subarray(3 * i, 3 * i + 3)]).toEqual([i, i + 0.1, i + 0.2]);
      expect([...mask.subarray(2 * i, 2 * i + 2)]).toEqual([i % 2, (i + 1) % 2]);
    }
  });

  it('take a row from the middle of a batch, and keep no hold on it', () => {
    const columns = new StepColumns(2, 2);
    const observation = Float64Array.of(1, 2, 3, 4, 5, 6);
    const mask = Uint8Array.of(1, 1, 0, 1, 1, 0);
    columns.push(4, observation, 2, mask, 4, 0, -0.5);
    observation.fill(9);
    mask.fill(9);
    expect([...columns.columns.observation]).toEqual([3, 4]);
    expect([...columns.columns.mask]).toEqual([1, 0]);
  });

  it('are empty before the first step and after being cleared', () => {
    expect(new StepColumns(3, 2).columns.act).toHaveLength(0);
    const columns = filled(2000);
    columns.clear();
    expect(columns.length).toBe(0);
    expect(columns.columns.observation).toHaveLength(0);
    push(columns, 42);
    expect([...columns.columns.observation]).toEqual([42, 42.1, 42.2]);
  });
});
