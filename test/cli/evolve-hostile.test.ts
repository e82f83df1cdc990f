import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { evolveCommand } from '../../src/cli/evolve.ts';
import { accountOf, statusLine, statusOf } from '../../src/cli/evolve-status.ts';
import { synthesizeCommand } from '../../src/cli/synthesize.ts';
import { PlayedJournal, playJobs } from '../../src/cli/synthesize-journal.ts';
import { workerCommand } from '../../src/cli/worker.ts';
import { CollapseAwareError } from '../../src/errors.ts';
import { runDirectory, runStudy, SUMMARY_SCHEMA } from '../../src/loop/index.ts';
import { placeOfUrl } from '../../src/loop/postgres/pg.ts';
import { exampleSettings } from '../loop/run-example.ts';

/** What is told of a command line that is refused, without starting a process. */
async function refusal(args: readonly string[], command = evolveCommand()): Promise<string> {
  let told = '';
  // As the program has it: options behind `page` are those of `page`.
  command.enablePositionalOptions();
  for (const one of [command, ...command.commands])
    one.exitOverride().configureOutput({
      writeErr: () => {},
      outputError: (text) => {
        told += text;
      },
    });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return `CA_USAGE: ${told}`;
    if (error instanceof CollapseAwareError) return error.line;
    throw error;
  }
  return 'not refused';
}

const SECRET = 'correct-horse';

describe('a hostile command line of evolve', () => {
  it.each([
    [['--rounds', '1001'], 'give 1 to 1000'],
    [['--rounds', '99999999999'], 'give 1 to 1000'],
    [['--workers', '9007199254740991'], 'give 0 to 256'],
    [['--inject', 'collapse@7'], '--inject collapse@7 lies behind the last round, 6'],
    [['--rounds', '2', '--inject', 'collapse@3'], 'lies behind the last round, 2'],
    [['--agent', 'http://x'], '--agent is of a trainer behind a gateway'],
    [['--epoch-seconds', '3'], '--epoch-seconds is of a trainer behind a gateway'],
    [['--reference', 'people.jsonl'], '--reference is of a trainer behind a gateway'],
    [['--gateway', 'http://x', '--world', 'service'], '--world is of the lab'],
    [['--rounds', '8', 'resume', 'run'], '--rounds stands before resume'],
    [['--database', 'postgresql://x/y', 'status', 'run'], '--database stands before status'],
    [['status', ''], 'the name is empty'],
    [['page', ' '], 'the name is empty'],
  ])('refuses %j', async (args, found) => {
    const told = await refusal(args);
    expect(told).toMatch(/^CA_USAGE: /);
    expect(told).toContain(found);
  });

  it('refuses more processes of a worker than a machine can hold', async () => {
    expect(
      await refusal(['--workers', '99999999', '--database', 'postgresql://x/y'], workerCommand()),
    ).toContain('give 1 to 256');
  });

  it.each([
    `mysql://u:${SECRET}@host/runs`,
    `u:${SECRET}@host/runs`,
    `postgresql://u:${SECRET}#1@127.0.0.1:1/runs`,
    `postgresql://u:a/${SECRET}@127.0.0.1:1/runs`,
    `postgresql://u:a@/${SECRET}@127.0.0.1:1/runs`,
    `postgresql://u:${SECRET}@127.0.0.1:99999/runs`,
    `postgresql://u:${SECRET}@[::1/runs`,
    `postgresql://u:${SECRET}@127.0.0.1:1/runs`,
    `postgresql://127.0.0.1:1/runs?user=u&password=${SECRET}`,
    `postgresql://u:${SECRET}@127.0.0.1:1/runs?sslmode=verify-full&sslrootcert=/nowhere`,
  ])('tells no password of the database %s', async (url) => {
    vi.stubEnv('COLLAPSE_AWARE_DATABASE', url);
    const told = [
      await refusal(['status', 'run', '--database', url]),
      await refusal(['status', 'run']),
      placeOfUrl(url),
    ];
    vi.unstubAllEnvs();
    for (const text of told) expect(text).not.toContain(SECRET);
    for (const text of told.slice(0, 2))
      expect(text).toMatch(/^CA_(USAGE|STORE_FAILED|DEPENDENCY_MISSING): /);
  });
});

