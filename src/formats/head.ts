import { parse } from 'csv-parse/sync';
import { closeJson, valueEnd } from './json-scan.ts';
import { parseJson } from './json-text.ts';
import type { Head } from './reader.ts';

export const HEAD_BYTES = 256 * 1024;

/** What detection sees of a file. `whole`: the text is the whole file; `local`: path of a plain copy of it. */
export async function readHead(
  name: string,
  text: string,
  container: Head['container'],
  whole: boolean,
  local: () => Promise<string>,
): Promise<Head> {
  if (container === 'parquet') {
    const { parquetColumns } = await import('./parquet.ts');
    const columns = await parquetColumns(await local());
    return { name, text: '', container, first: undefined, partial: false, shape: 'other', columns };
  }
  if (container === 'xlsx') {
    const { xlsxColumns } = await import('./xlsx.ts');
    const columns = await xlsxColumns(await local());
    return { name, text: '', container, first: undefined, partial: false, shape: 'other', columns };
  }
  const json = firstJson(text, whole);
  if (json !== null) return { name, text, container, ...json, columns: [] };
  const columns = csvColumns(text);
  return {
    name,
    text,
    container,
    first: undefined,
    partial: false,
    shape: columns.length > 0 ? 'csv' : 'other',
    columns,
  };
}

function firstJson(text: string, whole: boolean): Pick<Head, 'first' | 'partial' | 'shape'> | null {
  // Log text may stand before the first value: later lines that open a value are tried too.
  let tries = 0;
  for (let start = 0; start < text.length && tries < 50; ) {
    const line = text.indexOf('\n', start);
    const open = firstMark(text, start);
    if (open === -1) return null;
    if (line === -1 || open < line) {
      tries++;
      const end = valueEnd(text, open);
      if (end === -1) {
        // Cut by the head's size, or a broken line: only the former is worth guessing at.
        if (line === -1 || !whole || tries === 1) {
          const value = closeJson(text.slice(open));
          if (value !== undefined && isRich(value)) return { first: value, partial: true, shape: 'json' };
        }
      } else {
        const value = parseJson(text.slice(open, end));
        if (value.ok) {
          const only = whole && text.slice(end).trim() === '';
          return { first: value.value, partial: false, shape: only ? 'json' : 'jsonl' };
        }
      }
    }
    if (line === -1) return null;
    start = line + 1;
  }
  return null;
}

function firstMark(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x7b || code === 0x5b) return i;
    if (code > 32 && code !== 0xfeff) {
      // This line opens with something else.
      const line = text.indexOf('\n', i);
      if (line === -1) return -1;
      i = line;
    }
  }
  return -1;
}

function isRich(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

/** First object among the values: arrays (of arrays) are opened. */
export function firstObject(head: Pick<Head, 'first'>): Record<string, unknown> | null {
  let value = head.first;
  for (let depth = 0; depth < 4 && Array.isArray(value); depth++) value = value[0];
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

const DELIMITERS = [',', '\t', ';'];

/** The delimiter that the header line holds most of, or null where it holds none. */
export function csvDelimiter(text: string): string | null {
  const line = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  let best: string | null = null;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = line.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}

function csvColumns(text: string): string[] {
  const delimiter = csvDelimiter(text);
  if (delimiter === null) return [];
  try {
    const rows = parse(text.slice(0, 65536), {
      delimiter,
      to: 3,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as string[][];
    const [header, second] = rows;
    if (header === undefined || header.length < 2) return [];
    // Prose has commas too: a table's second record has about as many cells as its header.
    if (second !== undefined && Math.abs(second.length - header.length) > 1) return [];
    if (header.some((name) => name.length > 200)) return [];
    return header.map((name) => name.trim());
  } catch {
    return [];
  }
}
