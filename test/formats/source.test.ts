import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CollapseAwareError } from '../../src/errors.ts';
import type { Source, TextLine } from '../../src/formats/reader.ts';
import { openSource } from '../../src/formats/source.ts';
import { temporary } from './fixture.ts';

async function linesOf(source: Source): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const line of source.lines()) lines.push(line);
  return lines;
}

const texts = async (path: string, rowLimit?: number): Promise<string[]> =>
  (await linesOf(await openSource(path, { rowLimit }))).map((line) => line.text);

/** A zstd frame of raw blocks, written by hand: Node 20 has no encoder. */
function zstd(content: Buffer): Buffer {
  const blocks: Buffer[] = [];
  const size = 100_000;
  for (let at = 0; at < content.length; at += size) {
    const part = content.subarray(at, at + size);
    const header = (part.length << 3) | (at + size >= content.length ? 1 : 0);
    blocks.push(Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255]), part);
  }
  // Magic, a frame header without content size, a window of 1 MiB.
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]), ...blocks]);
}

const failure = (path: string): Promise<CollapseAwareError> =>
  openSource(path).then(
    async (source) => source.head().then(() => undefined as never),
    (error: CollapseAwareError) => error,
  );

describe('openSource', () => {
  it('names what is wrong with a file that cannot be used', async () => {
    expect((await failure('/nowhere/x.jsonl')).code).toBe('CA_FILE_NOT_FOUND');
    expect((await failure(temporary('empty.jsonl', ''))).code).toBe('CA_FILE_EMPTY');
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n';
    const error = await failure(temporary('pointer.jsonl', pointer));
    expect(error.code).toBe('CA_FILE_LFS_POINTER');
    expect(error.line).toContain('git lfs pull');
  });

  it('refuses bytes that are no text', async () => {
    const path = temporary('image.json', Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 31) % 27)));
    await expect((await openSource(path)).head()).rejects.toMatchObject({ code: 'CA_FILE_ENCODING' });
  });
});