describe('a run that is not as it was written', () => {
  const base = mkdtempSync(join(tmpdir(), 'collapse-aware-test-'));
  const folder = join(base, 'run');
  const study = runStudy(exampleSettings(), { kind: 'example' });
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    await (await runDirectory(folder).open(study)).close();
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const shown = async (): Promise<string> => {
    try {
      const view = await runDirectory(folder).view();
      return `${statusLine(await statusOf(view, 'run'))}\n${await accountOf(view)}`;
    } catch (error) {
      return (error as CollapseAwareError).line;
    }
  };

  it.each([
    ['summary.json', '', 'is not JSON'],
    ['summary.json', '<!doctype html>', 'is not JSON'],
    ['summary.json', 'null', 'has the schema undefined'],
    ['summary.json', '{"schema":"collapse-aware/evolve@2"}', 'has the schema "collapse-aware/evolve@2"'],
    ['summary.json', JSON.stringify({ schema: SUMMARY_SCHEMA }), 'is of another run'],
    [
      'summary.json',
      JSON.stringify({ schema: SUMMARY_SCHEMA, settings: { ...study.settings, seed: 9 } }),
      'is of another run: seed is 1 there, 9 here',
    ],
    ['summary.json', JSON.stringify({ schema: SUMMARY_SCHEMA, settings: study.settings }), 'cannot be shown'],
    ['rounds.jsonl', 'null\n', 'not round 1 of a run'],
    ['rounds.jsonl', '{"round":2}\n', 'not round 1 of a run'],
    ['rounds.jsonl', '{"round":1}\n{"round":1}\n', 'not round 2 of a run'],
    ['rounds.jsonl', '{"round":1}\n', 'cannot be shown'],
  ])('is told with what to do: %s of %j', async (name, text, found) => {
    writeFileSync(at(name), text);
    const told = await shown();
    rmSync(at(name));
    expect(told).toMatch(/^CA_FORMAT_INVALID: .*run.* - .*resume the run/);
    expect(told).toContain(found);
  });

  it.each(['', '{', 'null', '[]', '{"at":1,"by":2}'])(
    'is paused by whatever stands in pause.json: %j',
    async (text) => {
      writeFileSync(at('pause.json'), text);
      expect(await shown()).toContain('paused (asked by somebody who left no name)');
      rmSync(at('pause.json'));
    },
  );

  it.each(['journal.jsonl', 'summary.json', 'rounds.jsonl', 'pause.json'])(
    'is refused where a folder stands for %s',
    async (name) => {
      const kept = name === 'journal.jsonl' ? readFileSync(at(name)) : null;
      rmSync(at(name), { force: true });
      mkdirSync(at(name));
      expect(await shown()).toMatch(/^CA_FILE_UNREADABLE: .* - Check what stands there/);
      rmSync(at(name), { recursive: true });
      if (kept !== null) writeFileSync(at(name), kept);
    },
  );

  it('loses none of its own files to its page', async () => {
    const before = readdirSync(folder).sort();
    for (const name of ['summary.json', 'journal.jsonl', 'run.json', 'checkpoints/x', '../run/rounds.jsonl'])
      expect(await refusal(['page', folder, '-o', at(name)])).toMatch(/^CA_USAGE: .*the output folder's own/);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

describe('a hostile command line of synthesize', () => {
  it.each([
    [['path', '--from', 'a', '--to', 'b', '--lambdas', ''], 'give numbers from 0 to 1'],
    [['path', '--from', 'a', '--to', 'b', '--lambdas', '0,NaN,1'], 'give numbers from 0 to 1'],
    [['path', '--from', 'a', '--to', 'b', '--lambdas', '0,0.50,0.5'], 'give every number once'],
    [
      [
        'path',
        '--from',
        'a',
        '--to',
        'b',
        '--lambdas',
        Array.from({ length: 1001 }, (_, i) => i / 1001).join(),
      ],
      'give at most 1000',
    ],
    [['gaps', '--episodes', '9007199254740991'], 'give 1 to 100000'],
    [['gaps', '--per-gap', '1000000'], 'give 1 to 1000'],
    [['gaps', '-o', ''], 'the name is empty'],
    [['adversary', '--generations', '1e3'], 'not a whole number'],
    [['adversary', '--per-generation', '-2'], 'give 1 or more'],
    [['gaps', '--world', 'persuasion', 'rollouts.jsonl'], '--world brings its own'],
    [['gaps'], 'there is nobody to play'],
  ])('refuses %j', async (args, found) => {
    const told = await refusal([...args, '-q'], synthesizeCommand());
    expect(told).toMatch(/^CA_USAGE: /);
    expect(told).toContain(found);
  });
});

describe('a folder of synthesize', () => {
  const base = mkdtempSync(join(tmpdir(), 'collapse-aware-test-'));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const plan = { kind: 'path' };

  it('is refused where a file stands, where a folder stands for one of its files, and where a line is no episode', async () => {
    writeFileSync(join(base, 'file'), '');
    mkdirSync(join(base, 'a/plan.json'), { recursive: true });
    mkdirSync(join(base, 'b/played.jsonl'), { recursive: true });
    for (const [name, code] of [
      ['file', 'CA_FILE_UNWRITABLE'],
      ['file/within', 'CA_FILE_UNWRITABLE'],
      ['a', 'CA_FILE_UNREADABLE'],
      ['b', 'CA_FILE_UNREADABLE'],
    ] as const)
      await expect(PlayedJournal.open(join(base, name), plan), name).rejects.toMatchObject({
        code,
        todo: expect.any(String),
      });
    for (const line of ['{', 'null', '{}', '{"job":"x"}', '{"job":1,"trajectory":{"id":"x"}}']) {
      mkdirSync(join(base, 'c'), { recursive: true });
      writeFileSync(join(base, 'c/played.jsonl'), `${line}\n`);
      await expect(PlayedJournal.open(join(base, 'c'), plan), line).rejects.toMatchObject({
        code: 'CA_JSON_INVALID',
        place: { line: 1 },
      });
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'ends where an episode cannot be kept, and writes nothing behind half a line',
    async () => {
      mkdirSync(join(base, 'full'));
      const journal = await PlayedJournal.open(join(base, 'full'), plan);
      symlinkSync('/dev/full', join(base, 'full/played.jsonl'));
      const stage = {
        contexts: 1,
        lanes: 1,
        mark: null,
        check: () => {},
        play: async () => ({ trajectory: { id: 'x' } as never, tokens: null }),
        close: async () => {},
      };
      const jobs = ['x', 'y'].map((id) => ({ id, member: { id: 'm' } as never, context: 0 }));
      const signal = new AbortController().signal;
      await expect(
        playJobs(jobs, { stage, journal, run: 'r', signal, onPlayed: () => {} }),
      ).rejects.toMatchObject({ code: 'CA_FILE_UNWRITABLE' });
      rmSync(join(base, 'full/played.jsonl'));
      expect(() => journal.add('y', { trajectory: { id: 'y' } as never, tokens: null })).toThrow('ENOSPC');
    },
  );
});
