// Ranks, weights, batches and gradient scales of a million rows, against pandas and numpy, in one run.
// Usage: npm run bench:curate -- [--rows 1000000] [--python python3] [--skip-python] [--skip-flat] [--dir FOLDER]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { planBatches } from '../dist/curation/batches.js';
import { DensityScale } from '../dist/curation/density.js';
import { gradientScale } from '../dist/curation/gradient-scale.js';
import { trainingWeights } from '../dist/curation/weights.js';
import { seeded } from '../dist/math/index.js';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    /** One with pandas and numpy. */
    python: { type: 'string', default: 'python3' },
    dir: { type: 'string', default: join(tmpdir(), 'collapse-aware-bench', 'curate') },
    'skip-python': { type: 'boolean', default: false },
    'skip-flat': { type: 'boolean', default: false },
    /** Internal: one run in a process of its own; with --write the columns go to the folder. */
    run: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const MODES = 64;
const SIMULATORS = 8;
const GROUP = 8;
const SEED = 1;
const MIB = 1024 ** 2;
const AGREE = 1e-9;

const shares = (of) => {
  const raw = Float64Array.from({ length: MODES }, of);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
};
const settings = {
  recipe: { alpha: 1, neighbours: 5, coverage: true, concentration: true, bounds: [0.25, 4], ess: 0.7 },
  mci: Array.from({ length: SIMULATORS }, (_, i) => 0.01 + 0.6 * (i / (SIMULATORS - 1)) ** 2),
  /** People: flatter than the data, and never in the last mode. */
  reference: shares((_, mode) => (mode === MODES - 1 ? 0 : (mode + 1) ** -0.5)),
};
const batches = { size: 256, balance: 'mode' };
const BETA = 0.5;

/** Rows in content order: groups of 8 around a main mode, modes by Zipf's law, one in 20 a repeated content. */
function columns(size) {
  const random = seeded(`curate/${SEED}`);
  const zipf = shares((_, mode) => 1 / (mode + 1));
  const drawMode = () => {
    let left = random.next();
    for (let mode = 0; mode < MODES - 1; mode++) {
      left -= zipf[mode];
      if (left < 0) return mode;
    }
    return MODES - 1;
  };
  const groups = Math.ceil(size / GROUP);
  const main = Int16Array.from({ length: groups }, drawMode);
  // Members are scattered: a full-cycle walk over the rows deals them out.
  const group = Int32Array.from({ length: size }, (_, row) => Math.floor(((row * 7919 + 13) % size) / GROUP));
  const hashes = new Uint32Array(4 * size);
  const mode = new Int16Array(size);
  const outside = new Uint8Array(size);
  const distance = new Float32Array(size);
  for (let row = 0; row < size; row++) {
    const repeats = row > 0 && random.next() < 0.05;
    if (repeats) hashes.copyWithin(4 * row, 4 * row - 4, 4 * row);
    else {
      hashes[4 * row] = Math.floor(((row + random.next()) / size) * 2 ** 32);
      for (let word = 1; word < 4; word++) hashes[4 * row + word] = random.integer(2 ** 32);
    }
    mode[row] = random.next() < 0.02 ? -1 : random.next() < 0.7 ? main[group[row]] : drawMode();
    outside[row] = random.next() < 0.05 ? 1 : 0;
    distance[row] = repeats
      ? distance[row - 1]
      : random.next() < 0.01
        ? Number.NaN
        : Math.exp(0.3 * random.normal() + 0.01 * Math.max(0, mode[row]));
  }
  return {
    size,
    k: MODES,
    hashes,
    group,
    mode,
    outside,
    distance,
    simulator: group.map((name) => name % SIMULATORS),
  };
}

const cpuNow = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Ranks are part of the weights. */
function curateOnce(rows) {
  const seconds = {};
  let start = performance.now();
  const cpu = cpuNow();
  const lap = (stage) => {
    seconds[stage] = (performance.now() - start) / 1000;
    start = performance.now();
  };
  const weights = trainingWeights(rows, settings);
  lap('weights');
  const plan = planBatches(rows, weights.weight, batches, SEED);
  lap('batches');
  const scale = gradientScale(settings.mci, BETA, MODES);
  lap('gradient');
  return { seconds, cpu: cpuNow() - cpu, weights, plan, scale };
}

/** One measurement, the better of two, printed as JSON. */
function run(size) {
  const rows = columns(size);
  const arrays = { ...rows };
  const held = Object.values(arrays).reduce((sum, x) => sum + (x.byteLength ?? 0), 0);
  const { seconds: first, cpu: firstCpu } = curateOnce(rows);
  const { weights, plan, scale, seconds: second, cpu: secondCpu } = curateOnce(rows);
  const seconds = sum(first) <= sum(second) ? first : second;
  if (given.write) {
    const put = (name, array) =>
      writeFileSync(
        join(given.dir, `${name}.bin`),
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      );
    for (const [name, array] of Object.entries(arrays)) if (ArrayBuffer.isView(array)) put(name, array);
    put('node-weight', weights.weight);
    put('node-batch', plan.batchOf);
    const { recipe, mci, reference } = settings;
    writeFileSync(
      join(given.dir, 'settings.json'),
      JSON.stringify({
        ...recipe,
        mci,
        reference: [...reference],
        k: MODES,
        size: batches.size,
        seed: SEED,
        beta: BETA,
      }),
    );
  }
  console.log(
    JSON.stringify({
      seconds,
      cpu: Math.min(firstCpu, secondCpu),
      held,
      peak: process.resourceUsage().maxRSS * 1024,
      kappa: weights.kappa,
      ess: weights.ess / size,
      essRaw: weights.essRaw / size,
      atLow: weights.atLow,
      atHigh: weights.atHigh,
      batches: plan.count,
      batched: plan.rows.length,
      short: plan.modes.filter(({ shortfall }) => shortfall > 0).length,
      scale: [...scale],
    }),
  );
}

