// The gateway against a direct connection, a bare pass-through on the same server library, and LiteLLM's proxy where it
// is installed (`litellm` on the PATH, or --litellm): added latency at a constant open-loop rate, with probes and without, time to the first piece of a stream, throughput, CPU time of
// the server for each request, and memory over a soak. Everything in one run on one machine; load, upstream and server are
// processes of their own. Servers are measured turn about, so that a machine that gets slower is slower for all; the
// median of the rounds is what counts. On a machine that others use, the CPU time is what to compare.
// Usage: npm run bench:gateway -- [--rate 500] [--seconds 10] [--rounds 3] [--latency 20] [--concurrency 64]
//        [--soak 0] [--soak-rate 200] [--litellm PATH_OF_ITS_COMMAND] [--dir FOLDER]
import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds, memory, run, start, startAt, stopAll } from './gateway/processes.mjs';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
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
const proxyCommand = given.litellm ?? onPath('litellm');
const seconds = Number(given.seconds);
const rate = Number(given.rate);
const WARM = 2;
const TURNS = 10;

function onPath(command) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    });
}

const port = (line) => (/^\d+$/.test(line.trim()) ? Number(line) : null);
const upstream = (latency) =>
  start(process.execPath, [join(root, 'bench/gateway/upstream.mjs'), String(latency)], port);
const passThrough = (to) =>
  start(
    process.execPath,
    [join(root, 'bench/gateway/pass-through.mjs'), `http://127.0.0.1:${to.port}`],
    port,
  );

async function gateway(to, name, more = {}) {
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
      upstreams: { fake: { baseUrl: `http://127.0.0.1:${to.port}/v1`, concurrency: 2000, queue: 10_000 } },
      population: {
        members: ['a', 'b', 'c'].map((id) => ({ id, family: id, model: `fake-${id}`, upstream: 'fake' })),
        seen: ['a', 'b', 'c'],
      },
      limits: { sessions: 1_000_000 },
      ...more,
    }),
  );
  const started = await start(
    process.execPath,
    [join(root, 'dist/cli/main.js'), 'gateway', '-c', config],
    (line) => /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? null,
  );
  return { ...started, store: join(folder, 'store') };
}

/**
 * LiteLLM's proxy with one model, nothing logged to files, none of its lines a request, and no key to check, as the
 * gateway has none: its setting for local use, on loopback.
 */
async function litellm(to, workers) {
  const config = join(given.dir, `litellm-${to.port}.yaml`);
  writeFileSync(
    config,
    `model_list:\n  - model_name: population\n    litellm_params:\n      model: openai/fake\n      api_base: http://127.0.0.1:${to.port}/v1\n      api_key: none\ngeneral_settings:\n  dangerously_permit_weak_or_unset_master_key: true\n`,
  );
  const logs = join(given.dir, 'litellm-logs.json');
  const quiet = Object.fromEntries(
    ['uvicorn', 'uvicorn.error', 'uvicorn.access'].map((name) => [name, { level: 'WARNING' }]),
  );
  writeFileSync(logs, JSON.stringify({ version: 1, disable_existing_loggers: false, loggers: quiet }));
  const at = 4600 + Math.floor(Math.random() * 300);
  const where = ['--port', String(at), '--host', '127.0.0.1'];
  const { pid } = await startAt(
    proxyCommand,
    ['--config', config, ...where, '--num_workers', String(workers), '--log_config', logs],
    `http://127.0.0.1:${at}/health/liveliness`,
    { env: { ...process.env, LITELLM_LOG: 'ERROR', LITELLM_TELEMETRY: 'False' } },
  );
  return { pid, port: at };
}

