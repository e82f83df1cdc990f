import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line as a person would; a watch that goes on is stopped with Ctrl-C once it has said something. */
export async function shell(line: string, cwd: string): Promise<Ended> {
  const isWatch = /\bcollapse-aware watch\b/.test(line);
  const steers = /--(override|release)\b/.test(line);
  // Examples stand for one another, not after one another: a store keeps the options it was begun with.
  if (isWatch && !steers) rmSync(join(cwd, '.collapse-aware'), { recursive: true, force: true });
  const child = spawn('bash', ['-c', line], {
    cwd,
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`,
      XDG_CACHE_HOME: join(cwd, '.cache'),
    },
  });
  child.stdin.end();
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    const first = texts.stdout === '';
    texts.stdout += chunk.toString();
    if (first && isWatch && !steers && !line.includes('--once')) process.kill(-child.pid!, 'SIGINT');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, ...texts };
}

/**
 * Runs the commands of a block, continued lines joined. `# ends with status N` says what else than 0 is expected.
 * @param gates whether a condition of --fail-on may be met: status 1 beside 0
 */
export async function runCommands(
  text: string,
  cwd: string,
  where: string,
  { gates = false }: { readonly gates?: boolean } = {},
): Promise<void> {
  for (const line of text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((part) => part.trim())) {
    // The package's own scripts are what CI runs, and are held to that elsewhere.
    if (line === '' || /^(#|npm )/.test(line)) continue;
    if (!/\bcollapse-aware\b/.test(line))
      throw new Error(`${where}: "${line}" is neither run nor marked as not run`);
    const run = await shell(line, cwd);
    const said = `${where}: ${line}\n${run.stderr}`;
    const wanted = Number(/# ends with status (\d)/.exec(line)?.[1] ?? 0);
    expect(gates && line.includes('--fail-on') ? [0, 1] : [wanted], said).toContain(run.status);
    expect(run.stderr, said).not.toMatch(/CA_INTERNAL| {4}at /);
  }
}
