import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SCRIPT = join(resolve(import.meta.dirname, '../..'), 'scripts/check-pair.mjs');

interface Report {
  readonly ok: boolean;
  readonly draws: number;
  readonly drift: number;
  readonly results: readonly {
    readonly estimate: string;
    readonly design: string;
    readonly expected: string;
    readonly bias: number;
    readonly low: number;
    readonly high: number;
    readonly exactBias: number;
    readonly exactWithin: number;
  }[];
}

const run = (...options: string[]) => promisify(execFile)(process.execPath, [SCRIPT, ...options]);

const report = async (...options: string[]): Promise<Report> =>
  JSON.parse((await run('--json', ...options)).stdout);

describe('npm run check:pair', () => {
  it('holds 0 for the pair weights of either design, and excludes it for what others do', async () => {
    const { ok, draws, drift, results } = await report('--draws', '100000');
    expect([ok, draws]).toEqual([true, 100_000]);
    expect(drift).toBeLessThan(1e-9);
    const of = (design: string, estimate: string) =>
      results.find((result) => result.design === design && result.estimate === estimate)!;
    for (const right of [
      of('conditional-poisson', 'pairs, 1 / pi_ij'),
      of('conditional-poisson', 'full group as baseline, 1 / pi_i'),
      of('poisson', 'pairs, 1 / (pi_i pi_j)'),
    ]) {
      expect(right.low).toBeLessThanOrEqual(0);
      expect(right.high).toBeGreaterThanOrEqual(0);
      expect(Math.abs(right.exactBias)).toBeLessThan(1e-9);
      expect(right.exactWithin).toBeLessThan(1e-9);
    }
    for (const wrong of [
      of('conditional-poisson', 'mean over kept, their own baseline'),
      of('conditional-poisson', 'their own baseline, 1 / pi_i'),
      of('conditional-poisson', 'pairs, 1 / (pi_i pi_j)'),
      of('poisson', 'mean over kept, their own baseline'),
    ]) {
      expect(wrong.low > 0 || wrong.high < 0).toBe(true);
      expect(wrong.low).toBeLessThanOrEqual(wrong.exactBias);
      expect(wrong.high).toBeGreaterThanOrEqual(wrong.exactBias);
    }
    // The same figures as a table, from the same seed.
    const table = (await run('--draws', '100000')).stdout.split('\n').filter((line) => line.startsWith('| '));
    expect(table).toHaveLength(2 + results.length);
    results.forEach(({ estimate, bias }, i) => {
      expect(table[2 + i]).toContain(`| ${estimate} | ${bias < 0 ? '' : '+'}${bias.toFixed(3)} [`);
    });
  });

  it('shows that pointwise weights are right on average where no weight depends on the group, yet for no group', async () => {
    const { ok, results } = await report('--weights', 'own', '--draws', '200000');
    expect(ok).toBe(true);
    const only = results.filter(({ expected }) => expected === 'unbiased over groups only');
    expect(only.map(({ estimate }) => estimate)).toEqual(['their own baseline, 1 / pi_i']);
    expect(Math.abs(only[0]!.exactBias)).toBeLessThan(1e-9);
    expect(only[0]!.exactWithin).toBeGreaterThan(0.1);
  });

  it.each([
    [['--draws', '10'], '--draws must be a whole number of at least 1000, got 10'],
    [['--weights', 'none'], '--weights must be group or own, got none'],
  ])('refuses %j', async (options, message) => {
    await expect(run(...options)).rejects.toMatchObject({ code: 2, stderr: `${message}\n` });
  });
});
