// How far behaviour spaces can be trusted, on real dialogues. Prints the tables of docs/behaviour-space.md; writes nothing.
//   npm run bench:space
// (a) Codebooks of two disjoint thirds of the rows, both asked about the last third, against shrinkage.
// (b) What taking the context out leaves of it in the modes.
// (c) Rows outside the space of people, over five seeds.
import { join, resolve } from 'node:path';
import { DATA, DIST, needData } from './corpora.mjs';

for (const folder of ['tau1', 'tau2', 'tau2_factorial', 'persuasiontrace', 'p4g']) needData(folder);
const load = (folder) => import(join(DIST, folder, 'index.js'));
const { describe, fitLsa, spokenTexts } = await load('embedding');
const { fit: fitOn } = await load('audit');
const { adjustedMutualInformation, adjustedRand, hashOrder, kMeans, nearest, quantile, seeded } =
  await load('math');
const { assignAll, fitWhitening, modeInformationRows, placeReference, whitened } = await load('space');
const { readFiles, readMapping } = await load('formats');

const SHRINKAGES = [0, 0.5, 0.75, 0.9, 1];
const SPLITS = 6;
const SEEDS = [0, 1, 2, 3, 4];
const maps = resolve(import.meta.dirname, '..', 'docs', 'examples', 'maps');