let runs = 0;
async function load(server, plan) {
  const full = {
    origin: `http://127.0.0.1:${server.port}`,
    path: '/v1/chat/completions',
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
  const before = cpuSeconds(server.pid);
  const result = JSON.parse(await run(join(root, 'bench/gateway/load.mjs'), JSON.stringify(full)));
  const after = cpuSeconds(server.pid);
  const cpu = before === null || after === null ? null : (1e6 * (after - before)) / result.sent;
  return { ...result, cpu };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const medians = (summaries) =>
  Object.fromEntries(['p50', 'p95', 'p99'].map((q) => [q, median(summaries.map((one) => one[q]))]));

/** Every server in turn, so many rounds, after one that counts for nothing; the medians of each. */
async function turnAbout(servers, plan) {
  const results = servers.map(() => []);
  for (let round = 0; round <= Number(given.rounds); round++)
    for (const [i, server] of servers.entries()) {
      const one = await load(server, round === 0 ? { ...plan, seconds: 1 } : plan);
      if (round > 0) results[i].push(one);
    }
  return results.map((all) => ({
    n: all.reduce((sum, { n }) => sum + n, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    why: all.find(({ why }) => why !== null)?.why ?? null,
    latency: medians(all.map(({ latency }) => latency)),
    first: medians(all.map(({ first }) => first)),
    throughput: median(all.map(({ throughput }) => throughput)),
    each: all.map(({ throughput }) => throughput.toFixed(0)),
    cpu: all.some(({ cpu }) => cpu === null) ? null : median(all.map(({ cpu }) => cpu)),
  }));
}

const ms = (value) => (value == null ? '-' : value.toFixed(2));
const row = ({ p50, p95, p99 }) => `p50 ${ms(p50)}  p95 ${ms(p95)}  p99 ${ms(p99)} ms`;
const less = (a, b) => ({ p50: a.p50 - b.p50, p95: a.p95 - b.p95, p99: a.p99 - b.p99 });
const cpuOf = ({ cpu }) => (cpu === null ? '' : `  ${cpu.toFixed(0)} us of CPU a request`);
const told = ({ n, failed, why }) => `n ${n}${failed === 0 ? '' : `, ${failed} failed: ${why}`}`;
const line = (name, text) => console.log(`  ${name.padEnd(22)}${text}`);
const title = (text) =>
  console.log(
    `\n${text}  [load average ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}]`,
  );

async function latencies(slow, ours, bare) {
  title(
    `added latency at ${rate} requests/s, upstream ${given.latency} ms, ${given.rounds} rounds of ${seconds} s`,
  );
  const [direct, through, passed] = await turnAbout([slow, ours, bare], { rate });
  line('direct', `${row(direct.latency)}  (${told(direct)})`);
  line('gateway', `${row(through.latency)}  (${told(through)})${cpuOf(through)}`);
  line('pass-through', `${row(passed.latency)}  (${told(passed)})${cpuOf(passed)}`);
  line('gateway adds', `${row(less(through.latency, direct.latency))}  target p50 <= 1, p99 <= 10`);
  line('pass-through adds', row(less(passed.latency, direct.latency)));
}

async function streams(slow, ours, bare) {
  title(`first piece of a stream at ${rate / 2} requests/s`);
  const [direct, through, passed] = await turnAbout([slow, ours, bare], { rate: rate / 2, stream: true });
  line('direct', `${row(direct.first)}  (${told(direct)})`);
  line('gateway', `${row(through.first)}  (${told(through)})${cpuOf(through)}`);
  line('pass-through', `${row(passed.first)}  (${told(passed)})${cpuOf(passed)}`);
  line('gateway adds', row(less(through.first, direct.first)));
  line('pass-through adds', row(less(passed.first, direct.first)));
}

/** What probes behind the clients' backs cost the clients. */
async function withProbes(slow, ours) {
  const share = 0.2;
  title(`added latency at ${rate} requests/s with probes of ${100 * share} % of the histories, and without`);
  const probing = await gateway(slow, 'probes', { probes: { share } });
  const [direct, off, on] = await turnAbout([slow, ours, probing], { rate });
  line('direct', `${row(direct.latency)}  (${told(direct)})`);
  line('without adds', `${row(less(off.latency, direct.latency))}  (${told(off)})${cpuOf(off)}`);
  line('with probes adds', `${row(less(on.latency, direct.latency))}  (${told(on)})${cpuOf(on)}`);
  const text = await (await fetch(`http://127.0.0.1:${probing.port}/metrics`)).text();
  const outcomes = [...text.matchAll(/^collapse_aware_probes_total\{outcome="([^"]+)"\} (\d+)/gm)];
  line('histories probed', outcomes.map(([, outcome, count]) => `${count} ${outcome}`).join(', ') || 'none');
}

async function throughput(quick) {
  title(`throughput, upstream that answers at once, ${given.concurrency} clients`);
  const bare = await passThrough(quick);
  const ours = await gateway(quick, 'throughput');
  const proxies = proxyCommand === undefined ? [] : [await litellm(quick, 1), await litellm(quick, 2)];
  const [passed, own, ...theirs] = await turnAbout([bare, ours, ...proxies], { seconds: seconds / 2 });
  const show = (name, one) =>
    line(name, `${one.throughput.toFixed(0)} requests/s (${one.each.join(', ')}; ${told(one)})${cpuOf(one)}`);
  show('pass-through', passed);
  show('gateway', own);
  theirs.forEach((one, i) => {
    show(`LiteLLM, ${i + 1} worker${i === 0 ? '' : 's'}`, one);
  });
  const ratio = (other) => {
    const byCpu =
      own.cpu === null || other.cpu === null ? '' : `, ${(other.cpu / own.cpu).toFixed(2)} by CPU time`;
    return `${(own.throughput / other.throughput).toFixed(2)}${byCpu}`;
  };
  line('of the pass-through', `${ratio(passed)}  target >= 0.8`);
  theirs.forEach((one, i) => {
    line(`times LiteLLM (${i + 1})`, `${ratio(one)}  target >= 5`);
  });
}

async function besideLitellm(slow, ours) {
  const low = Number(given['litellm-rate']);
  const proxy = await litellm(slow, 1);
  title(`added latency at ${low} requests/s`);
  const [direct, own, theirs] = await turnAbout([slow, ours, proxy], { rate: low });
  line('direct', `${row(direct.latency)}  (${told(direct)})`);
  line('gateway adds', `${row(less(own.latency, direct.latency))}  (${told(own)})${cpuOf(own)}`);
  line('LiteLLM adds', `${row(less(theirs.latency, direct.latency))}  (${told(theirs)})${cpuOf(theirs)}`);
}

async function soak(slow) {
  // Sessions end, and old ones are dropped: what is left to grow is a leak.
  const server = await gateway(slow, 'soak', {
    sessions: { idleSeconds: 20 },
    recorder: { keepSessions: 1000 },
    // The upstream says the same to everybody: training would be held.
    breaker: { enabled: false },
  });
  const soakRate = Number(given['soak-rate']);
  title(`soak: ${given.soak} s at ${soakRate} requests/s`);
  const seen = [];
  const from = performance.now();
  const look = setInterval(() => {
    seen.push([(performance.now() - from) / 1000, memory(server.pid)]);
  }, 5000);
  const result = await load(server, { rate: soakRate, seconds: Number(given.soak) });
  clearInterval(look);
  const half = seen.slice(Math.floor(seen.length / 2));
  const slope = slopeOf(half);
  line('replies', `${row(result.latency)}  (${told(result)})${cpuOf(result)}`);
  line(
    'memory',
    `${seen[0]?.[1].toFixed(0)} MB at first, ${half[0]?.[1].toFixed(0)} MB half way, ${half.at(-1)?.[1].toFixed(0)} MB at the end, ${Math.max(...seen.map(([, mb]) => mb)).toFixed(0)} MB at most`,
  );
  line(
    'second half',
    `${(60 * slope).toFixed(2)} MB a minute, ${((1024 * 1024 * slope) / (soakRate / TURNS)).toFixed(0)} bytes a session`,
  );
  line('journal', `${(statSync(join(server.store, 'journal.db')).size / 2 ** 20).toFixed(0)} MB`);
}

/** Least squares, per second. */
function slopeOf(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const top = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return top / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

async function main() {
  mkdirSync(given.dir, { recursive: true });
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
  console.log(
    `dialogues of ${TURNS} turns without ids; recorder on; upstream, load and server share the cores`,
  );
  console.log('CPU: all threads of the server, warm-up included; medians of the rounds, taken turn about');
  const slow = await upstream(given.latency);
  const ours = await gateway(slow, 'latency');
  const bare = await passThrough(slow);
  await latencies(slow, ours, bare);
  await streams(slow, ours, bare);
  await throughput(await upstream(0));
  await withProbes(slow, ours);
  if (proxyCommand === undefined)
    line('not run: LiteLLM', 'no `litellm` on the PATH, and none given by --litellm');
  else await besideLitellm(slow, ours);
  if (Number(given.soak) > 0) await soak(slow);
  else line('not run: soak', '--soak SECONDS runs it');
}

try {
  await main();
} finally {
  stopAll();
}
process.exit(0);
