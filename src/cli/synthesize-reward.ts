import { spawn } from 'node:child_process';
import { CollapseAwareError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** A reward command that says nothing for so long has hung, in ms. */
const PATIENCE = 120_000;

/**
 * The reward of an episode by a command of the user's own: it reads the episode as one line of JSON and prints a number,
 * or `null` where there is none. @throws (the promise) CA_USAGE for anything else, with what it said.
 */
export function rewardBy(
  command: string,
  [low, high]: readonly [number, number],
): (trajectory: Trajectory, signal: AbortSignal) => Promise<number | null> {
  return async (trajectory, signal) => {
    const { status, out, err } = await answerOf(command, `${JSON.stringify(trajectory)}\n`, signal);
    const said = out.trim();
    if (status === 0 && said === 'null') return null;
    const reward = said === '' ? Number.NaN : Number(said);
    if (status === 0 && reward >= low && reward <= high) return reward;
    const told =
      status !== 0
        ? `ended with status ${status}: ${err.trim().slice(-200)}`
        : `printed '${said.slice(0, 80)}'`;
    throw new CollapseAwareError('CA_USAGE', `the reward command ${told}`, {
      todo: `it should print one number from ${low} to ${high}, or null`,
    });
  };
}

function answerOf(
  command: string,
  input: string,
  signal: AbortSignal,
): Promise<{ status: number | null; out: string; err: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, { shell: true, signal, timeout: PATIENCE, stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = `${err}${text}`.slice(-1000);
    });
    child.on('error', fail);
    child.on('close', (status) => done({ status, out, err }));
    // One that does not read its input is no fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
