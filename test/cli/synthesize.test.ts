import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fit as fitSpace } from '../../src/audit/index.ts';
import { spokenTexts } from '../../src/embedding/index.ts';
import { readSettings } from '../../src/gateway/index.ts';
import { scriptedEpisodes, scriptedPeople } from '../../src/lab/index.ts';
import { encodeSpace } from '../../src/space/index.ts';
import { RunsOf } from '../../src/synthesis/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { command, ended, folder, start } from './command.ts';
import { type ObedientModel, obedientModel } from './obedient-model.ts';

const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const NARROW = [...scriptedEpisodes({ seed: 3, contexts: 16, epochs: 2, group: 2 })].filter(
  ({ simulator }) => simulator.id === 'one-note',
);
const PEOPLE = [...scriptedPeople({ seed: 3, contexts: 16, persons: 60, episodes: 160 })];
let cwd: string;
let cases = 0;
const open: ObedientModel[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
beforeAll(async () => {
  cwd = folder();
  writeFileSync(join(cwd, 'rollouts.jsonl'), lines(NARROW));
  writeFileSync(join(cwd, 'people.jsonl'), lines(PEOPLE));
  // Fitted once: what is tested here is what comes after.
  const { space } = await fitSpace(NARROW, PEOPLE, {});
  writeFileSync(join(cwd, 'space.json'), encodeSpace(space));
  writeFileSync(join(cwd, 'one.cjs'), 'process.stdout.write("1")');
});

const MEMBERS = [
  { id: 'plain', family: 'f', model: 'm', upstream: 'main' },
  {
    id: 'shy',
    family: 'f',
    model: 'm',
    upstream: 'main',
    recipe: { kind: 'persona', text: 'Your messages have about 4 words. You almost never ask something.' },
  },
  {
    id: 'loud',
    family: 'f',
    model: 'm',
    upstream: 'main',
    recipe: {
      kind: 'persona',
      text: 'Your messages have about 30 words. You ask something in most of your messages.',
    },
  },
];

interface Case {
  readonly model: ObedientModel;
  readonly settings: Record<string, unknown>;
  readonly out: string;
  args(kind: string, ...more: readonly string[]): string[];
  run(kind: string, ...more: readonly string[]): ReturnType<typeof command>;
  file(name: string): string;
  jsonl(name: string): Trajectory[];
}

async function stand(before?: Parameters<typeof obedientModel>[0]): Promise<Case> {
  const model = await obedientModel(before);
  open.push(model);
  const at = cases++;
  const settings = {
    schema: 'collapse-aware/gateway@1',
    upstreams: { main: { baseUrl: model.url, retries: 0, prices: { prompt: 1, completion: 2 } } },
    population: { members: MEMBERS, seen: ['plain', 'shy', 'loud'] },
  };
  writeFileSync(join(cwd, `gateway-${at}.yaml`), JSON.stringify(settings));
  const out = `out-${at}`;
  const args = (kind: string, ...more: readonly string[]) => [
    ...['synthesize', kind, 'rollouts.jsonl', '--reference', 'people.jsonl', '-g', `gateway-${at}.yaml`],
    ...[
      '--agent-url',
      model.url,
      '--agent-model',
      'policy',
      '--space',
      'space.json',
      '--turns',
      '4',
      '-o',
      out,
      '-q',
      ...more,
    ],
  ];
  const file = (name: string) => readFileSync(join(cwd, out, name), 'utf8');
  return {
    model,
    settings,
    out,
    args,
    run: (kind, ...more) => command(args(kind, ...more), { cwd }),
    file,
    jsonl: (name) =>
      file(name)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

describe('synthesize gaps', { timeout: 300_000 }, () => {
  const GAPS = ['--bases', 'plain', '--gaps', '2', '--per-gap', '2', '--episodes', '16', '--contexts', '8'];

  it('says in a dry run what would be made and cost, and asks nobody', async () => {
    const { run, model, out } = await stand();
    const done = await run('gaps', ...GAPS, '--dry-run', '--agent-prices', '1,1');
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/modes of people are missing; the 2 largest are planned for/);
    expect(done.stdout).toMatch(/mode \d+ \(\d+ % of people\): plain\+gap\d+\.1, plain\+gap\d+\.2/);
    expect(done.stdout).toMatch(/64 dialogues would be played/);
    expect(done.stdout).toMatch(/about [\d,]+ tokens to send/);
    expect(done.stdout).toMatch(/about 0\.\d\d in the currency of the prices/);
    expect(model.seen).toHaveLength(0);
    expect(existsSync(join(cwd, out))).toBe(false);
  });

  it('writes what landed, and why the rest did not, and plays nothing twice', async () => {
    const { run, model, file, jsonl, settings } = await stand();
    const done = await run('gaps', ...GAPS, '--floor', '0.3');
    expect(done.status, done.stderr).toBe(0);
    const report = JSON.parse(file('report.json'));
    expect(report.episodes.played).toBe(64);
    expect(report.episodes.tokens).toBeGreaterThan(0);
    expect(report.gaps).toHaveLength(4);
    const [accepted, refused] = [jsonl('accepted.jsonl'), jsonl('refused.jsonl')];
    expect(accepted.length + refused.length).toBe(64);
    expect(accepted.length).toBe(report.episodes.accepted);
    expect(accepted.length).toBeGreaterThan(0);
    for (const one of accepted) expect(one.run).toMatch(/^synthetic\/gaps\/[0-9a-f]{8}$/);
    for (const one of refused)
      expect((one as unknown as { reason: string }).reason).toMatch(
        /another mode|off support|member refused|once more/,
      );

    // What was accepted serves, in the settings it was made with.
    const { members } = parse(file('members.yaml'));
    expect(members.map(({ id }: { id: string }) => id)).toEqual(
      report.members.map(({ id }: { id: string }) => id),
    );
    const served = readSettings({
      ...settings,
      population: {
        members: [...MEMBERS, ...members],
        seen: ['plain', 'shy', 'loud', ...members.map(({ id }: { id: string }) => id)],
      },
    });
    expect(served.population.panels.seen.length).toBe(3 + members.length);

    const asked = model.seen.length;
    const again = await run('gaps', ...GAPS, '--floor', '0.3');
    expect(again.stdout).toBe(done.stdout);
    expect(model.seen).toHaveLength(asked);
    expect(again.stderr).toContain('64 episodes were played before and are kept');
  });

  it('hands no five words of the people on: neither to the members nor to the data', async () => {
    const { run, file, model } = await stand();
    expect((await run('gaps', ...GAPS, '--floor', '0')).status).toBe(0);
    const quoted = new RunsOf(
      PEOPLE.flatMap((one) => [...spokenTexts(one, 'user'), ...spokenTexts(one, 'agent')]),
    );
    for (const name of ['plan.json', 'members.yaml'])
      for (const text of texts(name === 'plan.json' ? JSON.parse(file(name)) : parse(file(name))))
        expect(quoted.sharedWith(text), name).toEqual([]);
    // The dialogues themselves: what this model says is not what people said.
    for (const name of ['accepted.jsonl', 'refused.jsonl'])
      for (const line of file(name).split('\n').filter(Boolean))
        for (const { role, text } of JSON.parse(line).turns ?? [])
          if (role === 'user') expect(quoted.sharedWith(text)).toEqual([]);
    const systems = model.users().map(({ body }) => (body.messages as { content: string }[])[0]!.content);
    // The scenario is the context's own, and no word of a person.
    for (const system of new Set(systems))
      expect(quoted.sharedWith(system.split('\n\n').slice(0, 2).join('\n'))).toEqual([]);
  });

  it('goes on after a kill with what is not there yet, to the same files', async () => {
    const whole = await stand();
    await whole.run('gaps', ...GAPS);
    let calls = 0;
    const halted = await stand(async () => {
      calls++;
      await new Promise((done) => setTimeout(done, 5));
      return undefined;
    });
    const child = start(halted.args('gaps', ...GAPS), cwd);
    const result = ended(child);
    while (calls < 100) await new Promise((done) => setTimeout(done, 10));
    child.kill('SIGKILL');
    await result;
    const journal = join(cwd, halted.out, 'played.jsonl');
    const before = readFileSync(journal, 'utf8').split('\n').length - 1;
    expect(before).toBeGreaterThan(0);
    expect(existsSync(join(cwd, halted.out, 'report.json'))).toBe(false);
    // As a machine that lost power leaves it.
    writeFileSync(journal, '{"job":"half', { flag: 'a' });
    const done = await halted.run('gaps', ...GAPS);
    expect(done.status, done.stderr).toBe(0);
    expect(done.stderr).toContain(`${before} episodes were played before and are kept`);
    // Both models answer alike, at another address each.
    for (const name of ['plan.json', 'report.json', 'accepted.jsonl', 'refused.jsonl', 'members.yaml'])
      expect(halted.file(name), name).toBe(whole.file(name));
  });

  it('stops on Ctrl-C without a partial file', async () => {
    let calls = 0;
    const { args, out } = await stand(async () => {
      calls++;
      await new Promise((done) => setTimeout(done, 10));
      return undefined;
    });
    const child = start(args('gaps', ...GAPS), cwd);
    const result = ended(child);
    while (calls < 150) await new Promise((done) => setTimeout(done, 10));
    child.kill('SIGINT');
    const { stderr } = await result;
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(join(cwd, out)).sort()).toEqual(['plan.json', 'played.jsonl']);
    for (const line of readFileSync(join(cwd, out, 'played.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean))
      JSON.parse(line);
  });

  it('counts dialogues that could not be played, and gives up where nobody answers', async () => {
    let calls = 0;
    const shaky = await stand(() => (calls++ % 40 === 39 ? 500 : undefined));
    const done = await shaky.run('gaps', ...GAPS);
    expect(done.status, done.stderr).toBe(0);
    const report = JSON.parse(shaky.file('report.json'));
    expect(report.failed.length).toBeGreaterThan(0);
    expect(report.episodes.played + report.failed.length).toBe(64);
    expect(done.stdout).toMatch(/dialogues could not be played; the first: /);

    const dead = await stand(() => 500);
    const ends = await dead.run('gaps', ...GAPS);
    expect(ends.status).toBe(3);
    expect(ends.stderr).toMatch(/^CA_ENDPOINT_FAILED: /m);
    expect(readdirSync(join(cwd, dead.out))).toEqual(['plan.json']);
  });

  it.each([
    [['gaps', '--bases', 'nobody'], /CA_USAGE: there is no member 'nobody' - name one of loud, plain, shy/],
    [['gaps', '--floor', '2'], /CA_USAGE: .*give a number from 0 to 1/],
    [['path', '--from', 'plain', '--to', 'plain'], /CA_CONFIG_INVALID: .*the same simulator/],
    [['path', '--from', 'shy', '--to', 'loud', '--lambdas', '0,2'], /give numbers from 0 to 1/],
    [['path', '--from', 'shy', '--to', 'loud', '--how', 'sampling'], /CA_CONFIG_INVALID: recipe\.how/],
    [['adversary'], /CA_USAGE: without rewards .*--reward-command/],
    [['adversary', '--reward-command', 'exit 3'], /CA_USAGE: the reward command ended with status 3/],
    [['adversary', '--reward-command', 'echo much'], /CA_USAGE: the reward command printed 'much'/],
    [['adversary', '--reward-command', 'echo 7'], /CA_USAGE: the reward command printed '7'/],
  ])('refuses %j', async ([kind, ...more], said) => {
    const { run } = await stand();
    const done = await run(kind!, ...more!, '--episodes', '4');
    expect(done.stderr).toMatch(said);
    expect(done.stderr).not.toContain('    at ');
    expect(done.status).toBeGreaterThan(1);
  });

  it('refuses to go on without an agent, people, rollouts or members, and in the folder of another plan', async () => {
    const { args, run, out } = await stand();
    const without = (option: string, count = 2) => {
      const all = args('gaps', ...GAPS);
      all.splice(all.indexOf(option), count);
      return command(all, { cwd });
    };
    expect((await without('--agent-model')).stderr).toMatch(/CA_USAGE: there is no agent to talk to/);
    expect((await without('--reference')).stderr).toMatch(/CA_USAGE: without people/);
    expect((await without('rollouts.jsonl', 1)).stderr).toMatch(/CA_USAGE: no rollouts are given/);
    expect((await without('-g')).stderr).toMatch(/CA_USAGE: there is nobody to play/);
    expect(existsSync(join(cwd, out))).toBe(false);
    await run('gaps', ...GAPS, '--episodes', '8');
    expect((await run('gaps', ...GAPS, '--episodes', '8', '--seed', '4')).stderr).toMatch(
      /CA_USAGE: .*plan\.json: the folder holds episodes of another plan/,
    );
  });
});

describe('synthesize path', { timeout: 300_000 }, () => {
  it('takes members that are shown to lie between two, and names the two in their file', async () => {
    const { run, file, jsonl } = await stand();
    const done = await run('path', '--from', 'shy', '--to', 'loud', '--episodes', '48', '--floor', '0');
    expect(done.status, done.stderr).toBe(0);
    const { path, members, episodes, lost } = JSON.parse(file('report.json'));
    // The same words to the same words: such dialogues are one row.
    const placed = path.steps.reduce((sum: number, { n }: { n: number }) => sum + n, 0);
    expect(placed).toBe(episodes.placed);
    expect(placed + lost.length).toBe(240);
    expect(done.stdout).toContain(path.verdict);
    const written = parse(file('members.yaml')).members ?? [];
    expect(written).toHaveLength(members.length);
    for (const { recipe } of written) expect(recipe).toMatchObject({ a: 'shy', b: 'loud', how: 'mixture' });
    expect(jsonl('accepted.jsonl')).toHaveLength(episodes.accepted);
    for (const { simulator } of jsonl('accepted.jsonl'))
      expect(members.map(({ id }: { id: string }) => id)).toContain(simulator.id);
  });
});

describe('synthesize adversary', { timeout: 300_000 }, () => {
  it('searches by rewards that a command gives, above the floor of realism, and takes the best', async () => {
    const { run, file, jsonl } = await stand();
    const reward = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const u=JSON.parse(s).turns.filter(t=>t.role==="user");console.log(u.map(t=>t.text.length).reduce((a,b)=>a+b)%2)})'`;
    const done = await run(
      ...(['adversary', '--reward-command', reward, '--generations', '2', '--per-generation', '3'] as const),
      ...['--episodes', '16', '--contexts', '8', '--bases', 'plain', '--floor', '0.1'],
    );
    expect(done.status, done.stderr).toBe(0);
    const { adversary, members, episodes } = JSON.parse(file('report.json'));
    expect([2 * 3 * 16, 2 * 3 * 16 + 16]).toContain(episodes.played);
    expect(adversary.history).toHaveLength(2);
    for (const { realismFloor } of adversary.history) expect(realismFloor).toBe(0.1);
    if (adversary.taken) {
      expect(adversary.best.realism.n).toBeLessThanOrEqual(16);
      expect(members).toEqual([
        {
          id: adversary.best.simulator,
          origin: { kind: 'adversary', base: 'plain', generation: expect.any(Number) },
        },
      ]);
      expect(adversary.best.realism.low).toBeGreaterThanOrEqual(0.1);
    }
    for (const { simulator, reward: own } of jsonl('accepted.jsonl')) {
      expect(simulator.id).toBe(adversary.best.simulator);
      expect([0, 1]).toContain(own);
    }
    expect(done.stdout).toMatch(/generation\s+candidates\s+below the floor/);
  });

  it('takes nobody where nobody is shown to be realistic', async () => {
    const { run, file } = await stand();
    const done = await run(
      ...([
        'adversary',
        '--reward-command',
        'node one.cjs',
        '--generations',
        '1',
        '--per-generation',
        '2',
      ] as const),
      ...['--episodes', '4', '--bases', 'plain', '--floor', '1'],
    );
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toContain('nobody was shown to be realistic');
    expect(JSON.parse(file('report.json'))).toMatchObject({ members: [], adversary: { best: null } });
    expect(parse(file('members.yaml')).members).toEqual([]);
  });
});

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
