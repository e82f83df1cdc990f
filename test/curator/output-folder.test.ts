import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURATION_SCHEMA } from '../../src/curation/manifest.ts';
import { fileSha256, hashFile } from '../../src/curator/file-hash.ts';
import { OutputFolder, type OutputFolderOptions } from '../../src/curator/output-folder.ts';
import { CollapseAwareError } from '../../src/errors.ts';
import { hashText } from '../../src/trajectory/identity.ts';

const root = mkdtempSync(join(tmpdir(), 'ca-output-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let counter = 0;
/** A fresh folder, and OUT inside it. */
const place = () => {
  const above = join(root, `case-${counter++}`);
  mkdirSync(above);
  return { above, out: join(above, 'out') };
};
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const manifestOf = (folder: OutputFolder) =>
  JSON.stringify({ schema: CURATION_SCHEMA, outputs: folder.files() });

async function curate(out: string, text: string, options: OutputFolderOptions = {}) {
  const folder = await OutputFolder.open(out, options);
  const lines = await folder.lines('rows.jsonl');
  await lines.write({ text });
  await lines.close();
  await folder.writeText('manifest.json', manifestOf(folder));
  await folder.commit();
}

describe('OutputFolder', () => {
  it('shows nothing before commit and every file after, with its rows, bytes and hash', async () => {
    const { above, out } = place();
    const folder = await OutputFolder.open(out);
    const lines = await folder.lines('weights.jsonl');
    await lines.write({ id: 'a', weight: 1 });
    await lines.write({ id: 'é', weight: null });
    writeFileSync(await folder.path('trl/train.parquet'), 'columns');
    expect(() => folder.files()).toThrow(/still being written/);
    await lines.close();
    await folder.add('trl/train.parquet', 2);
    await folder.writeText('batches.jsonl', '', 0);
    expect(existsSync(out)).toBe(false);
    const text = '{"id":"a","weight":1}\n{"id":"é","weight":null}\n';
    expect(folder.files()).toEqual([
      { path: 'batches.jsonl', rows: 0, bytes: 0, sha256: sha('') },
      { path: 'trl/train.parquet', rows: 2, bytes: 7, sha256: sha('columns') },
      { path: 'weights.jsonl', rows: 2, bytes: Buffer.byteLength(text), sha256: sha(text) },
    ]);
    await folder.writeText('manifest.json', manifestOf(folder));
    await folder.commit();
    expect(readdirSync(above)).toEqual(['out']);
    expect(readdirSync(out).sort()).toEqual(['batches.jsonl', 'manifest.json', 'trl', 'weights.jsonl']);
    expect(readFileSync(join(out, 'weights.jsonl'), 'utf8')).toBe(text);
    await folder.abort();
    expect(existsSync(join(out, 'manifest.json'))).toBe(true);
  });

  it('takes an empty folder as it is, its mode and links to it kept, and makes missing folders above', async () => {
    const { above, out } = place();
    mkdirSync(out);
    chmodSync(out, 0o750);
    symlinkSync(out, join(above, 'link'));
    await curate(join(above, 'link'), 'x');
    expect(statSync(out).mode & 0o777).toBe(0o750);
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'rows.jsonl']);
    await curate(join(above, 'a/b/out'), 'x');
    expect(existsSync(join(above, 'a/b/out/manifest.json'))).toBe(true);
  });

  it('replaces an earlier curation only when told to', async () => {
    const { above, out } = place();
    await curate(out, 'first');
    await expect(curate(out, 'second')).rejects.toMatchObject({ code: 'CA_USAGE', place: { file: out } });
    await expect(curate(out, 'second')).rejects.toThrow(/earlier curation/);
    expect(readFileSync(join(out, 'rows.jsonl'), 'utf8')).toContain('first');
    await curate(out, 'second', { replace: true });
    expect(readFileSync(join(out, 'rows.jsonl'), 'utf8')).toContain('second');
    expect(readdirSync(above)).toEqual(['out']);
  });

  it('leaves the earlier curation in place when the new one is aborted', async () => {
    const { above, out } = place();
    await curate(out, 'first');
    const folder = await OutputFolder.open(out, { replace: true });
    await folder.writeText('rows.jsonl', 'second');
    await folder.abort();
    await folder.abort();
    expect(readdirSync(above)).toEqual(['out']);
    expect(readFileSync(join(out, 'rows.jsonl'), 'utf8')).toContain('first');
    await expect(folder.lines('x')).rejects.toThrow(/already aborted/);
  });

  it('never deletes what it did not write, forced or not', async () => {
    const { out } = place();
    mkdirSync(out);
    const refuse = async (found: RegExp) => {
      for (const replace of [false, true]) {
        await expect(OutputFolder.open(out, { replace })).rejects.toMatchObject({ code: 'CA_USAGE' });
        await expect(OutputFolder.open(out, { replace })).rejects.toThrow(found);
      }
    };
    writeFileSync(join(out, 'thesis.md'), 'mine');
    await refuse(/other things \(thesis.md\)/);
    for (const text of ['{}', 'not json', '{"schema":"other@1"}', 'null', '[]']) {
      writeFileSync(join(out, 'manifest.json'), text);
      await refuse(/other things/);
    }
    rmSync(out, { recursive: true });
    await curate(out, 'first');
    writeFileSync(join(out, 'notes.txt'), 'mine');
    await refuse(/notes.txt beside a curation/);
    rmSync(join(out, 'notes.txt'));
    mkdirSync(join(out, 'sub'));
    symlinkSync('/', join(out, 'sub/rows.jsonl'));
    await refuse(/sub\/rows.jsonl beside/);
    rmSync(out, { recursive: true });
    writeFileSync(out, '');
    await refuse(/is a file/);
    rmSync(out);
    symlinkSync(`${out}-nowhere`, out);
    await refuse(/link to nothing/);
  });

  it('refuses the current folder and one that holds it', async () => {
    for (const path of ['.', '..', '/'])
      await expect(OutputFolder.open(path, { replace: true })).rejects.toThrow(/current folder/);
  });

  it('refuses a place that another process filled meanwhile', async () => {
    const { above, out } = place();
    const folder = await OutputFolder.open(out);
    await folder.writeText('manifest.json', manifestOf(folder));
    mkdirSync(out);
    writeFileSync(join(out, 'other'), '');
    await expect(folder.commit()).rejects.toMatchObject({ code: 'CA_USAGE' });
    expect(readdirSync(above)).toEqual(['out']);
    expect(readdirSync(out)).toEqual(['other']);
  });

  it('keeps its files in order: no name twice, none outside, none unnoted, the manifest last', async () => {
    const { above, out } = place();
    const folder = await OutputFolder.open(out);
    for (const name of ['', '/etc/x', '../x', 'a/../x', '.hidden', 'a/.b', 'a//b', 'a\\b', 'a\0', '.', 'a/'])
      await expect(folder.path(name), name).rejects.toThrow(/no name of a file/);
    await folder.writeText('a', 'x');
    await expect(folder.path('a')).rejects.toThrow(/twice/);
    await folder.path('b');
    await expect(folder.writeText('manifest.json', '{}')).rejects.toThrow(/b is still being written/);
    await folder.abort();

    const second = await OutputFolder.open(out);
    await second.path('a');
    await expect(second.add('a', 1)).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });

    const third = await OutputFolder.open(out);
    const path = await third.path('a');
    writeFileSync(path, '');
    writeFileSync(`${path}.stray`, '');
    await third.add('a', 0);
    await third.writeText('manifest.json', manifestOf(third));
    await expect(third.path('late')).rejects.toThrow(/last file/);
    await expect(third.commit()).rejects.toThrow(/a.stray was written and not noted/);

    const fourth = await OutputFolder.open(out);
    await expect(fourth.commit()).rejects.toThrow(/manifest.json was not written/);
    expect(readdirSync(above)).toEqual([]);
  });

  it('is removed by its signal, whatever is being written', async () => {
    const { above, out } = place();
    const control = new AbortController();
    const folder = await OutputFolder.open(out, { signal: control.signal });
    const lines = await folder.lines('rows.jsonl');
    await lines.write('x'.repeat(400_000));
    control.abort(new Error('enough'));
    await expect(lines.write(1)).rejects.toThrow('enough');
    await expect(folder.commit()).rejects.toThrow('enough');
    await folder.abort();
    expect(readdirSync(above)).toEqual([]);
    await expect(OutputFolder.open(out, { signal: control.signal })).rejects.toThrow('enough');
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that the disk is full, names the file, and leaves nothing',
    async () => {
      const { above, out } = place();
      const folder = await OutputFolder.open(out);
      const probe = await folder.path('probe');
      // Every write to this device fails as on a full disk.
      symlinkSync('/dev/full', probe.replace(/probe$/, 'rows.jsonl'));
      const lines = await folder.lines('rows.jsonl');
      const writes = Array.from({ length: 40 }, () => lines.write('x'.repeat(20_000)));
      const ends = await Promise.allSettled([...writes, lines.close()]);
      const faults = ends.filter((end) => end.status === 'rejected');
      expect(faults.length).toBeGreaterThan(0);
      for (const { reason } of faults) {
        expect(reason).toMatchObject({
          code: 'CA_FILE_UNWRITABLE',
          place: { file: join(out, 'rows.jsonl') },
        });
        expect(reason.message).toContain('ENOSPC');
      }
      expect(readdirSync(above)).toEqual([]);
      await expect(folder.commit()).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
    },
  );

  it('names a file of another writer as the reader will know it', async () => {
    const { above, out } = place();
    const folder = await OutputFolder.open(out);
    const path = await folder.path('rows.parquet');
    const fault = new CollapseAwareError('CA_FILE_UNWRITABLE', `no room for ${path}`, {
      place: { file: path },
    });
    await expect(folder.writing('rows.parquet', () => Promise.reject(fault))).rejects.toMatchObject({
      line: expect.stringMatching(
        /^CA_FILE_UNWRITABLE: .*out\/rows\.parquet: no room for rows\.parquet - check /,
      ),
    });
    expect(readdirSync(above)).toEqual([]);
  });

  it.skipIf(!existsSync('/proc/sys'))('says that the place cannot be written', async () => {
    const { above } = place();
    writeFileSync(join(above, 'file'), '');
    await expect(OutputFolder.open(join(above, 'file/out'))).rejects.toMatchObject({
      code: 'CA_FILE_UNWRITABLE',
    });
    await expect(OutputFolder.open('/proc/out')).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
    await expect(OutputFolder.open('/proc/sys')).rejects.toMatchObject({ code: 'CA_USAGE' });
  });

  it('holds no signal listener once it is done', async () => {
    const before = process.listenerCount('SIGINT');
    const folder = await OutputFolder.open(place().out);
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    await folder.abort();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

describe('a process that dies while it curates', () => {
  const home = resolve(import.meta.dirname, '../..');
  const built = join(root, 'built');
  beforeAll(async () => {
    await build({
      root: home,
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: join(import.meta.dirname, 'dying-curation.ts'),
        outDir: built,
        rollupOptions: { output: { entryFileNames: 'curation.mjs' } },
      },
    });
    symlinkSync(join(home, 'node_modules'), join(built, 'node_modules'));
  });

  const die = async (out: string, signal: NodeJS.Signals) => {
    const child = spawn(process.execPath, [join(built, 'curation.mjs'), out, 'stay'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    expect((await once(child, 'exit'))[1]).toBe(signal);
    return child.pid!;
  };

  it('leaves nothing on Ctrl-C, dies of it, and the earlier curation stays', async () => {
    const { above, out } = place();
    await curate(out, 'first');
    await die(out, 'SIGINT');
    expect(readdirSync(above)).toEqual(['out']);
    expect(readFileSync(join(out, 'rows.jsonl'), 'utf8')).toContain('first');
  });

  it('leaves only a staging folder on SIGKILL, and the next curation sweeps it', async () => {
    const { above, out } = place();
    await die(out, 'SIGKILL');
    const left = readdirSync(above);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\.out\.\w{8}-\d+-\w{8}\.partial$/);
    const living = await OutputFolder.open(out);
    await curate(out, 'first');
    expect(readdirSync(above)).toHaveLength(2);
    await living.abort();
    expect(readdirSync(above)).toEqual(['out']);
  });

  it('puts back the curation that was being replaced when it was killed between the two renames', async () => {
    const { above, out } = place();
    const pid = await die(out, 'SIGKILL');
    await curate(out, 'first');
    const former = join(above, `.out.${hashText(hostname()).slice(0, 8)}-${pid}-00000000.former`);
    renameSync(out, former);
    await expect(OutputFolder.open(out)).rejects.toThrow(/earlier curation/);
    expect(readFileSync(join(out, 'rows.jsonl'), 'utf8')).toContain('first');
    mkdirSync(former);
    await (await OutputFolder.open(out, { replace: true })).abort();
    expect(readdirSync(above)).toEqual(['out']);
  });

  it('leaves nothing when the process simply ends', () => {
    const { above, out } = place();
    expect(spawnSync(process.execPath, [join(built, 'curation.mjs'), out, 'exit']).status).toBe(0);
    expect(readdirSync(above)).toEqual([]);
  });
});

describe('the hash of a file', () => {
  it('is that of its bytes, null for standard input, and an error where there is none', async () => {
    const { out } = place();
    writeFileSync(out, 'x'.repeat(3_000_000));
    expect(await hashFile(out)).toEqual({ bytes: 3_000_000, sha256: sha('x'.repeat(3_000_000)) });
    expect(await fileSha256(out)).toBe(sha('x'.repeat(3_000_000)));
    expect(await fileSha256('-')).toBeNull();
    await expect(fileSha256(`${out}-not`)).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
    await expect(fileSha256(root)).rejects.toMatchObject({ code: 'CA_FILE_UNREADABLE' });
    await expect(fileSha256(out, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
