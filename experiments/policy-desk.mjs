// The policy under training as an endpoint, by the names of its checkpoints: node policy-desk.mjs PORT CHECKPOINTS MODEL
// `policy` is the newest checkpoint in the folder CHECKPOINTS, `step-N` is `checkpoint-N` in it, `step-0` is MODEL. One is
// served at a time, by STAGE_ZERO_SERVE at POLICY_URL; whoever asks for another waits until it is loaded.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

const [port, checkpoints, model] = process.argv.slice(2);
const url = process.env.POLICY_URL;
const patience = Number(process.env.STAGE_ZERO_PATIENCE ?? 1800);

let served = null;
let child = null;
let running = 0;
let rest = () => {};
let last = Promise.resolve();

/** Where the weights of a name are; null = nowhere. */
function folderOf(name) {
  const steps = existsSync(checkpoints)
    ? readdirSync(checkpoints).flatMap((one) => /^checkpoint-(\d+)$/.exec(one)?.[1] ?? [])
    : [];
  const newest = steps
    .map(Number)
    .sort((a, b) => a - b)
    .at(-1);
  if (name === 'policy') return newest === undefined ? model : join(checkpoints, `checkpoint-${newest}`);
  const [, step] = /^step-(\d+)$/.exec(name) ?? [];
  if (step === '0') return model;
  return steps.includes(step) ? join(checkpoints, `checkpoint-${step}`) : null;
}

/** Resolves once it is served, and nothing else will be until `leave`. Whoever came first is first. */
function enter(folder) {
  const mine = last.then(async () => {
    if (served !== folder || child?.exitCode !== null) {
      if (running > 0)
        await new Promise((done) => {
          rest = done;
        });
      await serve(folder);
    }
    running += 1;
  });
  last = mine.catch(() => {});
  return mine;
}

function leave() {
  running -= 1;
  if (running === 0) rest();
}

async function serve(folder) {
  await stop();
  process.stdout.write(`serving ${folder}\n`);
  // The program itself takes the shell's place, so that it is what is ended.
  const command = 'exec $STAGE_ZERO_SERVE "$0"';
  const own = spawn('bash', ['-c', command, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  child = own;
  served = folder;
  for (const until = Date.now() + 1000 * patience; Date.now() < until; await pass(250)) {
    if (own.exitCode !== null || own.signalCode !== null) break;
    if (
      await fetch(`${url}/models`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  }
  await stop();
  throw new Error(`${folder} is not served at ${url}`);
}

async function stop() {
  const own = child;
  [child, served] = [null, null];
  if (own === null || own.exitCode !== null || own.signalCode !== null) return;
  const gone = new Promise((done) => own.once('exit', done));
  own.kill();
  await gone;
}

async function answer(request, response) {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const refuse = (status, message) => send(status, { error: { message } });
  if (request.method === 'GET') return send(200, { object: 'list', data: [{ id: 'policy' }] });
  let text = '';
  for await (const piece of request) text += piece;
  let asked;
  try {
    asked = JSON.parse(text);
  } catch {
    return refuse(400, 'no JSON');
  }
  const folder = folderOf(String(asked.model ?? 'policy'));
  if (folder === null) return refuse(404, `there is no checkpoint ${asked.model}`);
  try {
    await enter(folder);
  } catch (error) {
    return refuse(503, error.message);
  }
  try {
    const reply = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${process.env.POLICY_KEY ?? 'any'}`,
      },
      body: JSON.stringify({ ...asked, model: 'policy' }),
    });
    send(reply.status, await reply.text());
  } catch (error) {
    refuse(502, `the policy's server: ${error.message}`);
  } finally {
    leave();
  }
}

const server = createServer((request, response) => void answer(request, response));
// Loading a policy takes minutes, and whoever asked is still there.
server.requestTimeout = 0;
server.listen(Number(port), '127.0.0.1');
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop().then(() => process.exit(0)));
