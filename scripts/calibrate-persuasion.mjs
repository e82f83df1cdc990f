// Calibrates the cut points of the persuasion world's decisions (docs/people.md), prints how close its people then
// are to those of Persuasion for Good, and writes src/lab/worlds/persuasion/cuts.ts. With --check only says whether
// the committed cut points are the same (status 1: not). Reads the built package and no data: what it needs of them
// is fitted and committed by scripts/fit-p4g.mjs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { P4G_PEOPLE } from '../dist/lab/people/index.js';
import { amountShares, calibratedCuts, EACH, meet, SEED } from '../dist/lab/worlds/persuasion/calibration.js';
import { CUTS } from '../dist/lab/worlds/persuasion/cuts.js';
import { describeGoodness } from '../dist/lab/worlds/persuasion/goodness.js';
import { persuasion } from '../dist/lab/worlds/persuasion/index.js';
import { seeded } from '../dist/math/index.js';

const met = meet(persuasion(), EACH, seeded(SEED));
const cuts = calibratedCuts(met, amountShares(P4G_PEOPLE.donation.counts)).map(
  (cut) => Math.round(cut * 1e4) / 1e4,
);
console.log(describeGoodness(met, cuts).join('\n'));

const target = join(resolve(import.meta.dirname, '..'), 'src/lab/worlds/persuasion/cuts.ts');
if (process.argv.includes('--check')) {
  // The last digit is the machine's: exp differs.
  if (cuts.some((cut, k) => Math.abs(cut - CUTS[k]) > 2e-4)) {
    console.error(`${target} is not what the world gives (${cuts}): node scripts/calibrate-persuasion.mjs`);
    process.exitCode = 1;
  }
} else {
  const text = [
    '/**',
    ' * Cut points of the ordered logit: log odds against giving at least 0.10, 0.25, 0.50, 1 and 2 dollars at inclination',
    ' * 0. Calibrated by scripts/calibrate-persuasion.mjs, to be run again after any change of what comes before them.',
    ' */',
    `export const CUTS: readonly number[] = ${JSON.stringify(cuts)};`,
    '',
  ].join('\n');
  writeFileSync(target, text);
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  execFileSync(process.execPath, [biome, 'check', '--write', target], { stdio: 'ignore' });
}
