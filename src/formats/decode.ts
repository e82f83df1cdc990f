import { isAscii, isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Encoding by BOM, else by where the NUL bytes of ASCII text would stand; `bom` = bytes to skip. */
export function sniffEncoding(head: Uint8Array): { encoding: Encoding; bom: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
  const n = Math.min(head.length, 4096) & ~1;
  if (n >= 4) {
    let even = 0;
    let odd = 0;
    for (let i = 0; i < n; i += 2) {
      if (head[i] === 0) even++;
      if (head[i + 1] === 0) odd++;
    }
    const pairs = n / 2;
    if (odd > 0.4 * pairs && even < 0.05 * pairs) return { encoding: 'utf-16le', bom: 0 };
    if (even > 0.4 * pairs && odd < 0.05 * pairs) return { encoding: 'utf-16be', bom: 0 };
  }
  return { encoding: 'utf-8', bom: 0 };
}

/** More than a tenth of control bytes: an image, a pickle, not text. */
export function looksBinary(head: Uint8Array): boolean {
  const n = Math.min(head.length, 65536);
  if (n < 32) return false;
  let control = 0;
  for (let i = 0; i < n; i++) {
    const byte = head[i] as number;
    if (byte < 9 || (byte > 13 && byte < 32)) control++;
  }
  return control > n / 10;
}

// 0x80-0x9f of Windows-1252; the five unassigned bytes stay control characters, as browsers read them.
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

export function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 0x80));
}

/** Bytes without BOM to text; invalid UTF-8 is read as Windows-1252 (`fallback`). */
export function decodeBytes(bytes: Buffer, encoding: Encoding): { text: string; fallback: boolean } {
  if (encoding !== 'utf-8')
    return { text: new TextDecoder(encoding).decode(bytes.subarray(0, bytes.length)), fallback: false };
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), fallback: false };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), fallback: false };
  return { text: decodeWindows1252(bytes), fallback: true };
}
