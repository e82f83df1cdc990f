import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecorder, type Recorder, type RecorderOptions } from '../../../src/gateway/recorder/recorder.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { type JournalOptions, openJournal } from '../../../src/store/index.ts';

const folders: string[] = [];
const opened: Recorder[] = [];

export function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ca-recorder-'));
  folders.push(folder);
  return join(folder, 'journal.db');
}

export async function openAt(
  path: string,
  options: Partial<RecorderOptions> = {},
  journal: Partial<JournalOptions> = {},
): Promise<Recorder> {
  const recorder = await openRecorder({
    journal: await openJournal({ path, durability: 'process', maxBytes: null, ...journal }),
    scenarioOf: (prompt) => prompt,
    pricesOf: () => null,
    retention: { keepSessions: null, keepDays: null },
    clock: () => 1_000_000,
    retainEvery: null,
    ...options,
  });
  opened.push(recorder);
  return recorder;
}

/** After all tests of a file. */
export async function tidy(): Promise<void> {
  for (const recorder of opened) await recorder.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export const write = async (recorder: Recorder, records: readonly JournalRecord[]) => {
  await Promise.all(records.map((record) => recorder.append(record)));
};
export const ids = async (recorder: Recorder, filter = {}) =>
  (await listed(recorder.exportTrajectories(filter))).map(({ id }) => id);
