import { describe, expect, it } from 'vitest';
import { decodeBytes, decodeWindows1252, looksBinary, sniffEncoding } from '../../src/formats/decode.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('sniffEncoding', () => {
  it('goes by the byte order mark', () => {
    expect(sniffEncoding(Buffer.from('\ufeff{}'))).toEqual({ encoding: 'utf-8', bom: 3 });
    expect(sniffEncoding(Buffer.from('\ufeff{}', 'utf16le'))).toEqual({ encoding: 'utf-16le', bom: 2 });
    expect(sniffEncoding(utf16be('\ufeff{}'))).toEqual({ encoding: 'utf-16be', bom: 2 });
  });

  it('finds UTF-16 without a mark by where its NUL bytes stand', () => {
    expect(sniffEncoding(Buffer.from('{"role": "user"}', 'utf16le')).encoding).toBe('utf-16le');
    expect(sniffEncoding(utf16be('{"role": "user"}')).encoding).toBe('utf-16be');
  });

  it('does not take text with a few NUL bytes for UTF-16', () => {
    expect(sniffEncoding(Buffer.from('{"a": "b\0\0c"} and more text'))).toEqual({
      encoding: 'utf-8',
      bom: 0,
    });
  });
});

describe('decodeBytes', () => {
  it('reads bytes that are not UTF-8 as Windows-1252 and says so', () => {
    expect(decodeBytes(Buffer.from([0x93, 0x53, 0xed, 0x94, 0x20, 0x80]), 'utf-8')).toEqual({
      text: '\u201cS\u00ed\u201d \u20ac',
      fallback: true,
    });
  });

  it('keeps valid UTF-8 as it is', () => {
    expect(decodeBytes(Buffer.from('Sí 🙂'), 'utf-8')).toEqual({ text: 'Sí 🙂', fallback: false });
  });

  it('turns half a surrogate pair of UTF-16 into U+FFFD', () => {
    expect(decodeBytes(Buffer.from([0x61, 0, 0x3d, 0xd8, 0x62, 0]), 'utf-16le').text).toBe('a\ufffdb');
  });

  it('agrees with the WHATWG table on every byte', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const text = decodeWindows1252(all);
    expect(text).toHaveLength(256);
    expect([text.charCodeAt(0x80), text.charCodeAt(0x9f), text.charCodeAt(0xff)]).toEqual([
      0x20ac, 0x178, 0xff,
    ]);
  });
});

describe('looksBinary', () => {
  it('tells an image from text with a NUL byte', () => {
    expect(looksBinary(Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 7) % 32)))).toBe(true);
    expect(looksBinary(Buffer.from(`{"a": "\0"}${' '.repeat(100)}`))).toBe(false);
  });
});
