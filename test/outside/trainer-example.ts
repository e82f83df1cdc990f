import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CLIENT_KEY } from '../gateway/end-to-end/stand.ts';
import { PYTHON, pythonEnvironment, ROOT } from '../python/trl-process.ts';

/** What the trainer says of a step: `time` in seconds since 1970. */
export interface TrainerLine {
  readonly step?: number;
  readonly time?: number;
  readonly serving?: number;
}

export interface TrainerExample {
  readonly lines: readonly TrainerLine[];
  /** Port that the policy answers at. */
  readonly serving: Promise<number>;
  errors(): string;
  kill(): Promise<void>;
}

/** `trl_dialogue.py` as anybody would start it, with its policy served. */
export function trainerExample(
  url: string,
  adminKey: string,
  scenarios: string,
  more: readonly string[] = [],
): TrainerExample {
  const script = join(ROOT, 'python/examples/trl_dialogue.py');
  const given = ['--gateway', url, '--api-key', CLIENT_KEY, '--serve', '0', '--write-scenarios', scenarios];
  const child = spawn(PYTHON, ['-B', script, ...given, ...more], {
    env: pythonEnvironment(adminKey),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: TrainerLine[] = [];
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const serving = new Promise<number>((found, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const told = JSON.parse(line) as TrainerLine;
      lines.push(told);
      if (told.serving !== undefined) found(told.serving);
    });
    void ended.then(() => fail(new Error(`the trainer ended:\n${said.slice(-4000)}`)));
  });
  serving.catch(() => {});
  return {
    lines,
    serving,
    errors: () => said,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
