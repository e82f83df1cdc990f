import { CollapseAwareError } from '../errors.ts';
import { firstObject } from './head.ts';
import { parseJson } from './json-text.ts';
import type { Head, Reader } from './reader.ts';
import { READERS } from './registry.ts';

/** Below this no reader is trusted with a file. */
export const DETECTION_FLOOR = 0.3;

/** The reader whose detection is highest; `null` below the floor. */
export function bestReader(head: Head, readers: readonly Reader[] = READERS): Reader | null {
  let best: Reader | null = null;
  let most = 0;
  for (const reader of readers) {
    const score = reader.detect(head);
    if (score > most) {
      most = score;
      best = reader;
    }
  }
  return most >= DETECTION_FLOOR ? best : null;
}

/** As `bestReader`; throws CA_FORMAT_UNKNOWN that lists what was seen. */
export function detectReader(head: Head, path: string, readers: readonly Reader[] = READERS): Reader {
  const reader = bestReader(head, readers);
  if (reader !== null) return reader;
  throw new CollapseAwareError('CA_FORMAT_UNKNOWN', `no reader recognises the content (${seen(head)})`, {
    place: { file: path },
    todo: 'describe it with --map FILE, or name its format with --format',
  });
}

function seen(head: Head): string {
  if (head.columns.length > 0)
    return `a ${head.container === 'text' ? 'CSV' : head.container} table with columns ${list(head.columns)}`;
  if (head.container === 'directory') return 'a folder';
  const object = firstObject(head);
  if (object !== null) {
    const keys = Object.keys(object);
    return `${head.shape === 'json' ? 'JSON' : 'JSON lines'} with ${keys.length === 0 ? 'an empty object' : `keys ${list(keys)}`}`;
  }
  if (head.first !== undefined) return 'JSON without an object in it';
  if (/^\s*[{[]/.test(head.text)) {
    const parsed = parseJson(head.text);
    return parsed.ok ? 'JSON' : `JSON that is broken: ${parsed.reason}`;
  }
  const line = head.text.trim().split('\n', 1)[0] ?? '';
  return line === '' ? `an empty ${head.container} file` : `text that begins '${line.slice(0, 60)}'`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => (name === '' ? "''" : name.slice(0, 40)));
  return shown.join(', ') + (names.length > 12 ? `, and ${names.length - 12} more` : '');
}
