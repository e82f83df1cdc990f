// Calibrates the cut points of the persuasion world's decisions (docs/people.md), prints how close its people then
// are to those of Persuasion for Good, and writes src/lab/worlds/persuasion/cuts.ts. With --check only says whether
// the committed cut points are the same (status 1: not). Reads the built package and no data: what it needs of them
// is fitted and committed by scripts/fit-p4g.mjs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { P4G_PEOPLE } from '../dist/lab/people/index.js';
import {
  amountShares,
  calibratedCuts,
  EACH,
  HORIZONS,
  meet,
  SEED,
} from '../dist/lab/worlds/persuasion/calibration.js';
import { cutsOf } from '../dist/lab/worlds/persuasion/decision.js';
import { describeGoodness } from '../dist/lab/worlds/persuasion/goodness.js';
import { persuasion } from '../dist/lab/worlds/persuasion/index.js';
import { seeded } from '../dist/math/index.js';

const shares = amountShares(P4G_PEOPLE.donation.counts);
const all = HORIZONS.map((horizon) => {
  const met = meet(persuasion(horizon), EACH, seeded(`${SEED}, ${horizon} turns`));
  const cuts = calibratedCuts(met, shares).map((cut) => Math.round(cut * 1e4) / 1e4);
  if (horizon === HORIZONS[0]) console.log(describeGoodness(met, cuts).join('\n'));
  return { horizon, cuts };
});

const target = join(resolve(import.meta.dirname, '..'), 'src/lab/worlds/persuasion/cuts.ts');
if (process.argv.includes('--check')) {
  for (const { horizon, cuts } of all) {
    const committed = cutsOf(horizon);
    // The last digit is the machine's: exp differs.
    if (cuts.every((cut, k) => Math.abs(cut - committed[k]) <= 2e-4)) continue;
    console.error(
      `cuts of ${horizon} turns are not what the world gives: node scripts/calibrate-persuasion.mjs`,
    );
    process.exitCode = 1;
  }
} else {
  const text = [
    'export interface Cuts {',
    '  readonly horizon: number;',
    '  /** Log odds against giving at least 0.10, 0.25, 0.50, 1 and 2 dollars at inclination 0. */',
    '  readonly cuts: readonly number[];',
    '}',
    '',
    '/** Written by scripts/calibrate-persuasion.mjs, to be run again after any change of what comes before them. */',
    `export const CUTS: readonly Cuts[] = ${JSON.stringify(all)};`,
    '',
  ].join('\n');
  writeFileSync(target, text);
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  execFileSync(process.execPath, [biome, 'check', '--write', target], { stdio: 'ignore' });
}