describe('lines', () => {
  it('cuts the mark, the carriage returns and nothing else', async () => {
    expect(await texts(temporary('crlf.txt', '\ufeffa\r\n\r\n b \nc'))).toEqual(['a', '', ' b ', 'c']);
    expect(await texts(temporary('joined.txt', 'a\n\ufeffb\n'))).toEqual(['a', 'b']);
  });

  it('goes by content where a name says something else', async () => {
    expect(await texts(temporary('plain-name.jsonl', gzipSync('x\ny\n')))).toEqual(['x', 'y']);
    expect(await texts(temporary('not-really.gz', 'x\ny\n'))).toEqual(['x', 'y']);
  });

  it('reads gzip members one after another', async () => {
    const path = temporary('members.gz', Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]));
    expect(await texts(path)).toEqual(['a', 'bc', 'd']);
  });

  it('reads zstd, across blocks and chunks', async () => {
    const content = Array.from({ length: 60_000 }, (_, i) => `line ${i} of many`).join('\n');
    const found = await texts(temporary('many.jsonl.zst', zstd(Buffer.from(content))));
    expect(found.join('\n')).toBe(content);
  });

  it('keeps lines before a cut in compressed data and says where it is', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, i) => `${i} ${(i * 7919) % 10007} ${(i * 104729) % 9973}`,
    );
    const packed = gzipSync(rows.join('\n'));
    const lines = await linesOf(await openSource(temporary('cut.gz', packed.subarray(0, packed.length / 2))));
    const last = lines.at(-1);
    expect(last?.fault?.code).toBe('CA_FILE_UNREADABLE');
    expect(lines.length).toBeGreaterThan(2000);
    expect(lines.slice(0, -1).map((line) => line.text)).toEqual(rows.slice(0, lines.length - 1));
    expect(last?.number).toBe(lines.length);
  });

  it('does the same for zstd', async () => {
    const packed = zstd(Buffer.from(Array.from({ length: 50_000 }, (_, i) => `row ${i}`).join('\n')));
    const lines = await linesOf(
      await openSource(temporary('cut.zst', packed.subarray(0, packed.length - 5000))),
    );
    expect(lines.at(-1)?.fault?.code).toBe('CA_FILE_UNREADABLE');
    expect(lines.length).toBeGreaterThan(10_000);
  });

  it('drops a line over the limit and reads on', async () => {
    const path = temporary('long.jsonl', `a\n${'x'.repeat(3 << 20)}\nb\n${'y'.repeat(3 << 20)}`);
    const lines = await linesOf(await openSource(path, { rowLimit: 1 << 20 }));
    expect(lines.map((line) => [line.number, line.text, line.fault?.code])).toEqual([
      [1, 'a', undefined],
      [2, '', 'CA_ROW_TOO_LARGE'],
      [3, 'b', undefined],
      [4, '', 'CA_ROW_TOO_LARGE'],
    ]);
  });

  it('applies the limit to UTF-16 as well', async () => {
    const path = temporary('long16.jsonl', Buffer.from(`\ufeffa\n${'x'.repeat(3 << 20)}\nb`, 'utf16le'));
    const lines = await linesOf(await openSource(path, { rowLimit: 1 << 20 }));
    expect(lines.map((line) => line.fault?.code ?? line.text)).toEqual(['a', 'CA_ROW_TOO_LARGE', 'b']);
  });

  it('reads a line of 50 MB under the default limit', async () => {
    const path = temporary('50mb.jsonl', `${'z'.repeat(50_000_000)}\nb`);
    expect((await texts(path)).map((text) => text.length)).toEqual([50_000_000, 1]);
  });

  it('decodes UTF-16 of both orders', async () => {
    const text = '{"a": "ß"}\r\n{"b": "🙂"}\n';
    const le = Buffer.from(text, 'utf16le');
    expect(await texts(temporary('le.jsonl', le))).toEqual(['{"a": "ß"}', '{"b": "🙂"}']);
    expect(await texts(temporary('be.jsonl', Buffer.from(le).swap16()))).toEqual([
      '{"a": "ß"}',
      '{"b": "🙂"}',
    ]);
  });

  it('falls back to Windows-1252 line by line, with one warning', async () => {
    const path = temporary('mixed.txt', Buffer.concat([Buffer.from('ñ\n'), Buffer.from([0xf1, 10, 0xf1])]));
    const source = await openSource(path);
    expect((await linesOf(source)).map((line) => line.text)).toEqual(['ñ', 'ñ', 'ñ']);
    expect(source.warnings).toEqual(['not UTF-8 (first at line 2): read as Windows-1252 where it is not']);
  });

  it('does not cut characters that fall on the edge of a chunk', async () => {
    const text = `${'a'.repeat((1 << 20) - 1)}é${'ß'.repeat(1000)}`;
    expect(await texts(temporary('edge.txt', text))).toEqual([text]);
  });
});

describe('pipes', () => {
  it.skipIf(process.platform === 'win32')('are kept, so that they can be read more than once', async () => {
    const path = join(dirname(temporary('beside', 'x')), 'pipe');
    execFileSync('mkfifo', [path]);
    const written = writeFile(path, 'a\nb\n');
    const source = await openSource(path);
    await written;
    expect(source.path).toBe(path);
    for (let pass = 0; pass < 2; pass++)
      expect((await linesOf(source)).map((line) => line.text)).toEqual(['a', 'b']);
  });
});

describe('text and local', () => {
  it('gives a document whole, decompressed', async () => {
    const source = await openSource(temporary('doc.json.gz', gzipSync('\ufeff{"a":\n1}')));
    expect(await source.text()).toBe('{"a":\n1}');
    expect(source.name).toBe('doc.json');
  });

  it('says that a document is cut short', async () => {
    const packed = gzipSync(Array.from({ length: 9999 }, (_, i) => (i * 7919) % 10007).join(' '));
    const source = await openSource(temporary('doc2.json.gz', packed.subarray(0, 3000)));
    await expect(source.text()).rejects.toMatchObject({ code: 'CA_FILE_UNREADABLE' });
  });

  it('finds files of the same folder, compressed or not', async () => {
    temporary('info.csv.gz', gzipSync('a,b\n1,2\n'));
    const source = await openSource(temporary('dialog.csv', 'a,b\n'));
    expect((await source.sibling('info.csv'))?.name).toBe('info.csv');
    expect(await source.sibling('other.csv')).toBeNull();
  });
});