async function read(patterns, map, kind) {
  const options = {
    ...(map === undefined ? {} : { reader: await readMapping(join(maps, `${map}.yaml`)) }),
    ...(kind === undefined ? {} : { simulatorKind: kind }),
  };
  const rows = [];
  const files = patterns.map((pattern) => join(DATA, pattern));
  for await (const row of readFiles(files, options)) if (row.kind === 'trajectory') rows.push(row.trajectory);
  return rows;
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const deviation = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
const percent = (value) => Math.round(100 * value);

const airline = await read(['tau1/airline*', 'tau2/airline*']);
const retail = await read(['tau2_factorial/*']);
const people = await read(['persuasiontrace/human_rounds.jsonl.gz'], 'persuasiontrace-people', 'human');
const targets = await read(['persuasiontrace/sim__*.gz'], 'persuasiontrace-simulators');
const persuaded = await read(['p4g/full_dialog.csv.gz']);

// --- (a) ------------------------------------------------------------------------------------------------------
const inHashOrder = (rows) =>
  [...new Map(rows.map((row) => [row.facts.hash, row])).values()].sort((a, b) =>
    a.facts.hash < b.facts.hash ? -1 : 1,
  );
async function described(trajectories) {
  const texts = [...new Set(trajectories.flatMap((row) => spokenTexts(row, 'user')))].sort();
  return inHashOrder(await describe(trajectories, fitLsa(texts, { seed: 0 })));
}

/** Whitened vectors of `rows`, by what was fitted on `fitted`. */
function vectors(fitted, rows, block, shrinkage, share) {
  const columns = fitted[0][block].length;
  const data = Float64Array.from(fitted.flatMap((row) => [...row[block]]));
  const limit = Math.max(2, Math.floor(fitted.length / 3));
  const whitening = fitWhitening(data, fitted.length, columns, {
    weight: 1,
    robust: block === 'interaction',
    share: share ?? (block === 'semantic' ? 0.8 : 0.95),
    limit: share !== undefined ? 512 : block === 'semantic' ? Math.min(64, limit) : limit,
    shrinkage,
  });
  const of = (list) => whitened(whitening, list.length, (row) => list[row][block]);
  return { fit: of(fitted), placed: rows.map(of), columns: whitening.basis.columns };
}

const modes = (n) => Math.max(2, Math.min(64, Math.floor(n / 15)));
const clustered = ({ fit: data, columns }, n, stream, k = modes(n)) =>
  kMeans(data, n, columns, k, seeded(stream), { restarts: 6 });
const cells = ({ placed, columns }, n, book, k) => nearest(placed[0], n, columns, book.centroids, k).cell;

function agreement(rows, block, shrinkage, split, sameRows) {
  const order = [...rows].sort((a, b) => hashOrder(a.facts.hash, split) - hashOrder(b.facts.hash, split));
  const third = Math.floor(rows.length / 3);
  const parts = [order.slice(0, third), order.slice(third, 2 * third), order.slice(2 * third)];
  const books = (sameRows ? [parts[0], parts[0]] : [parts[0], parts[1]]).map((part, which) => {
    const sorted = inHashOrder(part);
    const found = vectors(sorted, [parts[2]], block, shrinkage);
    return cells(found, parts[2].length, clustered(found, third, `${split}/${which}`), modes(third));
  });
  return adjustedRand(...books);
}

console.log('Agreement of two codebooks about rows that neither was fitted on (adjusted Rand index)\n');
console.log(`| data | block | ${SHRINKAGES.join(' | ')} | 0.9, the same rows, other seeds |`);
console.log(`|---|---|${'---|'.repeat(SHRINKAGES.length + 1)}`);
for (const [name, trajectories] of [
  ['tau and tau2 airline', airline],
  ['persuasiontrace, people', people],
  ['Persuasion for Good, people', persuaded],
  ['tau2 retail', retail],
]) {
  const rows = await described(trajectories);
  for (const block of ['semantic', 'interaction']) {
    const over = (shrinkage, sameRows) =>
      mean(Array.from({ length: SPLITS }, (_, split) => agreement(rows, block, shrinkage, split, sameRows)));
    const figures = [...SHRINKAGES.map((shrinkage) => over(shrinkage, false)), over(0.9, true)];
    console.log(
      `| ${name}, ${rows.length} episodes | ${block} | ${figures.map((f) => f.toFixed(2)).join(' | ')} |`,
    );
  }
}

// --- (b) ------------------------------------------------------------------------------------------------------
console.log('\nAdjusted mutual information of modes, before and after the context is taken out (seed 1)\n');
console.log('| data | episodes | context | simulator |');
console.log('|---|---|---|---|');
for (const [name, rows] of [
  ['tau and tau2 airline', airline],
  ['tau2 retail', retail],
]) {
  const { space, evidence } = await fitOn(rows, [], { seed: 1 });
  const found = modeInformationRows(space, evidence.behaviours);
  const change = (key) =>
    ['before', 'after']
      .map((when) => adjustedMutualInformation(found[when], found[key]).toFixed(2))
      .join(' to ');
  console.log(
    `| ${name} | ${found.size} of ${rows.length} | ${change('context')} | ${change('simulator')} |`,
  );
}

// --- (c) ------------------------------------------------------------------------------------------------------
/** Shares of rows outside, by simulator; `people` are those that took no part in fit or radius. */
const outside = { wording: new Map(), narrow: new Map(), interaction: new Map() };
let used;
for (const seed of SEEDS) {
  const { space, embedder, evidence } = await fitOn(targets, people, { seed });
  const humans = inHashOrder(await describe(people, embedder));
  const parts = placeReference(
    humans.map((row) => row.facts),
    space.reference,
    seed,
  );
  const part = (wanted) => humans.filter((row) => parts.get(row.facts.hash) === wanted);
  const groups = new Map([['fresh people', part('ceiling')]]);
  for (const row of inHashOrder(evidence.behaviours))
    groups.set(row.facts.simulator, [...(groups.get(row.facts.simulator) ?? []), row]);
  used = { fit: part('fit').length, radius: part('mass').length };
  // As the wording has it, but with only the directions that hold 90 % of people's variance.
  const fitted = part('fit');
  const narrow = vectors(fitted, [part('mass'), ...groups.values()], 'semantic', 0.1, 0.9);
  const book = clustered(narrow, fitted.length, `${seed}`, space.k);
  const distances = narrow.placed.map(
    (data) => nearest(data, data.length / narrow.columns, narrow.columns, book.centroids, space.k).distance,
  );
  const radius = quantile(Float64Array.from(distances[0]).sort(), 0.95);
  [...groups].forEach(([name, rows], at) => {
    const placed = assignAll(space, rows).rows;
    const note = (map, share) => map.set(name, [...(map.get(name) ?? []), share]);
    note(outside.wording, mean(placed.map((row) => Number(row.semanticOutside))));
    note(outside.interaction, mean(placed.map((row) => Number(row.interactionOutside))));
    note(outside.narrow, mean([...distances[at + 1]].map((distance) => Number(distance > radius))));
  });
}
console.log(
  `\nRows outside the space of people, %, persuasiontrace: mean over ${SEEDS.length} seeds (standard deviation); ${used.fit} people in the fit, ${used.radius} behind the radius\n`,
);
console.log('| rows of | wording | wording, axes of 90 % of the variance | interaction |');
console.log('|---|---|---|---|');
const cell = (shares) => `${percent(mean(shares))} (${percent(deviation(shares))})`;
for (const name of [...outside.wording.keys()].sort())
  console.log(
    `| ${name} | ${cell(outside.wording.get(name))} | ${cell(outside.narrow.get(name))} | ${cell(outside.interaction.get(name))} |`,
  );
