import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fit as fitSpace } from '../../dist/audit/index.js';
import { CollapseAwareError } from '../../dist/errors.js';
import { readFiles } from '../../dist/formats/index.js';
import { armFigures, seedReward } from './arm-figures.mjs';
import { DRY_POLICY } from './random-policy.mjs';
import { EXAM, TRAINING } from './runs.mjs';
import { stageZeroTable, tableMarkdown } from './stage-zero-table.mjs';

/** Most sessions of an arm that the common space is fitted on. */
const FITTED = 1000;

/**
 * Recorded sessions of the arms to the table, written beside them as `table.json` and `table.md`. One behaviour space
 * serves all arms: fitted on people where there are some, else on an equal share of every arm's sessions.
 * @param exports arm -> files of native records
 * @throws CA_INPUT_EMPTY, CA_FORMAT_INVALID where a measured table was to be made of a dry run's sessions
 */
export async function assemble({ benchmark, exports, people, measured, runs, notes }) {
  const sessions = new Map();
  const seeds = new Map();
  for (const [arm, files] of exports) {
    const bySeed = await Promise.all(files.map((file) => sessionsOf([file], measured)));
    sessions.set(arm, bySeed.flat());
    seeds.set(
      arm,
      bySeed.map((rows, at) => ({ seed: basename(dirname(files[at])), testReward: seedReward(rows) })),
    );
  }
  const fitted = [...sessions.values()].flatMap(spread);
  const { space } = await fitSpace(fitted, people ?? [], {});
  const arms = new Map();
  for (const [arm, rows] of sessions)
    arms.set(arm, {
      ...(await armFigures({ sessions: rows, space, people, range: benchmark.plan.reward.range })),
      seeds: seeds.get(arm),
    });
  const table = stageZeroTable({
    benchmark,
    arms,
    measured,
    space: { id: space.id, k: space.k, fittedOn: people === null ? "all arms' sessions" : 'people' },
    notes,
  });
  const files = {
    json: join(runs, benchmark.id, 'table.json'),
    markdown: join(runs, benchmark.id, 'table.md'),
  };
  writeFileSync(files.json, `${JSON.stringify(table, null, 2)}\n`);
  writeFileSync(files.markdown, tableMarkdown(table));
  return { table, files };
}

async function sessionsOf(files, measured) {
  const rows = [];
  for await (const one of readFiles(files)) if (one.kind === 'trajectory') rows.push(one.trajectory);
  if (rows.length === 0)
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'no session is in it', { place: { file: files[0] } });
  if (measured && rows.some(({ policy }) => policy.id === DRY_POLICY))
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'its sessions are of a dry run: nothing was measured', {
      place: { file: files[0] },
      todo: 'give a folder of real runs',
    });
  return rows;
}

/** Every k-th session, so that no arm and no moment of it weighs more. */
function spread(rows) {
  const seen = rows.filter(({ run, split }) => split === 'seen' && (run === TRAINING || run === EXAM));
  const every = Math.max(1, Math.ceil(seen.length / FITTED));
  return seen.filter((_, at) => at % every === 0);
}
