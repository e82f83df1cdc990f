import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { writeFileAtomic } from '../store/index.ts';

/** What an operator asks of a watch, whichever process runs it. Times in milliseconds. */
export type OperatorRequest =
  | {
      readonly kind: 'override';
      readonly at: number;
      readonly level: 'green' | 'yellow' | 'red';
      readonly by: string;
      readonly reason: string;
      readonly until: number | null;
    }
  | { readonly kind: 'release'; readonly at: number; readonly by: string };

const FOLDER = 'requests';

export async function leaveRequest(home: string, request: OperatorRequest): Promise<void> {
  const name = `${String(request.at).padStart(15, '0')}-${process.pid}.json`;
  await writeFileAtomic(join(home, FOLDER, name), `${JSON.stringify(request)}\n`);
}

export interface LeftRequest {
  readonly request: OperatorRequest;
  /** Removes it: once what it asked for is saved. */
  done(): Promise<void>;
}

/** In the order they were made. Taking one twice does no harm. */
export async function leftRequests(home: string): Promise<LeftRequest[]> {
  const folder = join(home, FOLDER);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d.*\.json$/.test(name)).sort();
  const found: LeftRequest[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue;
    const done = () => unlink(path).catch(() => {});
    try {
      found.push({ request: JSON.parse(text) as OperatorRequest, done });
    } catch {
      await done();
    }
  }
  return found;
}

/** Makes the folder, so that a request can be left before the first step. */
export async function makeHome(home: string): Promise<void> {
  await mkdir(join(home, FOLDER), { recursive: true });
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `30m`, `2h`, `1d` in milliseconds. */
export function durationArgument(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('give a number with s, m, h or d: 30m');
  const unit = match[2]!;
  return Number(match[1]) * (unit === 'ms' ? 1 : UNITS[unit as keyof typeof UNITS]);
}

/** A duration from now, or a time of day and date as ISO 8601. */
export function untilArgument(text: string): number {
  if (/^\d{4}-/.test(text)) {
    const at = Date.parse(text);
    if (Number.isNaN(at)) throw new InvalidArgumentError('not a time: 2026-01-31T18:00Z');
    return at;
  }
  return Date.now() + durationArgument(text);
}

export function levelArgument(text: string): 'green' | 'yellow' | 'red' {
  if (text === 'green' || text === 'yellow' || text === 'red') return text;
  throw new InvalidArgumentError('give green, yellow or red');
}
