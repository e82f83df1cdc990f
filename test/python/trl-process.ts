import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { requirement } from '../require.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const VENV = join(ROOT, '.venv/bin/python');
export const PYTHON = process.env.CA_PYTHON ?? (existsSync(VENV) ? VENV : 'python3');

export const hasTrl = requirement(
  'Python with trl and torch',
  spawnSync(PYTHON, [
    '-c',
    'from importlib.util import find_spec as f\nfor n in "datasets torch trl".split(): assert f(n), n',
  ]).status === 0,
  'python3 -m venv .venv && .venv/bin/pip install --no-deps -r test/python/requirements.txt, or name one with CA_PYTHON',
);

/** What a program said, a line of JSON. */
export interface Event {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a script printed
  readonly [fact: string]: any;
}

export interface TrainerProcess {
  /** All that was said so far. */
  readonly events: readonly Event[];
  /** The next event of this name that was not waited for yet; rejects where the program ends without it. */
  next(event: string): Promise<Event>;
  /** Lets the program go on that asked for something. */
  goOn(): void;
  /** Exit status, once it has ended. */
  readonly ended: Promise<number | null>;
  readonly errors: () => string;
  stop(): void;
}

/** Nothing is asked of a network, and nothing is kept in the home folder. */
export function pythonEnvironment(key: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HF_HOME: join(tmpdir(), 'ca-no-hub'),
    HF_HUB_OFFLINE: '1',
    HF_DATASETS_CACHE: join(tmpdir(), 'ca-no-hub'),
    TOKENIZERS_PARALLELISM: 'false',
    PYTHONDONTWRITEBYTECODE: '1',
    OMP_NUM_THREADS: '1',
    CA_ADMIN_KEY: key,
  };
}

/** `PYTHON arguments...`, which prints events (trl_run.py). */
export function trainerProcess(given: readonly string[], environment: NodeJS.ProcessEnv): TrainerProcess {
  const child = spawn(PYTHON, given, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  const events: Event[] = [];
  const waited = new Map<string, number>();
  let wake = () => {};
  let over = false;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (!line.startsWith('{"event"')) return;
    events.push(JSON.parse(line) as Event);
    wake();
  });
  const ended = new Promise<number | null>((done) => child.on('close', (status) => done(status)));
  void ended.then(() => {
    over = true;
    wake();
  });
  return {
    events,
    ended,
    errors: () => said,
    goOn: () => void child.stdin.write('\n'),
    stop: () => void child.kill('SIGKILL'),
    async next(event) {
      for (;;) {
        const found = events.filter((one) => one.event === event);
        const at = waited.get(event) ?? 0;
        if (found.length > at) {
          waited.set(event, at + 1);
          return found[at]!;
        }
        if (over) throw new Error(`the program ended without "${event}":\n${said.slice(-4000)}`);
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    },
  };
}
