import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { openJournal } from '../../src/store/index.ts';
import { compiled } from './compiled.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-journal-kill-'));
let program: Awaited<ReturnType<typeof compiled>>;
beforeAll(async () => {
  program = await compiled(join(import.meta.dirname, 'dying-journal.ts'));
});
afterAll(() => {
  for (const path of [folder, program.folder]) rmSync(path, { recursive: true, force: true });
});

/** Starts the writer, kills it after some of its acknowledgements, gives all that it said. */
async function writeAndDie(
  path: string,
  durability: string,
  round: number,
  after: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, path, durability, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.length > after) child.kill('SIGKILL');
  });
  await once(child, 'close');
  // A line without its end was cut by the kill.
  return said.split('\n').slice(0, -1);
}

describe('a journal whose process is killed', () => {
  for (const durability of ['process', 'power'] as const)
    it(`has every acknowledged entry, each once and whole, after any number of kills (${durability})`, async () => {
      const path = join(folder, `${durability}.db`);
      const random = seeded(`kill ${durability}`);
      const acknowledged: string[] = [];
      for (let round = 0; round < 4; round++) {
        acknowledged.push(...(await writeAndDie(path, durability, round, 200 + random.integer(20_000))));
        const journal = await openJournal({ path, durability, maxBytes: null });
        const found: string[] = [];
        let seq = 0;
        for await (const entry of journal.read()) {
          expect(entry.seq).toBeGreaterThan(seq);
          seq = entry.seq;
          found.push((JSON.parse(entry.body) as { id: string }).id);
        }
        expect(found.length).toBe(journal.records());
        expect(new Set(found).size).toBe(found.length);
        const there = new Set(found);
        expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
        await journal.close();
      }
      expect(acknowledged.length).toBeGreaterThan(500);
    });
});
