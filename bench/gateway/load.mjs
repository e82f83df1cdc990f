// Load of dialogues against one server, in a process of its own. argv[2]: a plan as JSON; prints what was measured.
import { Pool } from 'undici';

const plan = JSON.parse(process.argv[2]);
const { origin, path, key, model, rate, seconds, concurrency, stream, turns, warm } = plan;
const pool = new Pool(origin, { connections: null, headersTimeout: 60_000 });
const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
const system = (n) =>
  `You are a customer of a shop.\n<scenario>\nTask ${n % 64}: you ordered a lamp of ${40 + (n % 64)} euros and want to return it. ${'You prefer short answers. '.repeat(12)}\n</scenario>`;

let made = 0;
const idle = [];
function next() {
  const one = idle.pop();
  if (one !== undefined) return one;
  made += 1;
  return {
    n: made,
    messages: [
      { role: 'system', content: system(made) },
      { role: 'user', content: `Hi! How can I help you today? (${plan.run}-${made})` },
    ],
  };
}

const latencies = [];
const firsts = [];
let sent = 0;
let failed = 0;
let why = null;

async function turn(from, counts) {
  const dialogue = next();
  sent += 1;
  let text = '';
  try {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify({
        model,
        messages: dialogue.messages,
        seed: 1,
        ...(stream ? { stream: true } : {}),
      }),
    });
    if (stream) {
      let first = true;
      for await (const piece of answer.body) {
        if (first && counts) firsts.push(performance.now() - from);
        first = false;
        text += piece;
      }
      text = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word).join('');
    } else {
      const body = await answer.body.json();
      text = body.choices?.[0]?.message?.content;
    }
    if (answer.statusCode !== 200 || !text) throw new Error(`status ${answer.statusCode}`);
    if (counts) latencies.push(performance.now() - from);
  } catch (error) {
    failed += 1;
    why ??= String(error);
    return;
  }
  if (dialogue.messages.length >= 2 * turns) return;
  dialogue.messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'And what else?' });
  idle.push(dialogue);
}

const begin = performance.now();
const end = begin + 1000 * (warm + seconds);
let completed = 0;
if (rate !== null) {
  // Open loop: a request is sent when its time has come, and timed from that moment, whatever became of the others.
  const running = new Set();
  for (let i = 0; ; i++) {
    const due = begin + (1000 * i) / rate;
    if (due >= end) break;
    while (performance.now() < due)
      await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now() - 0.5)));
    const work = turn(due, due >= begin + 1000 * warm).finally(() => running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
} else {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const from = performance.now();
        await turn(from, from >= begin + 1000 * warm);
        if (from >= begin + 1000 * warm) completed += 1;
      }
    }),
  );
}
const quantile = (values, q) => {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
};
const summary = (values) => ({
  p50: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  p99: quantile(values, 0.99),
});
console.log(
  JSON.stringify({
    n: latencies.length,
    sent,
    failed,
    why,
    latency: summary(latencies),
    first: summary(firsts),
    throughput: rate === null ? completed / seconds : latencies.length / seconds,
  }),
);
process.exit(0);
