import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CollapseAwareError } from '../../dist/errors.js';
import { readFiles } from '../../dist/formats/index.js';
import { ARMS } from './arms.mjs';
import { assemble } from './assemble.mjs';

/**
 * The table of the runs under `STAGE_ZERO_RUNS`: `<benchmark>/<arm>/<seed>/sessions.jsonl`, every seed of an arm. Arms
 * that were not run are named and left out.
 * @throws CA_CONFIG_INVALID, CA_FILE_NOT_FOUND, and what `assemble` throws
 */
export async function measuredTable(benchmark, environment) {
  const runs = environment.STAGE_ZERO_RUNS ?? '';
  if (runs === '')
    throw new CollapseAwareError('CA_CONFIG_INVALID', 'STAGE_ZERO_RUNS is not set', {
      todo: 'export the folder that the runs were written to',
    });
  const exports = new Map();
  const seeds = new Map();
  for (const arm of ARMS) {
    const folder = join(runs, benchmark.id, arm);
    const found = existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .filter((seed) => existsSync(join(folder, seed, 'sessions.jsonl')))
      : [];
    if (found.length === 0) continue;
    seeds.set(arm, found);
    exports.set(
      arm,
      found.map((seed) => join(folder, seed, 'sessions.jsonl')),
    );
  }
  if (exports.size === 0)
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no arm has sessions there', {
      place: { file: join(runs, benchmark.id, 'ARM', 'SEED', 'sessions.jsonl') },
      todo: `run the arms first: node experiments/run.mjs ${benchmark.id} prints how`,
    });
  const notes = ARMS.map((arm) =>
    seeds.has(arm) ? `${arm}: seeds ${seeds.get(arm).join(', ')}` : `${arm}: not run, and in no row`,
  );
  const people = await peopleOf(benchmark, environment);
  return assemble({ benchmark, exports, people, measured: true, runs, notes });
}

async function peopleOf({ plan }, environment) {
  if (plan.people === undefined) return null;
  const file = environment[plan.people.environment] ?? '';
  if (file === '')
    throw new CollapseAwareError('CA_CONFIG_INVALID', `${plan.people.environment} is not set`, {
      todo: `export ${plan.environment[plan.people.environment]}`,
    });
  const rows = [];
  for await (const one of readFiles([file])) if (one.kind === 'trajectory') rows.push(one.trajectory);
  return rows;
}
