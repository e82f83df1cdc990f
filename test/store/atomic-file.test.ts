import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AtomicFile, writeFileAtomic } from '../../src/store/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-atomic-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let counter = 0;
const place = () => {
  const path = join(folder, `case-${counter++}`);
  mkdirSync(path);
  return path;
};

describe('AtomicFile', () => {
  it('shows nothing of the target before commit, and all of it after', async () => {
    const inside = place();
    const path = join(inside, 'out.txt');
    const file = await AtomicFile.open(path);
    await file.write('one ');
    await file.write(Buffer.from('two'));
    expect(readdirSync(inside)).not.toContain('out.txt');
    await file.commit();
    expect(readFileSync(path, 'utf8')).toBe('one two');
    expect(readdirSync(inside)).toEqual(['out.txt']);
  });

  it('keeps the order of writes that nobody awaits, over more than its buffer', async () => {
    const path = join(place(), 'out.txt');
    const file = await AtomicFile.open(path);
    const lines = Array.from({ length: 4000 }, (_, i) => `${i}${'.'.repeat(200)}\n`);
    const writes = lines.map((line) => file.write(line));
    await Promise.all(writes);
    await file.commit();
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
  });

  it('leaves the former file as it was when aborted', async () => {
    const inside = place();
    const path = join(inside, 'out.txt');
    writeFileSync(path, 'before');
    const file = await AtomicFile.open(path);
    await file.write('x'.repeat(1_000_000));
    await file.abort();
    await file.abort();
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(inside)).toEqual(['out.txt']);
    expect(() => file.write('more')).toThrow(/already aborted/);
  });

  it('is aborted by its signal', async () => {
    const inside = place();
    const control = new AbortController();
    const file = await AtomicFile.open(join(inside, 'out.txt'), { signal: control.signal });
    await file.write('part');
    control.abort(new Error('enough'));
    await expect(file.commit()).rejects.toThrow('enough');
    await file.abort();
    expect(readdirSync(inside)).toEqual([]);
    await expect(AtomicFile.open(join(inside, 'b'), { signal: control.signal })).rejects.toThrow('enough');
  });

  it('changes nothing when aborted after commit', async () => {
    const path = join(place(), 'out.txt');
    const file = await AtomicFile.open(path);
    await file.write('whole');
    await file.commit();
    await file.abort();
    expect(readFileSync(path, 'utf8')).toBe('whole');
  });

  it('makes missing folders, keeps the mode of the file it replaces and follows links', async () => {
    const inside = place();
    await writeFileAtomic(join(inside, 'a/b/out.txt'), 'deep');
    const path = join(inside, 'a/b/out.txt');
    chmodSync(path, 0o640);
    symlinkSync(path, join(inside, 'link'));
    await writeFileAtomic(join(inside, 'link'), 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('says so when the target is a folder or lies below a file', async () => {
    const inside = place();
    writeFileSync(join(inside, 'file'), '');
    for (const path of [inside, join(inside, 'file', 'out.txt')])
      await expect(AtomicFile.open(path)).rejects.toMatchObject({
        code: 'CA_FILE_UNWRITABLE',
        place: { file: path },
      });
  });

  it('writes devices straight through', async () => {
    await writeFileAtomic('/dev/null', 'gone');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('removes scratch files with commit and with abort', async () => {
    const inside = place();
    for (const end of ['commit', 'abort'] as const) {
      const file = await AtomicFile.open(join(inside, 'out.txt'));
      writeFileSync(file.scratch('db'), 'scratch');
      await file[end]();
      expect(readdirSync(inside)).toEqual(['out.txt']);
    }
  });

  it('holds no signal listener once every file is done', async () => {
    const before = process.listenerCount('SIGINT');
    const files = [await AtomicFile.open(join(place(), 'a')), await AtomicFile.open(join(place(), 'b'))];
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    await files[0]!.commit();
    await files[1]!.abort();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

describe('a process that dies while it writes', () => {
  const root = resolve(import.meta.dirname, '../..');
  const built = join(folder, 'built');
  beforeAll(async () => {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: join(import.meta.dirname, 'dying-writer.ts'),
        outDir: built,
        rollupOptions: { output: { entryFileNames: 'writer.mjs' } },
      },
    });
    symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'));
  });

  const start = async (format: string, path: string) => {
    const child = spawn(process.execPath, [join(built, 'writer.mjs'), format, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };

  for (const format of ['native', 'parquet', 'gz'])
    it(`leaves nothing of a ${format} file on SIGINT, and dies of it`, async () => {
      const inside = place();
      const path = join(inside, format === 'gz' ? 'out.jsonl.gz' : 'out');
      writeFileSync(path, 'before');
      const child = await start(format === 'gz' ? 'native' : format, path);
      child.kill('SIGINT');
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGINT');
      expect(readdirSync(inside)).toHaveLength(1);
      expect(readFileSync(path, 'utf8')).toBe('before');
    });

  it('leaves no target on SIGKILL, and the next writer sweeps what it left', async () => {
    const inside = place();
    const path = join(inside, 'out');
    const child = await start('parquet', path);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readdirSync(inside)).not.toContain('out');
    expect(readdirSync(inside).length).toBeGreaterThan(0);
    const alive = await AtomicFile.open(path);
    await writeFileAtomic(path, 'whole');
    expect(readdirSync(inside)).toHaveLength(2);
    await alive.abort();
    expect(readdirSync(inside)).toEqual(['out']);
  });

  it('leaves nothing when the process simply ends', () => {
    const inside = place();
    const { status } = spawnSync(process.execPath, [join(built, 'writer.mjs'), 'exit', join(inside, 'out')]);
    expect(status).toBe(0);
    expect(readdirSync(inside)).toEqual([]);
  });
});
