// The gateway against a direct connection, a bare pass-through on the same server library, and LiteLLM's proxy where it
// is installed: added latency at a constant open-loop rate, time to the first piece of a stream, throughput, and memory
// over a soak. Everything in one run on one machine; load, upstream and server are processes of their own.
// Usage: npm run bench:gateway -- [--rate 500] [--seconds 20] [--latency 20] [--concurrency 64] [--soak 0]
//        [--litellm PATH_OF_ITS_COMMAND] [--dir FOLDER]
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    /** Milliseconds of the fake upstream, for latencies; throughput has an upstream that answers at once. */
    latency: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '64' },
    /** Seconds; 600 for the soak that is quoted. */
    soak: { type: 'string', default: '0' },
    'soak-rate': { type: 'string', default: '200' },
    litellm: { type: 'string' },
    'litellm-rate': { type: 'string', default: '50' },
    dir: { type: 'string', default: join(tmpdir(), 'collapse-aware-bench', 'gateway') },
  },
});
const seconds = Number(given.seconds);
const rate = Number(given.rate);
const WARM = 3;
const TURNS = 10;
const children = [];

/** Starts a Node process and gives the first line that `read` finds something in. */
function start(command, args, read, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  children.push(child);
  let output = '';
  return new Promise((done, fail) => {
    const look = (piece) => {
      output += piece;
      for (const line of output.split('\n')) {
        const found = read(line);
        if (found !== null) return done({ child, found });
      }
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.on('exit', (code) =>
      fail(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)),
    );
    child.on('error', fail);
  });
}
const port = (line) => (/^\d+$/.test(line.trim()) ? Number(line) : null);
const upstream = (latency) =>
  start(process.execPath, [join(root, 'bench/gateway/upstream.mjs'), String(latency)], port);
const passThrough = (to) =>
  start(process.execPath, [join(root, 'bench/gateway/pass-through.mjs'), `http://127.0.0.1:${to}`], port);

async function gateway(to, name) {
  const folder = join(given.dir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'gateway.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      schema: 'collapse-aware/gateway@1',
      listen: { port: 0 },
      store: join(folder, 'store'),
      upstreams: { fake: { baseUrl: `http://127.0.0.1:${to}/v1`, concurrency: 2000, queue: 10_000 } },
      population: {
        members: ['a', 'b', 'c'].map((id) => ({ id, family: id, model: `fake-${id}`, upstream: 'fake' })),
        seen: ['a', 'b', 'c'],
      },
      limits: { sessions: 1_000_000 },
    }),
  );
  const started = await start(
    process.execPath,
    [join(root, 'dist/cli/main.js'), 'gateway', '-c', config],
    (line) => /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? null,
  );
  return { ...started, found: Number(started.found), store: join(folder, 'store') };
}

async function litellm(to) {
  const config = join(given.dir, 'litellm.yaml');
  writeFileSync(
    config,
    `model_list:\n  - model_name: population\n    litellm_params:\n      model: openai/fake\n      api_base: http://127.0.0.1:${to}/v1\n      api_key: none\n`,
  );
  const at = 4600 + Math.floor(Math.random() * 300);
  return start(
    given.litellm,
    ['--config', config, '--port', String(at), '--host', '127.0.0.1', '--num_workers', '1'],
    (line) => (/Uvicorn running on/.test(line) ? at : null),
    { env: { ...process.env, LITELLM_LOG: 'ERROR', LITELLM_TELEMETRY: 'False' } },
  );
}

