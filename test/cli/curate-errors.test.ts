import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scriptedEpisodes, scriptedPeople } from '../../src/lab/index.ts';
import { readCuration } from '../curator/written-curation.ts';
import { command, ended, folder, start } from './command.ts';

const ROWS = [...scriptedEpisodes({ seed: 6, contexts: 2, epochs: 1, group: 4 })];
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
let cwd: string;
let cases = 0;
const run = (...args: string[]) => command(['curate', ...args, '-q'], { cwd });
const fresh = () => `out-${cases++}`;
const write = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const partials = (place = cwd) =>
  readdirSync(place).filter((name) => name.includes('partial') || name.startsWith('.'));

beforeAll(() => {
  cwd = folder();
  write('rows.jsonl', lines(ROWS));
  write('balanced.yaml', 'batches: {size: 8, balance: mode}\n');
});

describe('a recipe with a fault', () => {
  it.each([
    ['wieghts: {alpha: 1}', ['wieghts', 'unknown key', "'weights'"]],
    ['weights: {alpha: -1}', ['weights.alpha', 'found -1', 'at least 0']],
    ['weights: {bounds: [4, 0.25]}', ['weights.bounds', '[4, 0.25]', '0 < low < 1 < high']],
    ['gate: {rewardRange: [1, 0]}', ['gate.rewardRange', '[1, 0]', 'low < high']],
    [
      'weights: {concentration: true}\nbatches: {balance: mode}',
      ['weights.concentration', 'batches.balance', 'twice', 'one of them'],
    ],
    ['export: [csv]', ['export', "'csv'", 'native, parquet, trl, verl, verifiers']],
    ['weights: [', ['not YAML']],
    ['weights: *nothing', ['not YAML', 'nothing']],
    ['gate: {checks: {__proto__: off}}', ['gate.checks.__proto__', 'unknown check']],
  ])('ends with 2 and names key, value and range: %j', async (text, told) => {
    const out = fresh();
    const done = await run('rows.jsonl', '--recipe', write('bad.yaml', text), '-o', out);
    expect(done.stderr).toMatch(/^CA_CONFIG_INVALID: bad\.yaml/);
    for (const part of told) expect(done.stderr).toContain(part);
    expect(done).toMatchObject({ status: 2, stdout: '' });
    expect(existsSync(join(cwd, out))).toBe(false);
  });

  it('that asks to select from a group too large for exact chances is told so, and leaves nothing', async () => {
    const [first] = ROWS;
    const large = Array.from({ length: 70 }, (_, at) => ({
      ...first!,
      id: `row ${at}`,
      group: 'large',
      turns: first!.turns.map((turn) => ({ ...turn, text: `${turn.text} ${at}` })),
    }));
    const out = fresh();
    const recipe = write('keep.yaml', 'selection: {keep: 4}\nbatches: false\nweights: false\n');
    const done = await run(write('large.jsonl', lines(large)), '--recipe', recipe, '-o', out);
    expect(done.stderr).toMatch(/^CA_CONFIG_INVALID: .*large.*64 units, got 70 - .*poisson/);
    expect(done.status).toBe(2);
    expect(existsSync(join(cwd, out))).toBe(false);
  });
});

describe('a recipe that would fill memory or time', () => {
  it.each([
    [
      'by aliases',
      `a: &a [1]\n${'bcdefgh'.replace(/./g, (key, at) => `${key}: &${key} [${`*${'abcdefg'[at]}, `.repeat(9)}]\n`)}`,
      'not YAML: .*alias',
    ],
    ['by size', `# ${'x'.repeat(100_000)}`, 'more than 100000 bytes'],
  ])('%s is refused', async (_, text, told) => {
    const done = await run('rows.jsonl', '--recipe', write('large.yaml', text), '-o', fresh());
    expect(done.stderr).toMatch(new RegExp(`^CA_CONFIG_INVALID: large\\.yaml: ${told}`));
    expect(done.status).toBe(2);
  });
});

