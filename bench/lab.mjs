// Trains a small policy by GRPO on a toy partially observed world, sampling included, beside the same loop in numpy;
// then by two methods in the lab's ten-turn world, where users are simulated too (numpy has no version of those).
// Usage: npm run bench:lab -- [--updates 250] [--seed 1] [--python python3] [--skip-python] [--dir FOLDER]
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_FAMILIES, methodOf, TrainingRun, trainingSettings, worldOf } from '../dist/lab/index.js';
import { Adam, drawAct, Grpo, initialise, rolloutAdvantages } from '../dist/lab/learning/index.js';
import { seeded } from '../dist/math/index.js';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    updates: { type: 'string', default: '250' },
    seed: { type: 'string', default: '1' },
    /** One with numpy. */
    python: { type: 'string', default: 'python3' },
    dir: { type: 'string', default: join(tmpdir(), 'collapse-aware-bench', 'lab') },
    'skip-python': { type: 'boolean', default: false },
  },
});

/**
 * The world: a user has a hidden kind, one a context, and gives a cue of it every turn that is right in 70 % and else
 * any. Acts 0..5 appeal to a kind: trust rises by 0.25 where it is the user's, falls by 0.1 where not; acts 6..11 are
 * small talk, 0.02. Trust is never seen. The reward is 1 with the chance of the trust at the end.
 * An observation: the last cue (one of 6), shares of cues so far (6), the act before (one of 12).
 */
const WORLD = {
  kinds: 6,
  acts: 12,
  turns: 10,
  hidden: 32,
  groups: 16,
  group: 8,
  clear: 0.7,
  appeal: 0.25,
  wrong: -0.1,
  talk: 0.02,
  rate: 0.005,
  updates: Number(given.updates),
  seed: Number(given.seed),
};
const { kinds, acts, turns, groups } = WORLD;
const INPUTS = 2 * kinds + acts;
const EPISODES = groups * WORLD.group;
const AGREE = 1e-9;
const TARGET = 10;
/** The update whose gradient both compute. */
const CHECKED = 20;

const steps = EPISODES * turns;
const batch = {
  episode: Int32Array.from({ length: steps }, (_, i) => Math.floor(i / turns)),
  observation: new Float64Array(steps * INPUTS),
  act: new Int32Array(steps),
  mask: null,
  logProb: new Float64Array(steps),
};
const group = Int32Array.from({ length: EPISODES }, (_, e) => Math.floor(e / WORLD.group));
const world = {
  kind: new Int32Array(EPISODES),
  trust: new Float64Array(EPISODES),
  seen: new Float64Array(EPISODES * INPUTS),
  cues: new Float64Array(EPISODES * kinds),
  reward: new Float64Array(EPISODES),
};

/** Fills the batch with one episode a row of `world`, all turn by turn. */
function rollout(policy, buffers, random) {
  const { kind, trust, seen, cues, reward } = world;
  for (let g = 0; g < groups; g++) kind.fill(random.integer(kinds), g * WORLD.group, (g + 1) * WORLD.group);
  trust.fill(0);
  seen.fill(0);
  cues.fill(0);
  for (let turn = 0; turn < turns; turn++) {
    for (let e = 0, at = 0; e < EPISODES; e++, at += INPUTS) {
      const cue = random.next() < WORLD.clear ? kind[e] : random.integer(kinds);
      cues[e * kinds + cue] += 1;
      for (let k = 0; k < kinds; k++) {
        seen[at + k] = k === cue ? 1 : 0;
        seen[at + kinds + k] = cues[e * kinds + k] / (turn + 1);
      }
    }
    policy.forward(seen, EPISODES, buffers);
    for (let e = 0, at = 0; e < EPISODES; e++, at += INPUTS) {
      const act = drawAct(buffers.logProb, e * acts, acts, random);
      const step = e * turns + turn;
      for (let i = 0; i < INPUTS; i++) batch.observation[step * INPUTS + i] = seen[at + i];
      batch.act[step] = act;
      batch.logProb[step] = buffers.logProb[e * acts + act];
      for (let a = 0; a < acts; a++) seen[at + 2 * kinds + a] = a === act ? 1 : 0;
      const gain = act >= kinds ? WORLD.talk : act === kind[e] ? WORLD.appeal : WORLD.wrong;
      trust[e] = Math.min(1, Math.max(0, trust[e] + gain));
    }
  }
  for (let e = 0; e < EPISODES; e++) reward[e] = random.next() < trust[e] ? 1 : 0;
}

