import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../../src/math/random.ts';
import { compiled } from '../../store/compiled.ts';
import { openAt, place, tidy } from './recording.ts';

let program: Awaited<ReturnType<typeof compiled>>;
beforeAll(async () => {
  program = await compiled(join(import.meta.dirname, 'dying-recorder.ts'));
});
afterAll(async () => {
  await tidy();
  rmSync(program.folder, { recursive: true, force: true });
});

async function recordAndDie(path: string, round: number, after: number): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, path, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (told.length > after) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return told.split('\n').slice(0, -1);
}

describe('a gateway that is killed under load', () => {
  it('has every reply that it acknowledged in its export, but for sessions that retention dropped and counted', async () => {
    const path = place();
    const random = seeded('kill the recorder');
    let lastTurns = 0;
    for (let round = 0; round < 5; round++) {
      const told = await recordAndDie(path, round, 1000 + random.integer(60_000));
      const recorder = await openAt(path);
      const turns = new Map<string, Set<string>>();
      const rewards = new Map<string, number | null>();
      let exported = 0;
      for await (const { trajectory, closed } of recorder.exportSessions()) {
        exported++;
        turns.set(trajectory.id, new Set(trajectory.turns.map(({ text }) => text!)));
        rewards.set(trajectory.id, trajectory.reward);
        // Nothing is half there: a session that is over has all of its turns.
        if (closed) expect(trajectory.turns).toHaveLength(10);
      }
      const { dropped } = recorder.status();
      const ended = new Set(told.filter((line) => line.includes(' over')).map((line) => line.split(' ')[0]!));
      const missing = new Set<string>();
      for (const line of told) {
        const [id, what, value] = line.split(' ') as [string, string, string | undefined];
        if (!turns.has(id)) missing.add(id);
        else if (what === 'turn') expect(turns.get(id)).toContain(`${id} ${value}`);
        else if (value !== undefined) expect(rewards.get(id)).toBe(Number(value));
      }
      // Only what is over is ever dropped.
      expect([...missing].filter((id) => !ended.has(id))).toEqual([]);
      expect(missing.size).toBeLessThanOrEqual(dropped.sessions);
      const counts = recorder.countsOf('m1');
      expect(counts.sessions).toBe(
        exported + dropped.sessions + recorder.counts().orphans + unsaid(recorder),
      );
      expect(counts.turns).toBeGreaterThanOrEqual(
        lastTurns + told.filter((line) => line.includes(' turn ')).length,
      );
      lastTurns = counts.turns;
      await recorder.close();
    }
    expect(lastTurns).toBeGreaterThan(1000);
  });
});

/** Sessions that began and were never answered. */
const unsaid = (recorder: Awaited<ReturnType<typeof openAt>>) =>
  recorder.sessions({ state: 'open' }, null, 100_000).sessions.filter(({ turns }) => turns === 0).length;
