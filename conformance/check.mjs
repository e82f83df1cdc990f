// Checks an implementation against the cases: this package's own build, or answers that another one wrote.
//   node conformance/check.mjs                           our build
//   node conformance/check.mjs --answers answers.json    another implementation; --partial: only what it answers
//   node conformance/check.mjs --write-answers           prints our answers as an example
//   --cases PREFIX                                       only cases whose id begins so
// Exit status: 0 all agree, 1 something differs or is missing, 2 wrong usage.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { answerOf } from './answers/task.mjs';
import { compareCase } from './compare.mjs';

/** All case files of the folder, in the order of their names. */
export function readCases(folder = join(import.meta.dirname, 'cases')) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** What this package answers: case id -> path -> value. */
export function ownAnswers(files, library) {
  return Object.fromEntries(
    files.flatMap(({ cases }) => cases.map((one) => [one.id, answerOf(one, library)])),
  );
}

/**
 * Answers against all cases. Returns the printed lines and whether everything agrees; `partial` checks only what is
 * answered, but asks for one answer at least. Answers to ids that no case has are a fault: a typing error must not pass.
 */
export function check(files, answers, { partial = false } = {}) {
  const lines = [];
  const counts = { agree: 0, differ: 0, missing: 0, paths: 0 };
  const known = new Set();
  for (const { cases, tolerance } of files)
    for (const one of cases) {
      known.add(one.id);
      const own = Object.hasOwn(answers, one.id) ? answers[one.id] : undefined;
      if (own === undefined) {
        counts.missing++;
        if (!partial) lines.push(`missing ${one.id}: no answer`);
        continue;
      }
      const { differ, missing, unknown, agreed, answered } = compareCase(one, own, tolerance, partial);
      counts.paths += answered;
      counts[agreed ? 'agree' : 'differ']++;
      lines.push(`${agreed ? 'agree  ' : 'differ '} ${one.id} (${answered} paths)`);
      for (const { path, answer, expected } of differ)
        lines.push(`        ${path}: ${JSON.stringify(answer)}, expected ${JSON.stringify(expected)}`);
      if (!partial) for (const path of missing) lines.push(`        ${path}: no answer`);
      if (unknown.length > 0) lines.push(`        not asked: ${unknown.join(', ')}`);
    }
  const strange = Object.keys(answers).filter((id) => !known.has(id));
  for (const id of strange) lines.push(`unknown ${id}: no such case`);
  lines.push(
    `${counts.agree} agree, ${counts.differ} differ, ${counts.missing} ${partial ? 'not answered' : 'missing'}; ${counts.paths} paths compared`,
  );
  const complete = partial ? counts.paths > 0 : counts.missing === 0;
  return { ok: counts.differ === 0 && complete && strange.length === 0, lines, counts };
}

/** Cases whose id begins with `prefix`. */
export function selected(files, prefix) {
  if (prefix === undefined) return files;
  return files.map((file) => ({ ...file, cases: file.cases.filter(({ id }) => id.startsWith(prefix)) }));
}

async function main() {
  const options = {
    answers: { type: 'string' },
    cases: { type: 'string' },
    partial: { type: 'boolean', default: false },
    'write-answers': { type: 'boolean', default: false },
  };
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    return usage(error.message);
  }
  const files = selected(readCases(), values.cases);
  if (files.every(({ cases }) => cases.length === 0)) return usage(`no case begins with ${values.cases}`);
  let answers;
  if (values.answers === undefined) {
    const { builtLibrary } = await import('./library.mjs');
    answers = ownAnswers(files, await builtLibrary());
    if (values['write-answers']) {
      console.log(JSON.stringify(answers, null, 1));
      return 0;
    }
  } else {
    try {
      answers = JSON.parse(readFileSync(values.answers, 'utf8'));
    } catch (error) {
      return usage(`${values.answers}: ${error.message}`);
    }
    if (answers === null || typeof answers !== 'object' || Array.isArray(answers))
      return usage(`${values.answers}: expected an object, case id -> path -> value`);
    if (values.cases !== undefined)
      answers = Object.fromEntries(Object.entries(answers).filter(([id]) => id.startsWith(values.cases)));
  }
  const { ok, lines } = check(files, answers, { partial: values.partial });
  console.log(lines.join('\n'));
  return ok ? 0 : 1;
}

function usage(message) {
  console.error(
    `${message}\nusage: node conformance/check.mjs [--answers FILE [--partial]] [--write-answers] [--cases PREFIX]`,
  );
  return 2;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main();
