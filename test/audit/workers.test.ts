import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Audit from '../../src/audit/index.ts';
import type * as Input from '../../src/cli/input.ts';
import { syntheticRollout } from '../../src/lab/index.ts';
import type * as Space from '../../src/space/index.ts';

// Threads run compiled code only.
const dist = resolve(import.meta.dirname, '../../dist');
const built = existsSync(join(dist, 'audit/worker.js'));
const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(dist, path)).href);

/** Several ranges, however small the file. */
const RANGE = 100_000;
const ROWS = 160;

describe.skipIf(!built)('reading in several threads (dist/)', () => {
  let folder: string;
  let api: typeof Audit;
  let input: typeof Input;
  let space: typeof Space;
  /** Fitted once: only the first test fits its own. */
  let fitted: Space.BehaviourSpace;
  const lines: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workers-'));
    [api, input, space] = await Promise.all([
      load<typeof Audit>('audit/index.js'),
      load<typeof Input>('cli/input.js'),
      load<typeof Space>('space/index.js'),
    ]);
    for (let row = 0; row < ROWS; row++) lines.push(JSON.stringify(syntheticRollout(row, 5)));
    // The same content twice, from another simulator and under another id: one row of the profile, two rows read.
    lines.push(JSON.stringify({ ...JSON.parse(lines[3]!), id: 'again' }));
    lines.push(JSON.stringify({ ...JSON.parse(lines[4]!), simulator: { id: 'late' } }));
    const rows = lines.map((line) => JSON.parse(line));
    const { space: whole } = await api.audit(
      {
        records: async function* () {
          yield* rows;
        },
      },
      { k: 4 },
    );
    fitted = whole;
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  /** Everything that an audit says and keeps; `workers` = 1 reads in this thread. */
  async function audited(
    paths: string[],
    workers: number,
    flags: Input.InputFlags = {},
    given: { space?: Space.BehaviourSpace } = { space: fitted },
  ) {
    const opened = await input.openInput(paths, flags);
    const records = Object.assign(() => opened.records(), {
      files: { ...opened.records.files!, rangeBytes: RANGE },
    });
    const seen: string[] = [];
    const { report, profile } = await api.audit(
      { records, ...given },
      { workers, k: 4, onProgress: (stage) => seen.at(-1) === stage || seen.push(stage) },
      { account: () => input.inputAccount(opened.files(), null) },
    );
    return {
      report,
      profile: space.encodeProfile(profile),
      files: opened.files().map((file) => ({ ...file, error: file.error?.line ?? null })),
      seen,
    };
  }

  /** Whether threads were at work, and not this one in their stead. */
  async function inThreads(paths: string[], flags: Input.InputFlags = {}): Promise<boolean> {
    const opened = await input.openInput(paths, flags);
    const files = { ...opened.records.files!, rangeBytes: RANGE };
    const { known } = await api.scan(
      Object.assign(() => opened.records(), { files }),
      { workers: 2 },
    );
    return known != null;
  }

  it('gives the bytes of one thread, whatever the number of threads', async () => {
    const path = await write('whole.jsonl', `${lines.join('\n')}\n`);
    const alone = await audited([path], 1, {}, {});
    expect(alone.report.input.rows).toBe(ROWS + 2);
    expect(await inThreads([path])).toBe(true);
    for (const workers of [2, 3]) expect(await audited([path], workers, {}, {})).toEqual(alone);
  });

  it('names dropped rows by the lines of the file, over files and ranges', async () => {
    const broken = lines.flatMap((line, at) =>
      at % 60 === 7
        ? [line.slice(0, line.lastIndexOf('"text":"') + 12), '', 'log text', '{"schema": 1}', '{}', line]
        : [line],
    );
    const a = await write('a.jsonl', `\ufeff${broken.join('\r\n')}\r\n`);
    const b = await write(
      'b.jsonl',
      `[${lines[0]},${lines[1]}]\n${lines.join('\n')}\n${lines[2]!.slice(0, 300)}`,
    );
    const alone = await audited([a, b], 1);
    expect(alone.files.map(({ dropped }) => dropped)).toEqual([12, 1]);
    expect(await inThreads([a, b])).toBe(true);
    expect(await audited([a, b], 2)).toEqual(alone);
  });

  it('reads in one piece what no range can tell: values over several lines, other encodings, other formats', async () => {
    const pretty = JSON.stringify(
      lines.map((line) => JSON.parse(line)),
      null,
      1,
    );
    const latin = Buffer.from(lines.join('\n').replace('"text":"', '"text":"\u00e9 '), 'latin1');
    const path = join(folder, 'latin.jsonl');
    await writeFile(path, latin);
    for (const file of [await write('pretty.json', pretty), path]) {
      expect(await inThreads([file])).toBe(false);
      expect(await audited([file], 2)).toEqual(await audited([file], 1));
    }
  });

  it('places people found among the rows as the reference, once', async () => {
    const mixed = lines.map((line, at) => {
      const row = JSON.parse(line);
      return JSON.stringify(
        at % 3 === 0 ? { ...row, simulator: { id: 'people', kind: 'human', person: `p${at}` } } : row,
      );
    });
    const path = await write('mixed.jsonl', mixed.join('\n'));
    const alone = await audited([path], 1);
    expect(alone.report.reference).not.toBeNull();
    expect(await audited([path], 2)).toEqual(alone);
  });

  it('follows what the command line says of rows', async () => {
    const path = await write('named-x.jsonl', lines.join('\n'));
    const flags = { simulatorFrom: /named-(.)/, policy: 'p' };
    expect(await inThreads([path], flags)).toBe(true);
    const alone = await audited([path], 1, flags);
    expect(alone.report.simulators.map(({ id }) => id)).toEqual(['x']);
    expect(await audited([path], 2, flags)).toEqual(alone);
  });

  it('ends its threads when told to stop', async () => {
    const path = await write('stop.jsonl', lines.join('\n'));
    const opened = await input.openInput([path], {});
    const records = Object.assign(() => opened.records(), {
      files: { ...opened.records.files!, rangeBytes: RANGE },
    });
    const controller = new AbortController();
    const running = api.scan(records, { workers: 2, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stop')), 20);
    await expect(running).rejects.toThrow('stop');
  });
});
