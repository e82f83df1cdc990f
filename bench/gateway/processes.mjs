// Processes of a bench: started, waited for, and what they used by the kernel's account (Linux; null elsewhere).
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const children = [];

/** Starts a command and gives what `read` finds in one of its first lines. */
export function start(command, args, read, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  children.push(child);
  let output = '';
  return new Promise((done, fail) => {
    const look = (piece) => {
      output += piece;
      const found = output
        .split('\n')
        .map(read)
        .find((one) => one !== null);
      if (found === undefined) return;
      // What it prints from now on is let go unread.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', look).resume();
      done({ child, pid: child.pid, port: Number(found) });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', look);
    child.on('exit', (code) =>
      fail(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)),
    );
    child.on('error', fail);
  });
}

/** Starts a command and waits until `url` answers. */
export async function startAt(command, args, url, options = {}) {
  const child = spawn(command, args, { stdio: 'ignore', ...options });
  children.push(child);
  let ended = null;
  child.on('exit', (code) => {
    ended = code ?? 'a signal';
  });
  for (let i = 0; i < 240; i++) {
    if (ended !== null) throw new Error(`${command} ${args.join(' ')} ended with ${ended}`);
    if ((await fetch(url).catch(() => null))?.ok) return { child, pid: child.pid };
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error(`${command} did not answer at ${url}`);
}

/** Runs a script to its end and gives what it prints. */
export async function run(script, argument) {
  const child = spawn(process.execPath, [script, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece;
  return text;
}

export function stopAll() {
  for (const child of children) child.kill('SIGKILL');
}

const TICKS = 100;
const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
};

/** Seconds of CPU of a process and its descendants, all threads, so far. */
export function cpuSeconds(pid) {
  const all = family(pid).map(statOf);
  if (all.length === 0) return null;
  return (
    all.reduce((sum, stat) => sum + (stat === null ? 0 : Number(stat[11]) + Number(stat[12])), 0) / TICKS
  );
}

function family(pid) {
  if (statOf(pid) === null) return [];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(name)?.[1])]);
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** Resident memory in MB. */
export function memory(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
