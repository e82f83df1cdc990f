import { describe, expect, it } from 'vitest';
import { type LabCheckOptions, labCheckSteps, labChecks } from '../../../src/lab/check/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';

const few: LabCheckOptions = { runs: 20, seed: 5, worlds: [persuasion(5)] };

describe('lab checks', () => {
  const parts: string[] = [];
  const found = labChecks({
    ...few,
    onProgress: (part, done, total) => parts.push(`${part} ${done}/${total}`),
  });

  it('pass', () => {
    expect(found.checks.filter(({ verdict }) => verdict === 'outside')).toEqual([]);
    expect(found.passed).toBe(true);
  });

  it('are plain data, each with a name of its own and a number or a reason', () => {
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    expect(new Set(found.checks.map(({ id }) => id)).size).toBe(found.checks.length);
    for (const { estimate } of found.checks)
      expect(estimate.value !== null || estimate.reason !== undefined).toBe(true);
  });

  it('are the same for the same seed, and others for another', () => {
    expect(labChecks(few)).toEqual(found);
    expect(labChecks({ ...few, seed: 6 }).checks).not.toEqual(found.checks);
  });

  it('say where they are', () => {
    expect(parts[0]).toMatch(/^law persuasion-5 0\/(\d+)$/);
    expect(parts.at(-1)).toMatch(/^done (\d+)\/\1$/);
  });

  it('stop between two parts when told to', () => {
    const stop = new AbortController();
    const steps = labCheckSteps({ ...few, signal: stop.signal });
    steps.next();
    stop.abort(new Error('enough'));
    expect(() => steps.next()).toThrow('enough');
  });

  it('refuse too few runs', () => {
    expect(() => labChecks({ runs: 3 })).toThrow(RangeError);
  });
});
