import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PYTHON, pythonEnvironment } from './trl-process.ts';

export interface Forks {
  /** Arguments of Python that run a script, or `-m` and a module, in a fork. */
  python(given: readonly string[]): string[];
  /** The same as a script with its arguments, for what starts Python itself. */
  script(given: readonly string[]): string[];
  close(): Promise<void>;
}

/** A Python that has torch and TRL loaded, and begins scripts as forks of itself: see forks.py. */
export async function openForks(): Promise<Forks> {
  const folder = mkdtempSync(join(tmpdir(), 'ca-forks-'));
  const socket = join(folder, 'socket');
  const child: ChildProcess = spawn(PYTHON, ['-B', join(import.meta.dirname, 'forks.py'), socket], {
    env: pythonEnvironment('unused'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout!, 'data'),
    ended.then(([status]) => {
      throw new Error(`forks.py ended with status ${status}`);
    }),
  ]);
  const script = (given: readonly string[]) => [join(import.meta.dirname, 'forked.py'), socket, ...given];
  return {
    script,
    // Without site-packages, which what only asks has no need of.
    python: (given) => ['-S', '-B', ...script(given)],
    async close() {
      child.stdin!.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
