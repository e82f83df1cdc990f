// Writes conformance/cases/*.json from seeded inputs: `npm run build:ts && node conformance/generate.mjs`.
// Needs the repository (the published scores are read from test/fixtures). A change of any expected number is a change
// of meaning: see "Versions" in README.md before committing it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerOf } from './answers/task.mjs';
import { agrees } from './compare.mjs';
import { BDI } from './inputs/bdi.mjs';
import { COMPANIONS } from './inputs/companions.mjs';
import { DIALOGUES } from './inputs/dialogues.mjs';
import { EPSILON } from './inputs/epsilon.mjs';
import { IDENTITY, PROFILE } from './inputs/identity.mjs';
import { MCI } from './inputs/mci.mjs';
import { PSOD } from './inputs/psod.mjs';
import { SCD } from './inputs/scd.mjs';
import { CHANGE } from './inputs/scd-change.mjs';
import { publishedScores, VECTORS } from './inputs/vectors.mjs';
import { layout } from './layout.mjs';

export const SCHEMA = 'collapse-aware/conformance@1';
const TOLERANCE = { absolute: 1e-8, relative: 1e-8 };
const DIGITS = 10;

/** File name -> text of all case files. `library`: the parts of the package (library.mjs). */
export function caseFiles(library) {
  const published = JSON.parse(
    readFileSync(new URL('../test/fixtures/metric-vectors.json', import.meta.url), 'utf8'),
  );
  const files = [
    MCI,
    SCD,
    CHANGE,
    BDI,
    PSOD,
    COMPANIONS,
    EPSILON,
    VECTORS,
    publishedScores(published),
    IDENTITY,
    PROFILE,
    DIALOGUES,
  ];
  return new Map(
    files.map(({ file, group, title, cases }) => [
      `${file}.json`,
      `${layout({
        schema: SCHEMA,
        group,
        title,
        tolerance: TOLERANCE,
        cases: cases.map((one) => withExpected(one, library)),
      })}\n`,
    ]),
  );
}

/** What theory says goes before what this package says; the two must agree. */
function withExpected({ id, about, task, input, theory = {}, only, tolerance }, library) {
  const answers = answerOf({ task, input }, library);
  const exact = tolerance?.absolute === 0;
  const expected = {};
  for (const path of only ?? Object.keys(answers))
    expected[path] = exact ? answers[path] : rounded(answers[path]);
  const source = {};
  for (const [path, [value, why]] of Object.entries(theory)) {
    if (!(path in expected)) throw new Error(`${id}: nothing answers ${path}`);
    if (!agrees(answers[path], value, tolerance ?? TOLERANCE))
      throw new Error(`${id}: ${path} is ${answers[path]}, but ${value} (${why})`);
    expected[path] = exact ? value : rounded(value);
    source[path] = why;
  }
  return {
    id,
    about,
    task,
    input,
    expected,
    ...(Object.keys(source).length === 0 ? {} : { source }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}

/** Ten digits: more than the tolerance asks for, fewer than two platforms could write differently. */
function rounded(value) {
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'number') return value;
  return Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(DIGITS));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { builtLibrary } = await import('./library.mjs');
  const files = caseFiles(await builtLibrary());
  const folder = join(import.meta.dirname, 'cases');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) {
    writeFileSync(join(folder, name), text);
    console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
  }
}