function put(name, array) {
  writeFileSync(
    join(given.dir, `${name}.bin`),
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
}

/** What numpy needs to compute one gradient of a policy that has left both its reference and its old self. */
function writeCheck(grpo, advantage) {
  const { policy, reference } = grpo;
  put('policy', policy.parameters);
  put('reference', reference.parameters);
  for (const name of ['observation', 'act', 'logProb']) put(name, batch[name]);
  put('advantage', advantage);
  const copy = new Grpo(policy.copy(), reference, new Adam(policy.parameters.length));
  const { loss } = copy.update({ ...batch, advantage }, seeded('check'));
  return { loss, gradient: copy.gradient };
}

/** `check` false: what is timed. */
function train(updates, check) {
  const random = seeded(`lab/${WORLD.seed}`);
  const shape = { inputs: INPUTS, hidden: [WORLD.hidden], acts };
  const policy = initialise(shape, random.fork('policy'));
  const adam = new Adam(policy.parameters.length, { learningRate: WORLD.rate });
  const grpo = new Grpo(policy, policy.copy(), adam);
  const buffers = policy.buffers(EPISODES);
  const rewards = [];
  let last = null;
  for (let update = 0; update < updates; update++) {
    rollout(policy, buffers, random);
    rewards.push(world.reward.reduce((sum, r) => sum + r, 0) / EPISODES);
    const { advantage } = rolloutAdvantages(world.reward, group);
    last = grpo.update({ ...batch, advantage }, random);
    if (last.status === 'diverged') throw new Error(last.reason);
    if (check && update === updates - 1) return writeCheck(grpo, advantage);
  }
  const tail = rewards.slice(-25);
  return {
    start: rewards[0],
    end: tail.reduce((sum, r) => sum + r, 0) / tail.length,
    entropy: last.entropy,
    kl: last.kl,
  };
}

function timed(run) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = run();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { ...result, seconds, cpu: (user + system) / 1e6 };
}

/** One thread: the comparison is core against core. */
function python(args) {
  const threads = Object.fromEntries(
    ['OMP', 'OPENBLAS', 'MKL'].map((library) => [`${library}_NUM_THREADS`, '1']),
  );
  const done = spawnSync(given.python, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...threads },
  });
  if (done.status !== 0) throw new Error(`${given.python} ${args.join(' ')}\n${done.stderr ?? done.error}`);
  return done.stdout;
}

/** A whole run of the lab: base policy, looks at the selection panel, and the steps. */
function trainInLab(method) {
  const run = new TrainingRun({
    world: worldOf('persuasion', 10),
    method: methodOf(method),
    seen: DEFAULT_FAMILIES.seen,
    selection: DEFAULT_FAMILIES.selection,
    seed: WORLD.seed,
    settings: trainingSettings({ steps: WORLD.updates }),
  });
  let turns = 0;
  while (!run.done) turns += run.advance()?.turns ?? 0;
  return { turns };
}

const lines = [];
const row = (what, measured) => lines.push(`| ${what} | ${measured} |`);
const told = ({ seconds, cpu, start, end, entropy, kl }) =>
  `${seconds.toFixed(2)} s (CPU ${cpu.toFixed(2)}), ${Math.round((WORLD.updates * steps) / seconds / 1000)}k steps/s; ` +
  `reward ${start.toFixed(2)} -> ${end.toFixed(2)}, last entropy ${entropy.toFixed(2)}, KL ${kl.toFixed(2)}`;

mkdirSync(given.dir, { recursive: true });
row('machine', `${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`);
row(
  'work',
  `${WORLD.updates} updates x ${EPISODES} episodes (${groups} groups of ${WORLD.group}) x ${turns} turns; ${INPUTS} -> ${WORLD.hidden} -> ${acts}`,
);
const own = timed(() => train(WORLD.updates, false));
row('collapse-aware', told(own));
let agree = true;
if (given['skip-python']) row('numpy', 'not asked for');
else if (spawnSync(given.python, ['-c', 'import numpy']).status !== 0)
  row('numpy', `skipped: ${given.python} has no numpy (pip install numpy, or --python PATH)`);
else {
  const check = train(CHECKED, true);
  writeFileSync(join(given.dir, 'settings.json'), JSON.stringify(WORLD));
  const other = JSON.parse(python(['bench/baseline_lab.py', given.dir]));
  row(`Python ${other.python}, numpy ${other.numpy}`, told(other));
  row(
    'numpy / collapse-aware',
    `${(other.seconds / own.seconds).toFixed(2)} (by CPU time ${(other.cpu / own.cpu).toFixed(2)})`,
  );
  const scale = Math.max(...check.gradient.map(Math.abs));
  const apart = check.gradient.reduce((most, g, i) => Math.max(most, Math.abs(g - other.gradient[i])), 0);
  agree = apart <= AGREE * scale && Math.abs(check.loss - other.loss) <= AGREE;
  row(
    'agreement on one batch',
    `gradients within ${(apart / scale).toExponential(1)} of the largest entry, loss within ${Math.abs(check.loss - other.loss).toExponential(1)}`,
  );
}
const inLab = ['single', 'population-co-training-5'].map((method) => {
  const { seconds, cpu, turns } = timed(() => trainInLab(method));
  row(
    `lab, persuasion, ${method}`,
    `${seconds.toFixed(2)} s (CPU ${cpu.toFixed(2)}) with base policy and looks; ${Math.round(turns / 1000)}k turns of both sides`,
  );
  return cpu;
});
row(
  `target of ${TARGET} s on one core`,
  Math.max(own.cpu, ...inLab) <= TARGET ? 'met (by CPU time)' : 'missed',
);
console.log(`| what | measured |\n|---|---|\n${lines.join('\n')}`);
if (!agree) {
  console.log('\nThe two do not agree.');
  process.exitCode = 1;
}
