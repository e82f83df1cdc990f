import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as embedding from '../../src/embedding/index.ts';
import * as math from '../../src/math/index.ts';
import * as metrics from '../../src/metrics/index.ts';
import * as space from '../../src/space/index.ts';
import * as trajectory from '../../src/trajectory/index.ts';
import { requirement } from '../require.ts';

type Value = number | string | null | readonly (number | string | null)[];
type Answers = Record<string, Record<string, Value>>;
interface Case {
  readonly id: string;
  readonly task: string;
  readonly expected: Record<string, Value>;
}
interface CaseFile {
  readonly group: string;
  readonly cases: readonly Case[];
}
interface Result {
  readonly ok: boolean;
  readonly lines: readonly string[];
  readonly counts: Record<'agree' | 'differ' | 'missing' | 'paths', number>;
}
interface Checker {
  readCases(): CaseFile[];
  ownAnswers(files: readonly CaseFile[], library: object): Answers;
  check(files: readonly CaseFile[], answers: Answers, options?: { partial?: boolean }): Result;
}

const folder = resolve(import.meta.dirname, '../../conformance');
const library = { math, trajectory, embedding, space, metrics };
/** Plain JavaScript without declarations, as other users of the folder have it. */
const part = (name: string) => import(join(folder, name));
const checker = (await part('check.mjs')) as Checker;
const files = checker.readCases();
const cases = files.flatMap((file) => file.cases);

describe('the conformance cases', () => {
  const answers = checker.ownAnswers(files, library);

  it('agree with the source', () => {
    const { ok, lines, counts } = checker.check(files, answers);
    expect(lines.filter((line) => !line.startsWith('agree'))).toEqual([
      '        not asked: edges',
      `${cases.length} agree, 0 differ, 0 missing; ${counts.paths} paths compared`,
    ]);
    expect(ok).toBe(true);
  });

  it('are what the generator writes, byte for byte', async () => {
    const { caseFiles } = (await part('generate.mjs')) as {
      caseFiles(library: object): Map<string, string>;
    };
    for (const [name, text] of caseFiles(library))
      expect(readFileSync(join(folder, 'cases', name), 'utf8') === text, name).toBe(true);
    expect(caseFiles(library).size).toBe(files.length);
  });

  it('fit their schema, have ids of their own and stay readable in size', () => {
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8')),
    );
    for (const file of files) expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const name of readdirSync(join(folder, 'cases')))
      expect(statSync(join(folder, 'cases', name)).size, name).toBeLessThanOrEqual(60_000);
  });

  it('exercise every task and every group', async () => {
    const { TASKS } = (await part('answers/task.mjs')) as { TASKS: object };
    expect([...new Set(cases.map(({ task }) => task))].sort()).toEqual(Object.keys(TASKS).sort());
    expect([...new Set(files.map(({ group }) => group))].sort()).toEqual(
      ['counts', 'identity', 'profile', 'trajectories', 'vectors'].sort(),
    );
  });

  it('give every interaction feature a value somewhere, and a missing one where it can be missing', () => {
    const dialogues = cases.filter(({ task }) => task === 'features');
    for (const { name } of embedding.FEATURES) {
      const values = dialogues.map(({ expected }) => expected[name]);
      expect(
        values.some((value) => typeof value === 'number' && value !== 0),
        name,
      ).toBe(true);
      expect(values.includes(null), name).toBe(true);
    }
  });

  it('name every reason by a category that the readme lists', async () => {
    const { REASONS } = (await part('answers/figure.mjs')) as { REASONS: string[] };
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const reason of REASONS) expect(readme).toContain(`\`${reason}\``);
    for (const { expected } of cases)
      for (const [path, value] of Object.entries(expected))
        if (path.endsWith('.reason')) expect(REASONS).toContain(value);
  });
});

