import { type ChildProcess, spawn } from 'node:child_process';
import { DATABASE_VARIABLE } from './evolve-place.ts';
import { tell } from './terminal.ts';

/** Processes, or threads, that one command may start. */
export const MOST_WORKERS = 256;

export interface SpawnedWorkers {
  stop(): Promise<void>;
}

/** Further processes of `collapse-aware worker`, which end with this one: each performs one thing at a time. */
export function spawnWorkers(url: string, count: number): SpawnedWorkers {
  let stopping = false;
  const children = Array.from({ length: Math.max(0, count) }, () => {
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'worker', '--quiet'], {
      // The address may have a password, which the list of processes would show.
      env: { ...process.env, [DATABASE_VARIABLE]: url },
      // Over the last it hears when this process is gone.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('exit', (status) => {
      if (!stopping) tell(`a worker ended with status ${status ?? 'none'}: the others go on`);
    });
    return child;
  });
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(children.map(ended));
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}
