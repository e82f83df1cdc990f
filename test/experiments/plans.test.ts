import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/gateway/index.ts';
import { readPanels } from '../../src/population/index.ts';
import { ARMS, BENCHMARKS, EXPERIMENTS, power, ROOT, script } from './stage.ts';

interface Plan {
  readonly environment: Readonly<Record<string, string>>;
  readonly loop: { readonly environment: Readonly<Record<string, string>> };
  readonly licences: readonly string[];
  readonly stopping: readonly string[];
  readonly published: { readonly arms: Readonly<Record<string, number | null>> };
  readonly assumptions: Readonly<Record<string, { readonly value: number; readonly why: string }>>;
}

const planOf = (id: string) => parse(readFileSync(join(EXPERIMENTS, id, 'benchmark.yaml'), 'utf8')) as Plan;
const runs = mkdtempSync(join(tmpdir(), 'ca-stage-zero-plans-'));
const people = join(runs, 'people.csv');
writeFileSync(people, ',Unit,Turn,B4,B2\r\n0,Hello.,0,0,d-1\r\n1,Hi.,0,1,d-1\r\n');
afterAll(() => rmSync(runs, { recursive: true, force: true }));

/** Every variable that a plan names, set to something that could be. */
function environmentOf(id: string): NodeJS.ProcessEnv {
  const values = Object.keys(planOf(id).environment).map((name) => {
    if (name === 'STAGE_ZERO_RUNS') return [name, runs];
    if (name === 'P4G_PEOPLE') return [name, people];
    if (name.endsWith('_KEY')) return [name, `a-key-of-some-length-${name}`];
    return [name, name.endsWith('_URL') ? 'http://127.0.0.1:9/v1' : '7'];
  });
  return { PATH: process.env.PATH, ...Object.fromEntries(values) };
}

describe.each(BENCHMARKS)('the plan of %s', (id) => {
  it('has a gateway file an arm, each of which the gateway takes', () => {
    const folder = join(EXPERIMENTS, id, 'gateway');
    expect(readdirSync(folder).sort()).toEqual(ARMS.map((arm) => `${arm}.yaml`).sort());
    const environment = environmentOf(id);
    for (const arm of ARMS) {
      const file = join(folder, `${arm}.yaml`);
      const settings = readSettings(parse(readFileSync(file, 'utf8')), { environment, file });
      // One breaker is enough: that of the loop, in the arm that has it.
      expect(settings.breaker.enabled, arm).toBe(false);
    }
    const file = join(folder, 'collapse-aware.yaml');
    const said = execFileSync(
      process.execPath,
      [join(ROOT, 'dist/cli/main.js'), 'gateway', '-c', file, '--dry-run'],
      { env: environment, encoding: 'utf8' },
    );
    expect(said).toMatch(/^breaker: off/m);
  });

  it('keeps seen, selection and test apart by family, six families in the test panel', () => {
    const panels = readPanels(parse(readFileSync(join(EXPERIMENTS, id, 'panels.yaml'), 'utf8')));
    expect(panels.disjoint).toBe('families');
    expect(panels.notes).toEqual([]);
    expect(new Set(panels.test.map(({ family }) => family)).size).toBe(6);
  });

  it('prints the commands once every variable is set', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script('run.mjs'), id], {
      env: environmentOf(id),
      encoding: 'utf8',
      cwd: ROOT,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    for (const arm of ARMS) expect(stdout).toContain(`run.sh ${arm}`);
    for (const command of ['--measured', 'space fit', 'audit', 'compare', 'curate'])
      expect(stdout, command).toContain(command);
    expect(stdout).not.toContain('a-key-of-some-length');
  });

  it('names every variable that is not set, and what it is for', () => {
    const { CA_ADMIN_KEY: _, ...rest } = environmentOf(id);
    const { status, stderr } = spawnSync(process.execPath, [script('run.mjs'), id], {
      env: rest,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^CA_CONFIG_INVALID: 1 environment variables? (is|are) not set/);
    expect(stderr).toContain("CA_ADMIN_KEY: key of the gateway's control API");
    expect(stderr).toContain('--dry');
  });

  it('names what the arm of this project needs beside, for that arm alone', () => {
    const loop = Object.keys(planOf(id).loop.environment);
    expect(loop.length > 0).toBe(id !== 'p4g');
    const check = (arm: string, more: object = {}) =>
      spawnSync(process.execPath, [script('run.mjs'), id, '--for', arm], {
        env: { ...environmentOf(id), ...more },
        encoding: 'utf8',
        cwd: ROOT,
      });
    const other = check('ensemble-3');
    expect(other.status).toBe(0);
    const { status, stderr } = check('collapse-aware');
    expect(status).toBe(loop.length > 0 ? 2 : 0);
    for (const name of loop) {
      expect(stderr).toContain(`  ${name}: `);
      expect(other.stdout).toContain(`# needs ${name}: `);
    }
    const whole = Object.fromEntries(loop.map((name) => [name, 'http://127.0.0.1:9/v1']));
    const complete = check('collapse-aware', whole);
    expect(complete.status).toBe(0);
    expect(complete.stdout).not.toContain('# needs');
  });

  it('says when it stops, under which licences, and why each assumption', () => {
    const plan = planOf(id);
    expect(plan.stopping.length).toBeGreaterThan(2);
    expect(plan.licences.length).toBeGreaterThan(1);
    for (const { value, why } of Object.values(plan.assumptions)) {
      expect(value).toBeGreaterThan(0);
      expect(why.length).toBeGreaterThan(20);
    }
    const printed = power([id]);
    for (const { why } of Object.values(plan.assumptions)) expect(printed).toContain(why);
  });
});

it('a name that is no benchmark, and options that do not go together, are refused with what to do', () => {
  const run = (...given: string[]) =>
    spawnSync(process.execPath, [script('run.mjs'), ...given], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
  expect(run('tau3').stderr).toMatch(/^CA_USAGE: "tau3" is no benchmark.*p4g/);
  expect(run('p4g', '--dry', '--measured').stderr).toMatch(/^CA_USAGE/);
  expect(run('p4g', '--arms', 'single').stderr).toMatch(/^CA_USAGE: --arms/);
  expect(run('p4g', '--dry', '--arms', 'doubel').stderr).toMatch(/^CA_USAGE: "doubel" is no arm/);
  expect(run('p4g', '--for', 'doubel').stderr).toMatch(/^CA_USAGE: "doubel" is no arm/);
  expect(run('p4g', '--dri').stderr).toMatch(/usage: node experiments\/run\.mjs/);
  expect(run('p4g', '--measured').stderr).toMatch(/^CA_CONFIG_INVALID: STAGE_ZERO_RUNS/);
  for (const given of [['tau3'], ['p4g', '--dri'], ['p4g', '--measured']])
    expect(run(...given).status).toBe(2);
});
