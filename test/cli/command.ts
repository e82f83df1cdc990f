import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command, as a user does. */
export function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  if (!existsSync(MAIN)) throw new Error('dist is missing: npm run build');
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env } });
}

export function command(
  args: readonly string[],
  options: { readonly cwd: string; readonly stdin?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = start(args, options.cwd, options.env);
  child.stdin!.end(options.stdin ?? '');
  return ended(child);
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk: Buffer) => {
    texts.stdout += chunk.toString();
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  const status = await new Promise<number | null>((done) => child.on('close', (code) => done(code)));
  return { status, ...texts };
}

export function folder(): string {
  return mkdtempSync(join(tmpdir(), 'collapse-aware-test-'));
}
