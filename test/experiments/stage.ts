import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const EXPERIMENTS = join(ROOT, 'experiments');
export const BENCHMARKS = ['p4g', 'tau2-retail', 'tau2-airline', 'cooperbench'] as const;
export const ARMS = ['base', 'single', 'ensemble-3', 'vs', 'co-training', 'collapse-aware'] as const;

export const script = (name: string) => join(EXPERIMENTS, name);

/** What the power script prints. */
export function power(given: readonly string[]): string {
  return execFileSync(process.execPath, [script('power.mjs'), ...given], { encoding: 'utf8' });
}