/** Seconds to place rows on a density scale of the size that curation samples. */
function densitySeconds(queries, sample, columns) {
  const random = seeded(`density/${SEED}`);
  const rows = (n) => ({
    columns,
    vectors: Float32Array.from({ length: n * columns }, () => random.normal()),
    hashes: Array.from({ length: n }, () => `${random.integer(2 ** 32)}/${random.integer(2 ** 32)}`),
  });
  const scale = new DensityScale(rows(sample), settings.recipe.neighbours);
  const asked = rows(queries);
  const times = [0, 1].map(() => {
    const start = performance.now();
    scale.distances(asked);
    return (performance.now() - start) / 1000;
  });
  return Math.min(...times);
}

function child(command, args) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${done.stderr ?? done.error}`);
  return done.stdout;
}
const node = (size, ...more) =>
  JSON.parse(child(process.execPath, ['bench/curate.mjs', '--dir', given.dir, '--run', `${size}`, ...more]));

const read = (name, kind) => {
  const bytes = readFileSync(join(given.dir, `${name}.bin`));
  return new kind(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};
const sum = (seconds) => Object.values(seconds).reduce((total, x) => total + x, 0);
const stages = (seconds) =>
  Object.entries(seconds)
    .map(([stage, x]) => `${stage} ${x.toFixed(2)}`)
    .join(', ');
const speed = (size, seconds) => `${Math.round(size / sum(seconds) / 1000)}k rows/s`;

function bench() {
  const size = Number(given.rows);
  mkdirSync(given.dir, { recursive: true });
  const lines = [];
  const row = (what, measured) => lines.push(`| ${what} | ${measured} |`);
  const own = node(size, '--write');
  row('data', `${size} rows, ${MODES} modes, ${SIMULATORS} simulators, groups of ${GROUP}`);
  row(
    'outcome',
    `kappa ${own.kappa.toFixed(3)}, ESS ${own.ess.toFixed(3)} n (raw ${own.essRaw.toFixed(3)} n), ${own.atLow} rows at the low bound, ${own.atHigh} at the high one; ${own.batched} rows in ${own.batches} batches, ${own.short} modes short of an equal share`,
  );
  row(
    'collapse-aware',
    `${sum(own.seconds).toFixed(2)} s (${stages(own.seconds)}; CPU ${own.cpu.toFixed(2)}), ${speed(size, own.seconds)}`,
  );

  const hasPandas = () => spawnSync(given.python, ['-c', 'import pandas, numpy']).status === 0;
  let agree = true;
  if (given['skip-python']) row('pandas + numpy', 'not asked for');
  else if (!hasPandas())
    row('pandas + numpy', `skipped: ${given.python} has no pandas (pip install pandas, or --python PATH)`);
  else {
    const versions = child(given.python, [
      '-c',
      'import sys,numpy,pandas;print("Python",sys.version.split()[0]+", pandas",pandas.__version__+", numpy",numpy.__version__)',
    ]).trim();
    const other = JSON.parse(child(given.python, ['bench/baseline_curate.py', given.dir]));
    row(
      versions,
      `${sum(other.seconds).toFixed(2)} s (${stages(other.seconds)}; CPU ${other.cpu.toFixed(2)}), ${speed(size, other.seconds)}, peak RSS ${Math.round(other.peakKiB / 1024)} MiB`,
    );
    row(
      'Python / collapse-aware',
      `${(sum(other.seconds) / sum(own.seconds)).toFixed(2)} (by CPU time ${(other.cpu / own.cpu).toFixed(2)})`,
    );
    const [ours, theirs] = ['node-weight', 'python-weight'].map((name) => read(name, Float64Array));
    const apart = ours.reduce((most, w, i) => Math.max(most, Math.abs(w - theirs[i])), 0);
    const [batch, their] = ['node-batch', 'python-batch'].map((name) => read(name, Int32Array));
    const differ = batch.reduce((n, b, i) => n + (b === their[i] ? 0 : 1), 0);
    const scales = own.scale.reduce((most, s, i) => Math.max(most, Math.abs(s - other.scale[i])), 0);
    agree = apart <= AGREE && differ === 0 && scales <= AGREE;
    row(
      'agreement',
      `weights within ${apart.toExponential(1)}, scales within ${scales.toExponential(1)}, ${differ} rows in another batch`,
    );
  }
  const [queries, sample, width] = [50_000, 4096, 40];
  const density = densitySeconds(queries, sample, width);
  row(
    'density, before the ranks',
    `${queries} rows against ${sample} contents of ${width} columns: ${density.toFixed(2)} s, ${Math.round(queries / density / 1000)}k rows/s`,
  );
  if (!given['skip-flat']) {
    const sizes = [size / 10, (3 * size) / 10, size].map(Math.round);
    const runs = sizes.map((n) => (n === size ? own : node(n)));
    row(
      `peak RSS at ${sizes.join(' / ')} rows`,
      runs.map(({ peak }) => `${Math.round(peak / MIB)} MiB`).join(' / '),
    );
    row('columns given', runs.map(({ held }) => `${Math.round(held / MIB)} MiB`).join(' / '));
    row(
      'growth of the peak over the first, bytes a row',
      runs
        .slice(1)
        .map(({ peak }, i) => Math.round((peak - runs[0].peak) / (sizes[i + 1] - sizes[0])))
        .join(' / '),
    );
  }
  console.log(`| what | measured |\n|---|---|\n${lines.join('\n')}`);
  if (!agree) {
    console.log('\nThe two do not agree.');
    process.exitCode = 1;
  }
}

if (given.run !== undefined) run(Number(given.run));
else bench();