describe('an empty recipe', () => {
  it('is the default one', async () => {
    const done = await run('rows.jsonl', '--recipe', write('empty.yaml', ''), '--dry-run');
    expect(done).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('options that cannot be', () => {
  it.each([
    [['rows.jsonl']],
    [['-o', 'x']],
    [['rows.jsonl', '-o', '']],
    [['rows.jsonl', '-o', 'x', '--seed', '-1']],
    [['rows.jsonl', '-o', 'x', '--export', 'csv']],
    [['rows.jsonl', '-o', 'x', '--space', 'space.json', '--k', '4']],
  ])('end with 2 and CA_USAGE: %j', async (args) => {
    const done = await run(...args);
    expect(done.stderr).toMatch(/^CA_USAGE: /);
    expect(done).toMatchObject({ status: 2, stdout: '' });
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });
});

describe('the output folder', () => {
  it('that holds other things is left as it is', async () => {
    mkdirSync(join(cwd, 'mine'));
    write('mine/notes.txt', 'mine');
    for (const force of [[], ['--force']]) {
      const done = await run('rows.jsonl', '-o', 'mine', ...force);
      expect(done.stderr).toMatch(/^CA_USAGE: mine: holds other things \(notes\.txt\)/);
      expect(done.status).toBe(2);
    }
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['notes.txt']);
  });

  it('with an earlier curation is replaced under --force alone', async () => {
    const out = fresh();
    const args = ['rows.jsonl', '-o', out, '--recipe', 'balanced.yaml'];
    expect((await run(...args)).status).toBe(0);
    const before = readFileSync(join(cwd, out, 'manifest.json'), 'utf8');
    const refused = await run(...args, '--seed', '9');
    expect(refused.stderr).toContain('--force');
    expect(refused.status).toBe(2);
    expect(readFileSync(join(cwd, out, 'manifest.json'), 'utf8')).toBe(before);
    expect((await run(...args, '--seed', '9', '--force')).status).toBe(0);
    expect(readCuration(join(cwd, out)).manifest.recipe.seed).toBe(9);
    expect(partials()).toEqual([]);
  });

  it('stays as it was where a run that would replace it fails', async () => {
    const out = fresh();
    expect((await run('rows.jsonl', '-o', out, '--recipe', 'balanced.yaml')).status).toBe(0);
    const before = readFileSync(join(cwd, out, 'manifest.json'), 'utf8');
    const done = await run('rows.jsonl', '--reference', 'nobody.jsonl', '-o', out, '--force');
    expect(done.stderr).toContain('CA_FILE_NOT_FOUND');
    expect(done.status).toBe(3);
    expect(readFileSync(join(cwd, out, 'manifest.json'), 'utf8')).toBe(before);
    expect(partials()).toEqual([]);
  });

  it('may lie inside the input once, and is never read as input', async () => {
    mkdirSync(join(cwd, 'runs'));
    write('runs/rows.jsonl', lines(ROWS));
    const args = ['--recipe', 'balanced.yaml', '-o', 'runs/curated'];
    expect((await run('runs', ...args)).status).toBe(0);
    const { manifest } = readCuration(join(cwd, 'runs/curated'));
    expect(manifest.inputs.map(({ path }) => path)).toEqual([join('runs', 'rows.jsonl')]);
    for (const input of ['runs', 'runs/curated/rows.jsonl', 'runs/curated', 'runs/*/rows.jsonl']) {
      const again = await run(input, ...args, '--force');
      expect(again.stderr, input).toMatch(/^CA_USAGE: .*the input lies in the output folder/m);
      expect(again.status, input).toBe(2);
    }
    expect(readCuration(join(cwd, 'runs/curated')).manifest).toEqual(manifest);
    expect(partials(join(cwd, 'runs'))).toEqual([]);
    expect((await run('runs/rows.jsonl', ...args, '--force')).status).toBe(0);
  });
});

describe('input that cannot be used', () => {
  it.each([
    ['without people', []],
    ['with people', ['--reference', 'people.jsonl']],
  ])('is told that no row passes the gate, %s', async (_, more) => {
    const silent = ROWS.map((row) => ({
      ...row,
      turns: row.turns.map((turn) => ({ ...turn, text: null })),
    }));
    write('people.jsonl', lines([...scriptedPeople({ seed: 6, contexts: 2, persons: 8, episodes: 16 })]));
    const done = await run(write('silent.jsonl', lines(silent)), ...more, '-o', fresh());
    expect(done.stderr).toMatch(
      /^CA_INPUT_EMPTY: none of \d+ episodes passes the gate - the commonest reason is /,
    );
    expect(done.status).toBe(3);
  });

  it.each([
    ['nowhere.jsonl', null, 'CA_FILE_NOT_FOUND'],
    ['*.nothing', null, 'CA_FILE_NOT_FOUND'],
    ['empty.jsonl', '', 'CA_FILE_EMPTY'],
    ['other.jsonl', '{"a": 1}\n{"a": 2}\n', 'CA_FORMAT_UNKNOWN'],
  ])('ends with 3: %s', async (name, text, code) => {
    if (text !== null) write(name, text);
    const out = fresh();
    const done = await run(name, '-o', out);
    expect(done.stderr).toMatch(new RegExp(`^${code}: `));
    expect(done).toMatchObject({ status: 3, stdout: '' });
    expect(existsSync(join(cwd, out))).toBe(false);
    expect(partials()).toEqual([]);
  });

  it('of which no row passes the gate names the commonest reason', async () => {
    const unpaid = ROWS.slice(0, 5).map((row) => ({ ...row, reward: 7 }));
    const recipe = write('range.yaml', 'gate: {rewardRange: [0, 1]}\n');
    const out = fresh();
    const done = await run(write('seven.jsonl', lines(unpaid)), '--recipe', recipe, '-o', out);
    expect(done.stderr).toMatch(/^CA_INPUT_EMPTY: none of 5 episodes passes the gate - .*invalid-reward/m);
    expect(done.status).toBe(3);
    expect(existsSync(join(cwd, out))).toBe(false);
  });

  it('under --strict is refused for one bad line, and named', async () => {
    const bad = write('bad.jsonl', `${lines(ROWS)}oops\n`);
    const done = await run(bad, '--strict', '-o', fresh());
    expect(done.stderr).toContain('bad.jsonl:41');
    expect(done.stderr).toContain('CA_STRICT');
    expect(done.status).toBe(3);
  });
});

describe('little data', () => {
  const kept = (out: string) => readCuration(join(cwd, out)).lines('rows.jsonl').length;

  it('of people alone is curated as it is', async () => {
    const people = [...scriptedPeople({ seed: 6, contexts: 2, persons: 10, episodes: 30 })];
    const out = fresh();
    const done = await run(write('people.jsonl', lines(people)), '-o', out, '--recipe', 'balanced.yaml');
    expect(done.status, done.stderr).toBe(0);
    expect(kept(out)).toBeGreaterThan(0);
    expect(readCuration(join(cwd, out)).manifest.funnel[0]).toMatchObject({ entered: 30, left: 30 });
  });

  it('of one simulator is curated too', async () => {
    const one = ROWS.filter(({ simulator }) => simulator.id === ROWS[0]!.simulator.id);
    const out = fresh();
    const done = await run(write('one.jsonl', lines(one)), '-o', out, '--recipe', 'balanced.yaml');
    expect(done.status, done.stderr).toBe(0);
    expect(kept(out)).toBeGreaterThan(0);
    expect(done.stdout).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each([2, 3])('of %i rows is fewer than modes, and still curated', async (count) => {
    const out = fresh();
    const few = write('few.jsonl', lines(ROWS.slice(0, count)));
    const done = await run(few, '-o', out, '--recipe', 'balanced.yaml');
    expect(done.status, done.stderr).toBe(0);
    expect(kept(out)).toBeGreaterThan(0);
    expect(done.stdout).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('one row', () => {
  it('is too few for a space, which is said', async () => {
    const out = fresh();
    const done = await run(write('single.jsonl', lines(ROWS.slice(0, 1))), '-o', out);
    expect(done.stderr).toMatch(/^CA_SPACE_TOO_SMALL: /);
    expect(done.status).toBe(3);
    expect(existsSync(join(cwd, out))).toBe(false);
  });
});

describe('--dry-run', () => {
  it('says what would be dropped and asked, and writes nothing', async () => {
    const before = readdirSync(cwd).sort();
    const done = await run('rows.jsonl', '--dry-run');
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toContain(`${ROWS.length} episodes of 5 simulators`);
    expect(done.stdout).toContain('nothing is sent anywhere');
    const named = await run('rows.jsonl', '--dry-run', '-o', 'never');
    expect(named.stdout).toBe(done.stdout);
    expect(readdirSync(cwd).sort()).toEqual(before);
  });

  it('counts what a judge would be asked, and asks nobody', async () => {
    const recipe = write(
      'judge.yaml',
      'gate: {judge: {url: "http://127.0.0.1:9/v1", model: m, questions: [out-of-role], votes: 3}}\n',
    );
    const done = await run('rows.jsonl', '--dry-run', '--recipe', recipe);
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/m would be asked [\d,]+ times about [\d,]+ episodes/);
  });
});

describe('a curation that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves neither folder nor partial file', async (signal) => {
    const out = fresh();
    const many = write(
      'many.jsonl',
      lines([...scriptedEpisodes({ seed: 7, contexts: 12, epochs: 1, group: 8 })]),
    );
    const child = start(['curate', many, '-o', out], cwd);
    const end = ended(child);
    await new Promise<void>((done) => {
      child.stderr!.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Fit the behaviour space')) done();
      });
    });
    child.kill(signal);
    const done = await end;
    expect(done.status).not.toBe(0);
    expect(done.stderr).not.toContain('    at ');
    expect(existsSync(join(cwd, out))).toBe(false);
    expect(partials()).toEqual([]);
  });
});
