// What docs/evolve-trainers.md says of a way out of red: a real GRPO trainer, users that collapse in round 2, and the loop's
// own figures alone. node bench/recover-trainer.mjs [--contexts 16] [--rounds 5] [--steps 2] [--delta 0.3]
// Users are scripted ones of the lab behind a chat API; a description makes a model somebody else. Needs TRL
// (test/python/requirements.txt; CA_PYTHON names a Python that has it).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readSettings, startGateway } from '../dist/gateway/index.js';
import { fakeUsers } from '../experiments/stage/fake-users.mjs';

const { values } = parseArgs({
  options: {
    contexts: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    steps: { type: 'string', default: '2' },
    delta: { type: 'string', default: '0.3' },
  },
});
const ROOT = resolve(import.meta.dirname, '..');
const VENV = join(ROOT, '.venv/bin/python');
const PYTHON = process.env.CA_PYTHON ?? (existsSync(VENV) ? VENV : 'python3');
const KEY = 'key-of-the-bench';
const SOMEBODY = [
  'alder',
  'aspen',
  'hazel',
  'holly',
  'larch',
  'maple',
  'oak',
  'pine',
  'rowan',
  'spruce',
  'willow',
  'yew',
];

const folder = mkdtempSync(join(tmpdir(), 'recover-trainer-'));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const users = await fakeUsers('persuasion', ({ model, messages }) => {
  const [, name] = /You are like (\w+)\./.exec(JSON.stringify(messages)) ?? [];
  return name ?? model;
});
const model = (id) => ({ id, family: id, model: id, upstream: 'users' });
const scripted = (id) => ({ id, family: id, recipe: { kind: 'scripted' } });
const population = {
  members: [...['birch', 'cedar'].map(model), ...['elm', 'ivy'].map(scripted)],
  seen: ['birch', 'cedar'],
  selection: ['elm'],
  test: ['ivy'],
};
const environment = {
  ...process.env,
  CA_ADMIN_KEY: KEY,
  CA_CLIENT_KEY: '',
  HF_HUB_OFFLINE: '1',
  OMP_NUM_THREADS: '1',
};
const settings = readSettings(
  {
    schema: 'collapse-aware/gateway@1',
    listen: { port: 0 },
    store: join(folder, 'store'),
    keys: { adminEnv: 'CA_ADMIN_KEY' },
    upstreams: { users: { baseUrl: users.url } },
    population,
    live: { epochs: { by: 'trainer' }, warmUp: 60 },
    breaker: { enabled: false },
  },
  { environment },
);
const gateway = await startGateway(settings, { environment, log: 'silent', folder });
const children = [];
const steps = [];
try {
  const contexts = join(folder, 'contexts.jsonl');
  const trainer = started(PYTHON, [
    join(ROOT, 'python/examples/trl_dialogue.py'),
    ...['--gateway', gateway.url, '--steps', '500', '--prompts', '64', '--hold-seconds', '7200'],
    ...['--serve', '0', '--write-scenarios', contexts],
  ]);
  const port = await new Promise((found, fail) => {
    createInterface({ input: trainer.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const told = JSON.parse(line);
      if (told.serving !== undefined) found(told.serving);
      if (told.step !== undefined) steps.push(1000 * told.time);
    });
    trainer.on('close', () => fail(new Error(`the trainer ended: ${trainer.said.slice(-2000)}`)));
  });
  const lines = readFileSync(contexts, 'utf8').trim().split('\n');
  const run = join(folder, 'run');
  const begun = Date.now();
  const loop = started(process.execPath, [
    join(ROOT, 'dist/cli/main.js'),
    ...['evolve', '--gateway', gateway.url, '-o', run, '-q'],
    ...['--agent', `http://127.0.0.1:${port}/v1`, '--agent-earlier', '{checkpoint}', '--turns', '5'],
    ...['--scorer', `http://127.0.0.1:${port}/score`],
    ...['--population', file('population.json', JSON.stringify({ population }))],
    ...['--probes', file('probes.jsonl', lines.slice(0, Number(values.contexts)).join('\n'))],
    ...['--exams', file('exams.jsonl', lines.slice(-2).join('\n'))],
    ...['--personas', file('personas.txt', SOMEBODY.map((one) => `You are like ${one}.`).join('\n'))],
    ...['--rounds', values.rounds, '--steps', values.steps, '--delta', values.delta],
    ...['--inject', 'collapse@2', '--no-adversary', '--no-paths'],
  ]);
  const ends = new Map();
  const looking = setInterval(() => {
    const text = existsSync(join(run, 'rounds.jsonl')) ? readFileSync(join(run, 'rounds.jsonl'), 'utf8') : '';
    const over = text.split('\n').length - 1;
    if (over > 0 && !ends.has(over)) ends.set(over, Date.now());
  }, 100);
  const status = await new Promise((done) => loop.on('close', done));
  clearInterval(looking);
  if (status !== 0) throw new Error(`evolve ended with ${status}: ${loop.said}`);
  print(JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')), ends, begun);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await gateway.stop('the bench is over', 1000);
  await users.close();
  rmSync(folder, { recursive: true, force: true });
}

function started(program, args) {
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  child.said = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    child.said += piece;
  });
  if (program === process.execPath) child.stdout.resume();
  children.push(child);
  return child;
}

function print({ rounds, guarantee }, ends, begun) {
  const row = (...cells) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
  row(
    'round',
    'level',
    'SCD2 of the look',
    'population',
    'dialogues of the loop',
    'optimizer steps',
    'over after',
  );
  row('---', '---', '---', '---', '---', '---');
  let from = begun;
  for (const { round, look, breaker, acceptance, population, cost } of rounds) {
    const end = ends.get(round) ?? Date.now();
    const made = population.filter(({ member }) => member.startsWith(`r${round}-`)).length;
    const { value, low, high } = look.scd2;
    row(
      round,
      breaker.before === breaker.after ? breaker.after : `${breaker.before} → ${breaker.after}`,
      `${value?.toFixed(2)} [${low?.toFixed(2)}, ${high?.toFixed(2)}]`,
      acceptance === null
        ? 'as it was'
        : acceptance.accepted
          ? `accepted, ${made} made for it`
          : 'rolled back',
      cost.probeEpisodes,
      // The round in which the run begins finds the trainer at work.
      steps.filter((at) => at > from && at <= end).length,
    );
    from = end;
  }
  for (const line of rounds.flatMap(({ round, breaker: { notes } }) =>
    notes.map((note) => `round ${round}: ${note}`),
  ))
    process.stdout.write(`${line}\n`);
  process.stdout.write(`${guarantee[0]}\n`);
}
