// What recipes do to public rollouts: figures after less before, at one size, over seeds.
// Usage: npm run bench:recipes -- [--seeds 1,2,3,4] [--json]; CA_DATA names the folder with the data sets.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATA, DIST, needData } from './corpora.mjs';

const { values: given } = parseArgs({
  options: { seeds: { type: 'string', default: '1,2,3,4' }, json: { type: 'boolean', default: false } },
});
const seeds = given.seeds.split(',').map(Number);
if (!seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)) {
  console.error(`--seeds: found ${given.seeds}; give whole numbers, such as 1,2,3,4`);
  process.exit(2);
}
for (const folder of ['persuasiontrace', 'tau1', 'tau2', 'tau2_factorial']) needData(folder);
const [{ readFiles, readMapping }, { curate }, { readRecipe }] = await Promise.all(
  ['formats/index.js', 'curator/index.js', 'curation/index.js'].map((path) => import(join(DIST, path))),
);
const MAPS = resolve(import.meta.dirname, '..', 'docs', 'examples', 'maps');

const RECIPES = {
  'default (batches)': {},
  weights: { weights: { concentration: true, coverage: true } },
  'weights, no coverage': { weights: { concentration: true, coverage: false } },
  gradient: { gradient: true },
  'gate alone': { weights: false, batches: { balance: 'none' } },
};

async function read(paths, options = {}) {
  const rows = [];
  for await (const row of readFiles(
    paths.map((path) => join(DATA, path)),
    options,
  ))
    if (row.kind === 'trajectory') rows.push(row.trajectory);
  return rows;
}

const mapped = (name) => readMapping(join(MAPS, `persuasiontrace-${name}.yaml`));
const SETS = {
  persuasiontrace: {
    rows: await read(['persuasiontrace/sim__*.gz'], { reader: await mapped('simulators') }),
    people: await read(['persuasiontrace/human_rounds.jsonl.gz'], {
      reader: await mapped('people'),
      simulatorKind: 'human',
    }),
  },
  'tau airline': { rows: await read(['tau1/airline*.gz', 'tau2/airline*.gz']), people: null },
  tau2_factorial: { rows: await read(['tau2_factorial/*.gz']), people: null },
};

const again = (rows) =>
  async function* () {
    yield* rows;
  };
const told = ({ value, low, high, n, method, reason }) => ({ value, low, high, n, method, reason });

/** One curation; the space of a data set and seed is the same under every recipe here: all gate alike. */
async function run({ rows, people }, written, seed, space) {
  const input = {
    records: again(rows),
    ...(people === null ? {} : { people: again(people) }),
    ...(space === null ? {} : { space }),
  };
  const recipe = { ...readRecipe(written), seed };
  const curated = await curate(input, recipe, { searchEvaluations: 0 });
  const { beforeAfter: figures } = curated;
  return {
    space: curated.space,
    seed,
    read: figures.rows.before,
    after: figures.rows.after,
    g0: figures.g0,
    scd2: told(figures.scd2.difference),
    cover: told((people === null ? figures.mass : figures.bdi).difference),
    realism: told(figures.realism.difference),
    verdict: figures.verdict,
  };
}

const results = [];
for (const [data, set] of Object.entries(SETS)) {
  const by = Object.fromEntries(Object.keys(RECIPES).map((name) => [name, []]));
  for (const seed of seeds) {
    let fitted = null;
    for (const [name, recipe] of Object.entries(RECIPES)) {
      const { space, ...rest } = await run(set, recipe, seed, fitted);
      fitted = space;
      by[name].push(rest);
    }
  }
  for (const [recipe, runs] of Object.entries(by))
    results.push({ data, recipe, cover: set.people === null ? 'modes covered' : 'BDI', runs });
}

/** Mean over the seeds, and the least and the most. */
function over(runs, of, digits) {
  const values = runs.map(of).filter((value) => value !== null);
  if (values.length === 0) return 'not measured';
  const shown = (value) => `${value < 0 || digits === 0 ? '' : '+'}${value.toFixed(digits)}`;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return `${shown(mean)} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}

function table() {
  const lines = [
    '| data | recipe | rows after | SCD2 | BDI or modes covered | realism | improved / unchanged / limited |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const { data, recipe, runs } of results) {
    const count = (verdict) => runs.filter((one) => one.verdict === verdict).length;
    const verdicts = ['improved', 'unchanged', 'limited-by-data'].map(count).join(' / ');
    const cells = [
      `${data}, ${runs[0].read}`,
      recipe,
      over(runs, ({ after }) => after, 0),
      ...['scd2', 'cover', 'realism'].map((key) => over(runs, (one) => one[key].value, 3)),
      verdicts,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return lines.join('\n');
}

console.log(given.json ? JSON.stringify({ seeds, recipes: RECIPES, results }, null, 2) : table());
