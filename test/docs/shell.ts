import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { type ServedExamples, servedExamples } from './served-examples.ts';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line as a person would; a watch that goes on is stopped with Ctrl-C once it has said something. */
export async function shell(
  line: string,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const isWatch = /\bcollapse-aware watch\b/.test(line);
  const steers = /--(override|release)\b/.test(line);
  // Examples stand for one another, not after one another: a store keeps the options it was begun with.
  if (isWatch && !steers) rmSync(join(cwd, '.collapse-aware'), { recursive: true, force: true });
  const child = spawn('bash', ['-c', line], {
    cwd,
    detached: true,
    env: {
      ...process.env,
      ...environment,
      PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`,
      XDG_CACHE_HOME: join(cwd, '.cache'),
    },
  });
  child.stdin.end();
  const goesOn = isWatch && !steers && !line.includes('--once');
  const stop = () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
  };
  // A watch that waits for more steps than there are says so on standard error alone.
  const patience = goesOn ? setTimeout(stop, 60_000) : undefined;
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    const first = texts.stdout === '';
    texts.stdout += chunk.toString();
    if (first && goesOn) stop();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  clearTimeout(patience);
  return { status, ...texts };
}

/**
 * Runs the commands of a block, continued lines joined. They must end with status 0, with 0 or 1 where a condition
 * of --fail-on decides it, or as `# ends with status N` says. `served`: what blocks of one page share.
 */
export async function runCommands(
  text: string,
  cwd: string,
  where: string,
  served?: ServedExamples,
): Promise<void> {
  const examples = served ?? servedExamples(cwd);
  try {
    await runLines(text, cwd, where, examples);
  } finally {
    if (served === undefined) await examples.stop();
  }
}

async function runLines(text: string, cwd: string, where: string, examples: ServedExamples): Promise<void> {
  const lines = text.replace(/\\\n\s*/g, '').split('\n');
  for (const line of lines.map((part) => part.trim())) {
    // The package's own scripts are what CI runs, and are held to that elsewhere.
    if (line === '' || /^(#|npm )/.test(line)) continue;
    if (examples.takes(line)) {
      await examples.run(line, where);
      continue;
    }
    if (!/\bcollapse-aware\b/.test(line))
      throw new Error(`${where}: "${line}" is neither run nor marked as not run`);
    // It looks whether the store is free: it stands for another start, not for one beside the running gateway.
    if (line.includes('--dry-run')) await examples.stop();
    const run = await shell(line, cwd, examples.environment);
    const said = `${where}: ${line}\n${run.stderr}`;
    const told = /# ends with status (\d)/.exec(line)?.[1];
    const wanted = told !== undefined ? [Number(told)] : line.includes('--fail-on') ? [0, 1] : [0];
    expect(wanted, said).toContain(run.status);
    expect(run.stderr, said).not.toMatch(/CA_INTERNAL| {4}at /);
  }
}
