import { isAscii, isUtf8 } from 'node:buffer';
import { decodeWindows1252, type Encoding } from './decode.ts';
import type { TextLine } from './reader.ts';
import { CutShort } from './source-bytes.ts';

/**
 * Lines of UTF-8 chunks, found in the bytes and decoded one by one: ASCII needs no decoding, and a line that
 * is not UTF-8 is read as Windows-1252 (`fallback` hears of the first). A chunk is copied only where a line
 * goes over its edge. A line longer than `limit` bytes and data cut short are faults, not errors.
 */
export async function* byteLines(
  chunks: AsyncIterable<Buffer>,
  bom: number,
  limit: number,
  fallback: (line: number) => void,
): AsyncGenerator<TextLine> {
  let number = 0;
  let carry: Buffer[] = [];
  let carried = 0;
  let tooLong = false;
  let skip = bom;
  let warned = false;
  const warn = (line: number): void => {
    if (!warned) fallback(line);
    warned = true;
  };
  try {
    for await (const chunk of chunks) {
      let start = Math.min(skip, chunk.length);
      skip -= start;
      const ascii = isAscii(chunk);
      for (;;) {
        const end = chunk.indexOf(10, start);
        if (end === -1) break;
        number++;
        if (tooLong || carried + end - start > limit) yield tooLarge(number, limit);
        else if (carried > 0) {
          carry.push(chunk.subarray(start, end));
          yield { number, text: decodeLine(Buffer.concat(carry), false, number, warn) };
        } else yield { number, text: decodeLine(chunk.subarray(start, end), ascii, number, warn) };
        carry = [];
        carried = 0;
        tooLong = false;
        start = end + 1;
      }
      const rest = chunk.length - start;
      if (rest === 0 || tooLong) continue;
      carried += rest;
      if (carried > limit) {
        tooLong = true;
        carry = [];
        carried = 0;
      } else carry.push(Buffer.from(chunk.subarray(start)));
    }
  } catch (error) {
    yield cutShort(error, number + 1);
    return;
  }
  if (tooLong) yield tooLarge(number + 1, limit);
  else if (carried > 0)
    yield { number: number + 1, text: decodeLine(Buffer.concat(carry), false, number + 1, warn) };
}

/** Lines of UTF-16 chunks, with the same faults. */
export async function* decodedLines(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
  bom: number,
  limit: number,
): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder(encoding);
  const units = limit / 2;
  let number = 0;
  let carry = '';
  let tooLong = false;
  let skip = bom;
  try {
    for await (const chunk of chunks) {
      const from = Math.min(skip, chunk.length);
      skip -= from;
      const text = carry + decoder.decode(chunk.subarray(from), { stream: true });
      let start = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        number++;
        if (tooLong || end - start > units) yield tooLarge(number, limit);
        else yield { number, text: cutReturn(text.slice(start, end)) };
        tooLong = false;
        start = end + 1;
      }
      carry = tooLong ? '' : text.slice(start);
      if (carry.length > units) {
        tooLong = true;
        carry = '';
      }
    }
  } catch (error) {
    yield cutShort(error, number + 1);
    return;
  }
  if (tooLong) yield tooLarge(number + 1, limit);
  else if (carry !== '') yield { number: number + 1, text: cutReturn(carry) };
}

function decodeLine(bytes: Buffer, ascii: boolean, number: number, warn: (line: number) => void): string {
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 13 ? bytes.length - 1 : bytes.length;
  if (ascii || isAscii(bytes)) return bytes.toString('latin1', 0, end);
  // Files joined with cat carry a BOM in their middle.
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (isUtf8(bytes)) return bytes.toString('utf8', start, end);
  warn(number);
  return decodeWindows1252(bytes.subarray(start, end));
}

function tooLarge(number: number, limit: number): TextLine {
  return {
    number,
    text: '',
    fault: {
      code: 'CA_ROW_TOO_LARGE',
      reason: `the line is longer than ${Math.round(limit / 1048576)} MiB`,
    },
  };
}

/** The rest of a line before a cut is no row: one fault stands for it. Any other error goes on. */
function cutShort(error: unknown, number: number): TextLine {
  if (!(error instanceof CutShort)) throw error;
  return { number, text: '', fault: { code: error.code, reason: error.message } };
}

function cutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