describe('the checker', () => {
  const answers = checker.ownAnswers(files, library);
  const changed = (id: string, path: string, value: Value): Answers => ({
    ...answers,
    [id]: { ...answers[id], [path]: value },
  });

  it('finds a planted wrong number', () => {
    const right = answers['scd/equal-weights']!['pooled2.value'] as number;
    const result = checker.check(files, changed('scd/equal-weights', 'pooled2.value', right + 1e-6));
    expect(result.ok).toBe(false);
    expect(result.counts).toMatchObject({ differ: 1, missing: 0 });
    const line = result.lines.findIndex((text) => text.startsWith('differ'));
    expect(result.lines[line]).toContain('scd/equal-weights');
    expect(result.lines[line + 1]).toContain('pooled2.value');
  });

  it('passes what lies within the tolerance', () => {
    const right = answers['scd/equal-weights']!['pooled2.value'] as number;
    expect(checker.check(files, changed('scd/equal-weights', 'pooled2.value', right + 1e-9)).ok).toBe(true);
  });

  it('takes 0 for null, null for 0 and text for a number as wrong', () => {
    for (const [id, path, value] of [
      ['mci/one-unit', 'mci.a.value', 0],
      ['bdi/all-outside', 'mass.data.value', null],
      ['mci/equal-modes', 'mci.a.value', '0.25'],
      ['mci/one-unit', 'mci.a.reason', 'no-rows'],
      ['tokens/words', 'tokens', ["don't", 'stop']],
    ] as const)
      expect(checker.check(files, changed(id, path, value)).ok, `${id} ${path}`).toBe(false);
  });

  it('asks no reason of an implementation that gives none', () => {
    const bare = Object.fromEntries(
      Object.entries(answers).map(([id, paths]) => [
        id,
        Object.fromEntries(Object.entries(paths).filter(([path]) => !path.endsWith('.reason'))),
      ]),
    );
    expect(checker.check(files, bare).ok).toBe(true);
  });

  it('finds a missing case, a missing path and an id that no case has', () => {
    const { 'bdi/drawn': _, ...rest } = answers;
    const result = checker.check(files, rest);
    expect(result.ok).toBe(false);
    expect(result.lines).toContain('missing bdi/drawn: no answer');
    const { 'mci.a.low': __, ...paths } = answers['mci/equal-modes']!;
    const short = { ...answers, 'mci/equal-modes': paths };
    expect(checker.check(files, short).ok).toBe(false);
    expect(checker.check(files, short, { partial: true }).ok).toBe(true);
    expect(checker.check(files, rest, { partial: true }).ok).toBe(true);
    expect(checker.check(files, { ...answers, 'mci/typo': {} }).ok).toBe(false);
    expect(checker.check(files, {}, { partial: true }).ok).toBe(false);
  });
});

describe('the command', () => {
  const answers = checker.ownAnswers(files, library);
  let scratch = '';
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'conformance-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function run(own: unknown, ...more: string[]) {
    const file = join(scratch, 'answers.json');
    writeFileSync(file, typeof own === 'string' ? own : JSON.stringify(own));
    return spawnSync(process.execPath, [join(folder, 'check.mjs'), '--answers', file, ...more], {
      encoding: 'utf8',
    });
  }

  it('ends with 0 where all agree, 1 where something differs, 2 where it is used wrongly', () => {
    expect(run(answers).status).toBe(0);
    const wrong = { ...answers, 'mci/one-mode': { ...answers['mci/one-mode'], 'mci.a.value': 0.5 } };
    const failed = run(wrong);
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain('mci.a.value: 0.5, expected 1');
    expect(run(wrong, '--cases', 'scd/').status).toBe(0);
    expect(run(answers, '--cases', 'nothing').status).toBe(2);
    expect(run('[]').status).toBe(2);
    expect(run('{').status).toBe(2);
    expect(run(answers, '--unheard-of').status).toBe(2);
  });

  const python = requirement(
    'python3 (3.8 or later)',
    spawnSync('python3', ['-c', 'import math; math.comb']).status === 0,
    'install python3',
  );
  it.skipIf(!python)('agrees with the Python example, which knows the docs only', () => {
    const example = spawnSync('python3', [join(folder, 'example_check.py')], { encoding: 'utf8' });
    expect(example.stderr).toBe('');
    const own = JSON.parse(example.stdout) as Answers;
    const { ok, counts, lines } = checker.check(files, own, { partial: true });
    expect(lines.filter((line) => !line.startsWith('agree'))).toHaveLength(1);
    expect(ok).toBe(true);
    const known = ['concentration', 'collapse', 'diversity', 'overfitting'];
    expect(counts.agree).toBe(cases.filter(({ task }) => known.includes(task)).length);
  });
});