let runs = 0;
async function load(to, { path = '/v1/chat/completions', ...plan }) {
  const full = {
    origin: `http://127.0.0.1:${to}`,
    path,
    key: null,
    model: 'population',
    rate: null,
    concurrency: Number(given.concurrency),
    stream: false,
    turns: TURNS,
    warm: WARM,
    seconds,
    run: ++runs,
    ...plan,
  };
  const child = spawn(process.execPath, [join(root, 'bench/gateway/load.mjs'), JSON.stringify(full)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece;
  const result = JSON.parse(text);
  if (result.failed > 0) console.log(`  (${result.failed} requests failed: ${result.why})`);
  return result;
}

const ms = (value) => (value === null ? '-' : value.toFixed(2));
const row = ({ p50, p95, p99 }) => `p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)} ms`;
const less = (a, b) => ({ p50: a.p50 - b.p50, p95: a.p95 - b.p95, p99: a.p99 - b.p99 });
const memory = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function main() {
  mkdirSync(given.dir, { recursive: true });
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
  console.log(`dialogues of ${TURNS} turns; recorder on; upstream, load and server share the cores\n`);
  const slow = await upstream(given.latency);
  const quick = await upstream(0);
  const ours = await gateway(slow.found, 'latency');
  const bare = await passThrough(slow.found);

  console.log(`added latency at ${rate} requests/s, upstream ${given.latency} ms, ${seconds} s`);
  const direct = await load(slow.found, { rate });
  console.log(`  direct          ${row(direct.latency)}  (n ${direct.n})`);
  const through = await load(ours.found, { rate });
  console.log(`  gateway         ${row(through.latency)}  (n ${through.n})`);
  const passed = await load(bare.found, { rate });
  console.log(`  pass-through    ${row(passed.latency)}  (n ${passed.n})`);
  console.log(`  gateway adds    ${row(less(through.latency, direct.latency))}   target p50 <= 1, p99 <= 10`);
  console.log(`  pass-through    ${row(less(passed.latency, direct.latency))}\n`);

  console.log(`first piece of a stream at ${rate / 2} requests/s`);
  const directStream = await load(slow.found, { rate: rate / 2, stream: true });
  const ownStream = await load(ours.found, { rate: rate / 2, stream: true });
  console.log(`  direct          ${row(directStream.first)}`);
  console.log(`  gateway         ${row(ownStream.first)}`);
  console.log(`  gateway adds    ${row(less(ownStream.first, directStream.first))}\n`);

  console.log(`throughput, upstream that answers at once, ${given.concurrency} clients`);
  const fast = await gateway(quick.found, 'throughput');
  const quickBare = await passThrough(quick.found);
  // Turn about, so that a machine that gets slower is slower for both.
  const own = [];
  const other = [];
  for (let round = 0; round < 3; round++) {
    other.push((await load(quickBare.found, { seconds: seconds / 2 })).throughput);
    own.push((await load(fast.found, { seconds: seconds / 2 })).throughput);
  }
  const middle = (values) => [...values].sort((a, b) => a - b)[1];
  console.log(`  pass-through    ${other.map((one) => one.toFixed(0)).join(', ')} requests/s`);
  console.log(`  gateway         ${own.map((one) => one.toFixed(0)).join(', ')} requests/s`);
  console.log(
    `  ratio           ${(middle(own) / middle(other)).toFixed(2)} of the pass-through   target >= 0.8`,
  );

  if (given.litellm !== undefined) {
    const proxy = await litellm(quick.found);
    const theirs = await load(proxy.found, { seconds: seconds / 2 });
    console.log(`  LiteLLM proxy   ${theirs.throughput.toFixed(0)} requests/s (one worker)`);
    console.log(
      `  ratio           ${(middle(own) / theirs.throughput).toFixed(1)} times LiteLLM   target >= 5`,
    );
    const low = Number(given['litellm-rate']);
    const slowProxy = await litellm(slow.found);
    const base = await load(slow.found, { rate: low });
    const added = await load(slowProxy.found, { rate: low });
    const same = await load(ours.found, { rate: low });
    console.log(`\nadded latency at ${low} requests/s`);
    console.log(`  LiteLLM adds    ${row(less(added.latency, base.latency))}`);
    console.log(`  gateway adds    ${row(less(same.latency, base.latency))}`);
  }

  if (Number(given.soak) > 0) {
    const soak = await gateway(slow.found, 'soak');
    const soakRate = Number(given['soak-rate']);
    console.log(`\nsoak: ${given.soak} s at ${soakRate} requests/s`);
    const seen = [];
    const from = performance.now();
    const look = setInterval(() => {
      seen.push([(performance.now() - from) / 1000, memory(soak.child.pid)]);
    }, 5000);
    const result = await load(soak.found, { rate: soakRate, seconds: Number(given.soak) });
    clearInterval(look);
    const half = seen.slice(Math.floor(seen.length / 2));
    const slope = slopeOf(half);
    console.log(`  ${result.n} requests, ${result.failed} failed; ${row(result.latency)}`);
    console.log(
      `  memory: ${seen[0]?.[1].toFixed(0)} MB at first, ${half[0]?.[1].toFixed(0)} MB half way, ${half.at(-1)?.[1].toFixed(0)} MB at the end`,
    );
    console.log(
      `  second half: ${(60 * slope).toFixed(2)} MB a minute, ${((1024 * 1024 * slope) / (soakRate / TURNS)).toFixed(0)} bytes a session`,
    );
    console.log(`  journal ${(statSync(join(soak.store, 'journal.db')).size / 2 ** 20).toFixed(0)} MB`);
  }
}

/** Least squares, per second. */
function slopeOf(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const top = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return top / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

try {
  await main();
} finally {
  for (const child of children) child.kill('SIGKILL');
}
process.exit(0);
