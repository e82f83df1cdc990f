import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/lab/methods/index.ts';
import { type Cell, SIGNS, signVerdicts, verdictOf } from '../../../src/lab/stage-zero/index.ts';
import { type MadeCell, madeCell } from './made-cells.ts';

const cells = (method: string, values: readonly number[], more: Partial<MadeCell> = {}): [string, Cell[]] => [
  method,
  values.map((heldOut, i) => madeCell({ method, seed: i + 1, heldOut, ...more })),
];
const verdicts = (...all: [string, Cell[]][]) =>
  new Map(signVerdicts('persuasion', new Map(all)).map((one) => [one.id, one]));

describe('expected signs', () => {
  it('are those that docs/lab.md lists, in its order', () => {
    const text = readFileSync('docs/lab.md', 'utf8');
    const listed = [...text.slice(text.indexOf('## What is expected')).matchAll(/^\| `([^`]+)` \|/gm)];
    expect(SIGNS.map(({ id }) => id)).toEqual(listed.map(([, id]) => id));
  });

  it('name methods that there are', () => {
    const known = new Set(METHODS.map(({ id }) => id));
    for (const { test } of SIGNS)
      for (const method of test.kind === 'difference' ? [test.of, test.less] : [test.method])
        expect(known).toContain(method);
  });

  it('are seen, not seen or opposite by the interval of the paired difference', () => {
    const found = verdicts(
      cells('single', [0.4, 0.5, 0.6, 0.7]),
      cells('vs-prob', [0.5, 0.61, 0.69, 0.8]),
      cells('ensemble-3', [0.3, 0.41, 0.49, 0.6]),
      cells('persona', [0.5, 0.4, 0.7, 0.6]),
    );
    expect(found.get('vs-over-single')).toMatchObject({ verdict: 'seen' });
    expect(found.get('ensemble-over-single')).toMatchObject({ verdict: 'opposite' });
    expect(found.get('persona-over-single')).toMatchObject({ verdict: 'not seen' });
    expect(found.get('co-training-over-single')).toMatchObject({
      verdict: null,
      figure: { value: null, reason: 'no cell of co-training' },
    });
    expect(found.has('ensemble-over-vs-in-service')).toBe(false);
  });

  it('have no verdict from two seeds, nor from diverged ones', () => {
    const two = verdicts(cells('single', [0.4, 0.5]), cells('vs-prob', [0.8, 0.9]));
    expect(two.get('vs-over-single')).toMatchObject({
      verdict: null,
      figure: { reason: 'fewer than 3 seeds' },
    });
    const lost = verdicts(
      cells('single', [0.4, 0.5, 0.6]),
      cells('vs-prob', [0.8, 0.9, 0.95], { diverged: true }),
    );
    expect(lost.get('vs-over-single')).toMatchObject({ verdict: null, figure: { n: 0 } });
  });

  it('of training are changes within a run', () => {
    const single = [1, 2, 3].map((seed) =>
      madeCell({
        method: 'single',
        seed,
        step: (step) => ({ zeroVariance: (step + seed) / 100, entropy: 1 + step / 60, reward: 0.5 }),
      }),
    );
    const found = verdicts(['single', single]);
    expect(found.get('collapse-zero-variance')).toMatchObject({ verdict: 'seen' });
    expect(found.get('collapse-zero-variance')!.figure.value).toBeCloseTo(0.35, 12);
    expect(found.get('collapse-entropy')).toMatchObject({ verdict: 'opposite' });
    expect(found.get('collapse-train-reward')).toMatchObject({ verdict: 'not seen' });
    // (0.9 - 0.5) - (0.4 - 0.3)
    expect(found.get('collapse-psod')!.figure.value).toBeCloseTo(0.3, 12);
  });

  it('take an absence for seen only where a gain is ruled out', () => {
    const interval = (low: number, high: number) => ({ value: 0, low, high, n: 5, method: 't' });
    expect(verdictOf('not above', interval(-0.1, 0.02))).toBe('seen');
    expect(verdictOf('not above', interval(-0.1, 0.2))).toBe('not seen');
    expect(verdictOf('not above', interval(0.01, 0.02))).toBe('opposite');
  });
});
