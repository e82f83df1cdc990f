import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CollapseAwareError } from '../../src/errors.ts';
import { canonicalHash } from '../../src/loop/canonical-json.ts';
import { drive, RUN_FILES, runDirectory, runStudy } from '../../src/loop/index.ts';
import { seeded } from '../../src/math/random.ts';
import { EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';
import { holdsRuns } from './run-store-conformance.ts';

const base = mkdtempSync(join(tmpdir(), 'ca-run-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

holdsRuns('in a folder', (name) => runDirectory(join(base, 'conformance', name)));

const study = runStudy(exampleSettings(), EXAMPLE_STAGE);
const whole = join(base, 'whole');
let summary = '';
let lines: string[] = [];
beforeAll(async () => {
  summary = await end(whole);
  lines = readFileSync(join(whole, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
});

async function end(folder: string, notes: string[] = []): Promise<string> {
  const store = await runDirectory(folder).open(study);
  notes.push(...store.notes);
  try {
    const driven = await drive(exampleProgram, store, examplePerformer());
    return driven.kind === 'done' ? driven.summary : 'paused';
  } finally {
    await store.close();
  }
}

/** A copy of the whole run, without its end. */
function copied(name: string, journal: string | Buffer): string {
  const folder = join(base, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
  rmSync(join(folder, 'summary.json'));
  writeFileSync(join(folder, 'journal.jsonl'), journal);
  return folder;
}

describe('the folder of a run', () => {
  it('holds the files that the documentation names, and no other', () => {
    const found = readdirSync(whole).sort();
    expect(found.filter((name) => !RUN_FILES.includes(name))).toEqual([]);
    expect(found).toEqual(['checkpoints', 'journal.jsonl', 'rounds.jsonl', 'run.json', 'summary.json']);
  });

  it('has as many bytes of checkpoints as differ', () => {
    expect(readdirSync(join(whole, 'checkpoints'))).toHaveLength(4);
  });

  it('goes on where it was killed before its journal was made', async () => {
    const folder = join(base, 'begun');
    mkdirSync(folder);
    cpSync(join(whole, 'run.json'), join(folder, 'run.json'));
    expect(await end(folder)).toBe(summary);
  });

  it('is not begun anew over the answers of a run whose run.json is gone', async () => {
    const folder = copied('headless', lines.join('\n'));
    rmSync(join(folder, 'run.json'));
    await expect(end(folder)).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID' });
  });

  it('refuses a run.json that was changed, is of another schema or version, or is none', async () => {
    const text = readFileSync(join(whole, 'run.json'), 'utf8');
    for (const [changed, code] of [
      [text.replace('"steps": 4', '"steps": 5'), 'CA_FORMAT_INVALID'],
      [text.replace('run@1', 'run@2'), 'CA_FORMAT_INVALID'],
      ['null', 'CA_FORMAT_INVALID'],
      ['[]', 'CA_FORMAT_INVALID'],
      ['{', 'CA_FORMAT_INVALID'],
      ['', 'CA_FORMAT_INVALID'],
    ] as const) {
      const folder = copied('changed', lines.join('\n'));
      writeFileSync(join(folder, 'run.json'), changed);
      await expect(end(folder)).rejects.toMatchObject({ code });
    }
  });

  it('is gone on with by the version that began it alone', async () => {
    const folder = copied('version', `${lines.join('\n')}\n`);
    const { hash: _, ...content } = { ...study, version: '0.0.1' };
    const old = { ...content, hash: canonicalHash(content) };
    writeFileSync(join(folder, 'run.json'), JSON.stringify(old));
    await expect(runDirectory(folder).open(null)).rejects.toMatchObject({
      code: 'CA_CONFIG_INVALID',
      message: expect.stringContaining('begun with version 0.0.1'),
    });
    expect((await runDirectory(folder).view()).study.version).toBe('0.0.1');
  });

  it('is refused where a file stands in its place', async () => {
    const path = join(base, 'file');
    writeFileSync(path, '');
    await expect(end(path)).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
  });

  it('takes over from a process that was killed, by its lock', async () => {
    const folder = copied('stale', `${lines.slice(0, 5).join('\n')}\n`);
    writeFileSync(
      join(folder, 'run.lock'),
      JSON.stringify({ pid: 2 ** 22 + 1, host: (await import('node:os')).hostname(), started: '1' }),
    );
    expect(await end(folder)).toBe(summary);
    expect(existsSync(join(folder, 'run.lock'))).toBe(false);
  });

  it('says that a checkpoint is missing, or is not what its name says', async () => {
    const folder = copied('checkpoint', `${lines.slice(0, 4).join('\n')}\n`);
    const [train] = lines
      .map((line) => JSON.parse(line) as { id?: string; answer?: { checkpoint?: string } })
      .filter(({ id }) => id === 'open');
    const path = join(folder, 'checkpoints', train!.answer!.checkpoint!);
    writeFileSync(path, 'changed');
    await expect(end(folder)).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID', place: { file: path } });
    rmSync(path);
    await expect(end(folder)).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND', place: { file: path } });
  });
});

describe('a journal that is not as it was written', () => {
  it('loses a last line without its end, says so, and ends as before', async () => {
    const text = Buffer.from(`${lines.slice(0, 6).join('\n')}\n`);
    const start = text.lastIndexOf(10, text.length - 2) + 1;
    for (const cut of [start + 1, start + 40, text.length - 2, text.length - 1]) {
      const notes: string[] = [];
      const folder = copied('torn', text.subarray(0, cut));
      expect(await end(folder, notes)).toBe(summary);
      expect(notes).toEqual([expect.stringContaining(`its ${cut - start} bytes were removed`)]);
      expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).toBe(`${lines.join('\n')}\n`);
    }
    // What a power cut may leave behind the last line.
    const zeros = copied('zeros', Buffer.concat([text, Buffer.alloc(5000)]));
    expect(await end(zeros)).toBe(summary);
  });

  it('is shown to who only looks without the cut line, and is left as it is', async () => {
    const folder = copied('looked', `${lines.slice(0, 4).join('\n')}\n${lines[4]!.slice(0, 9)}`);
    const before = statSync(join(folder, 'journal.jsonl')).size;
    const view = await runDirectory(folder).view();
    let entries = 0;
    for await (const _ of view.entries()) entries += 1;
    expect(entries).toBe(3);
    expect(statSync(join(folder, 'journal.jsonl')).size).toBe(before);
  });

  it('is refused with the line where it was changed, by whatever', async () => {
    const swapped = [...lines];
    [swapped[3], swapped[5]] = [swapped[5]!, swapped[3]!];
    const other = await otherRun();
    const cases: [string, string[], number][] = [
      ['a line of garbage', [...lines.slice(0, 3), 'garbage', ...lines.slice(3)], 4],
      ['an empty line', [...lines.slice(0, 3), '', ...lines.slice(3)], 4],
      ['two lines that changed places', swapped, 4],
      ['a line that was taken out', [...lines.slice(0, 4), ...lines.slice(5)], 5],
      ['a line that is there twice', [...lines.slice(0, 5), ...lines.slice(4)], 6],
      ['another schema', [lines[0]!.replace('journal@1', 'journal@2'), ...lines.slice(1)], 1],
      ['no first line', lines.slice(1), 1],
      ['the journal of another run', other, 1],
      ['a line of another run', [...lines.slice(0, 4), other[4]!, ...lines.slice(5)], 5],
      [
        'a number that was changed',
        lines.map((line, at) => (at === 6 ? line.replace(/0\./, '1.') : line)),
        7,
      ],
    ];
    for (const [what, changed, line] of cases) {
      const folder = copied('damaged', `${changed.join('\n')}\n`);
      const file = join(folder, 'journal.jsonl');
      await expect(end(folder), what).rejects.toMatchObject({
        code: 'CA_FORMAT_INVALID',
        place: { file, line },
      });
      // Nothing was cut, and what is advised works.
      expect(readFileSync(file, 'utf8')).toBe(`${changed.join('\n')}\n`);
      if (line === 1) continue;
      writeFileSync(file, `${changed.slice(0, line - 1).join('\n')}\n`);
      expect(await end(folder), what).toBe(summary);
    }
    await expect(end(copied('empty', ''))).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID' });
  });

  it('never gives another end than the whole run, however it was damaged', async () => {
    const random = seeded('hostile journals');
    const text = Buffer.from(`${lines.join('\n')}\n`);
    let mended = 0;
    for (let at = 0; at < 80; at++) {
      const bytes = Buffer.from(text);
      const from = random.integer(bytes.length);
      const how = random.integer(4);
      const damaged =
        how === 0
          ? bytes.subarray(0, from)
          : how === 1
            ? Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.integer(200))])
            : how === 2
              ? Buffer.concat([
                  bytes.subarray(0, from),
                  Buffer.from([random.integer(256)]),
                  bytes.subarray(from),
                ])
              : bytes.fill(random.integer(256), from, from + 1 + random.integer(8));
      const folder = copied('fuzzed', damaged);
      const ended = await end(folder).catch((error: unknown) => error);
      if (typeof ended === 'string') mended += 1;
      if (typeof ended === 'string') expect(ended).toBe(summary);
      else expect((ended as CollapseAwareError).code).toBe('CA_FORMAT_INVALID');
    }
    expect(mended).toBeGreaterThan(10);
  });
});

async function otherRun(): Promise<string[]> {
  const folder = join(base, 'other');
  const store = await runDirectory(folder).open(runStudy(exampleSettings(2), EXAMPLE_STAGE));
  await drive(exampleProgram, store, examplePerformer());
  await store.close();
  return readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
}

describe('rounds.jsonl', () => {
  it('is written anew from the journal where it is missing, cut or was changed', async () => {
    const sound = readFileSync(join(whole, 'rounds.jsonl'), 'utf8');
    for (const changed of ['', sound.slice(0, -5), sound.replace('1', '7'), 'garbage\n']) {
      const folder = copied('rounds', `${lines.join('\n')}\n`);
      writeFileSync(join(folder, 'rounds.jsonl'), changed);
      await end(folder);
      expect(readFileSync(join(folder, 'rounds.jsonl'), 'utf8')).toBe(sound);
    }
  });
});

// The administrator may write everywhere.
describe.skipIf(process.getuid?.() === 0)('a folder that cannot be written', () => {
  it('is named, and the run goes on once it can be', async () => {
    const folder = copied('readonly', `${lines.slice(0, 4).join('\n')}\n`);
    chmodSync(folder, 0o500);
    await expect(end(folder)).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
    chmodSync(folder, 0o700);
    expect(await end(folder)).toBe(summary);
  });
});

it('a fork in another folder shares no file with the run', () => {
  appendFileSync(join(base, 'conformance/branch/journal.jsonl'), 'x');
  expect(readFileSync(join(base, 'conformance/trunk/journal.jsonl'), 'utf8').endsWith('}\n')).toBe(true);
});
