import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDirectory } from '../../src/loop/index.ts';
import { seeded } from '../../src/math/random.ts';
import { compiled } from '../store/compiled.ts';

const ROUNDS = 30;
const base = mkdtempSync(join(tmpdir(), 'ca-run-kill-'));
let program: Awaited<ReturnType<typeof compiled>>;
let whole = '';
beforeAll(async () => {
  program = await compiled(join(import.meta.dirname, 'killed-run.ts'));
  expect((await ended(lead(join(base, 'whole'), 0))).status).toBe(0);
  whole = readFileSync(join(base, 'whole/summary.json'), 'utf8');
});
afterAll(() => {
  for (const path of [base, program.folder]) rmSync(path, { recursive: true, force: true });
});

const lead = (folder: string, slow: number, before = ''): ChildProcess =>
  spawn(
    'sh',
    ['-c', `${before} exec "$0" "$@"`, process.execPath, program.file, folder, String(ROUNDS), String(slow)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

async function ended(child: ChildProcess): Promise<{ status: number | null; said: string }> {
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

describe('a run whose process is killed', () => {
  it('ends in the same bytes after 20 kills at any moment, and loses no answer that it had kept', async () => {
    const random = seeded('kills of a run');
    const folder = join(base, 'killed');
    let kills = 0;
    let answered = 0;
    while (kills < 20) {
      const child = lead(folder, 4);
      // Some while it starts, most at an answer or a little later: within the next one.
      const at = random.integer(5);
      const later = random.integer(12);
      let answers = 0;
      let kill: NodeJS.Timeout | null =
        at === 0 ? setTimeout(() => child.kill('SIGKILL'), 60 + 6 * later) : null;
      child.stdout!.on('data', (chunk: Buffer) => {
        answers += chunk.toString().split('answer\n').length - 1;
        if (answers >= at) kill ??= setTimeout(() => child.kill('SIGKILL'), later);
      });
      const { said } = await ended(child);
      clearTimeout(kill ?? undefined);
      expect(said).not.toContain('CA_');
      answered += answers;
      if (said.includes('done')) break;
      kills += 1;
      let entries = 0;
      const view = await runDirectory(folder)
        .view()
        .catch(() => null);
      if (view === null) continue;
      for await (const _ of view.entries()) entries += 1;
      expect(entries).toBeGreaterThanOrEqual(answered);
    }
    expect(kills).toBe(20);
    expect((await ended(lead(folder, 0))).status).toBe(0);
    expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(whole);
    expect(readFileSync(join(folder, 'journal.jsonl'))).toEqual(
      readFileSync(join(base, 'whole/journal.jsonl')),
    );
    expect(readdirSync(join(folder, 'checkpoints')).filter((name) => !name.startsWith('.'))).toEqual(
      readdirSync(join(base, 'whole/checkpoints')),
    );
  });
});

describe('two processes on one run', () => {
  it('the second is refused and told who drives it; a pause that it asks for is kept', async () => {
    const folder = join(base, 'two');
    const first = lead(folder, 20);
    const end = ended(first);
    await once(first.stdout!, 'data');
    const second = await ended(lead(folder, 0));
    expect(second.status).toBe(3);
    expect(second.said).toContain(`the run is driven by process ${first.pid}`);
    const place = runDirectory(folder);
    await place.askPause();
    expect((await end).said).toMatch(/paused\n$/);
    await place.allow();
    expect((await ended(lead(folder, 0))).said).toMatch(/^replayed\n(answer\n)+done\n$/);
    expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(whole);
  });
});

describe('a disk that is full', () => {
  /** Files of at most so many blocks of 512 bytes: a write past that fails half done, as on a full disk. */
  it('is told with the file; nothing partial stays, and the run goes on from its last answer', async () => {
    for (const blocks of [3, 6, 11]) {
      const folder = join(base, `full-${blocks}`);
      const full = await ended(lead(folder, 0, `ulimit -f ${blocks};`));
      expect(full.status).toBe(3);
      expect(full.said).toContain('CA_FILE_UNWRITABLE');
      expect(full.said).toContain(folder);
      const text = readFileSync(join(folder, 'journal.jsonl'), 'utf8');
      expect(text.endsWith('}\n')).toBe(true);
      const again = await ended(lead(folder, 0));
      expect(again.said).not.toContain('note');
      expect(again.status).toBe(0);
      expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(whole);
    }
  });

  const disk = join(base, 'disk');
  const mounted = (() => {
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', disk], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();
  afterAll(() => {
    if (mounted) execFileSync('umount', [disk]);
  });
  // Where CI may not mount, the test above stands for it.
  it.skipIf(!mounted)('is a whole one, of 96 kB', async () => {
    const folder = join(disk, 'run');
    const full = await ended(lead(folder, 0));
    expect(full.status).toBe(3);
    expect(full.said).toMatch(/CA_FILE_UNWRITABLE|CA_STORE/);
    execFileSync('mount', ['-o', 'remount,size=8m', disk]);
    expect((await ended(lead(folder, 0))).status).toBe(0);
    expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(whole);
  });
});
