import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { holderOf, lockState, StoreLock, writeFileAtomic } from '../store/index.ts';
import type { RoundRecord } from './round-record.ts';
import { RunCheckpoints } from './run-checkpoints.ts';
import { RunJournal, readJournal } from './run-journal.ts';
import { type RunControl, type RunPlace, type RunStore, type RunView, readPause } from './run-store.ts';
import { checkSameStudy, checkVersion, type RunStudy, readStudy } from './run-study.ts';

const FILES = {
  study: 'run.json',
  journal: 'journal.jsonl',
  rounds: 'rounds.jsonl',
  checkpoints: 'checkpoints',
  summary: 'summary.json',
  pause: 'pause.json',
  lock: 'run.lock',
} as const;

/** What a run keeps in its folder for itself. */
export const RUN_FILES: readonly string[] = Object.values(FILES);

/**
 * A run in a folder: `run.json` (what it hangs on), `journal.jsonl` (its answers), `checkpoints/`, `rounds.jsonl` and
 * `summary.json`, which follow from these, `pause.json` while somebody asks for a pause, `run.lock` while it is driven.
 */
export function runDirectory(folder: string): RunPlace {
  if (typeof folder !== 'string' || folder.trim() === '')
    throw new CollapseAwareError('CA_USAGE', 'the folder of a run has no name', { todo: 'Give its path.' });
  const at = (name: keyof typeof FILES) => join(folder, FILES[name]);
  const found = async (): Promise<RunStudy | null> => {
    const text = await textOf(at('study'));
    return text === null ? null : readStudy(text, at('study'));
  };
  const expected = async (): Promise<RunStudy> => {
    const study = await found();
    if (study === null)
      throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no run.json there', {
        place: { file: folder },
        todo: 'Name the folder that `evolve -o` wrote.',
      });
    return study;
  };
  const viewOf = (study: RunStudy): RunView => {
    const checkpoints = new RunCheckpoints(at('checkpoints'));
    return {
      place: folder,
      study,
      entries: () => readJournal(at('journal'), study.hash),
      rounds: () => readRounds(at('rounds')),
      read: (name) => checkpoints.read(name),
      control: () => readControl(at('pause')),
      summary: () => textOf(at('summary')),
      holder: async () => {
        if ((await lockState(at('lock'))) !== 'held') return null;
        return holderWords(at('lock'));
      },
      close: async () => {},
    };
  };
  return {
    name: folder,
    view: async () => viewOf(await expected()),
    open: async (asked) => {
      if (asked === null) await expected();
      await mkdir(folder, { recursive: true }).catch((error: Error) => {
        throw unwritable(folder, error);
      });
      const lock = await StoreLock.take(at('lock'));
      if (lock === null)
        throw new CollapseAwareError(
          'CA_STORE_LOCKED',
          `the run is driven by ${await holderWords(at('lock'))}`,
          {
            place: { file: folder },
            todo: 'Wait for it, or ask it to pause: collapse-aware evolve pause.',
          },
        );
      try {
        const kept = await found();
        if (kept !== null && asked !== null) checkSameStudy(kept, asked, at('study'));
        const study = kept ?? asked!;
        checkVersion(study, at('study'));
        if (kept === null) await begin(at('study'), at('journal'), study);
        else if (!(await isThere(at('journal'))) && !(await isThere(at('checkpoints'))))
          // Killed between the two.
          await RunJournal.create(at('journal'), study.hash);
        const { journal, torn } = await RunJournal.open(at('journal'), study.hash);
        return storeOf(viewOf(study), at, journal, torn, lock);
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    askPause: async () => {
      await expected();
      const pause = { at: new Date().toISOString(), by: `process ${process.pid} on ${hostname()}` };
      await writeFileAtomic(at('pause'), `${JSON.stringify(pause)}\n`);
    },
    allow: async () => {
      await expected();
      await rm(at('pause'), { force: true }).catch((error: Error) => {
        throw unwritable(at('pause'), error);
      });
    },
  };
}

/** @throws CA_FORMAT_INVALID where answers are there that nobody knows the run of. */
async function begin(studyFile: string, journalFile: string, study: RunStudy): Promise<void> {
  if (await isThere(journalFile))
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'the answers of a run are there, its run.json is not', {
      place: { file: studyFile },
      todo: 'Restore run.json, or name another folder.',
    });
  await writeFileAtomic(studyFile, `${JSON.stringify(study, null, 2)}\n`);
  await RunJournal.create(journalFile, study.hash);
}

function storeOf(
  view: RunView,
  at: (name: keyof typeof FILES) => string,
  journal: RunJournal,
  torn: number,
  lock: StoreLock,
): RunStore {
  const checkpoints = new RunCheckpoints(at('checkpoints'));
  const lines: string[] = [];
  return {
    ...view,
    notes:
      torn === 0
        ? []
        : [
            `${at('journal')}: its last line was cut short when the run was killed; its ${torn} bytes were removed`,
          ],
    append: (entry) => journal.append(entry),
    keep: (text) => checkpoints.keep(text),
    keepRound: async (record) => {
      lines[record.round - 1] = `${JSON.stringify(record)}\n`;
      // Rounds that are replayed are there already, and perhaps others behind them.
      const there = (await textOf(at('rounds'))) ?? '';
      const upToHere = lines.slice(0, record.round).join('');
      if (!there.startsWith(upToHere)) await writeFileAtomic(at('rounds'), upToHere);
    },
    keepSummary: async (text) => {
      const there = await textOf(at('summary'));
      if (there !== null && there !== text)
        throw new CollapseAwareError(
          'CA_RUN_DIVERGED',
          'the run ended otherwise than the summary that is there',
          {
            place: { file: at('summary') },
            todo: 'Keep both: move that file away and resume. The program or the file was changed in between.',
          },
        );
      if (there === null) await writeFileAtomic(at('summary'), text);
    },
    close: async () => {
      await journal.close();
      await lock.release();
    },
  };
}

async function readRounds(path: string): Promise<RoundRecord[]> {
  const text = (await textOf(path)) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const record = recordOf(line);
      if (record?.round === index + 1) return record;
      throw new CollapseAwareError('CA_FORMAT_INVALID', `not round ${index + 1} of a run`, {
        place: { file: path, line: index + 1 },
        todo: 'Remove the file and resume the run: it is written anew from the journal.',
      });
    });
}

function recordOf(line: string): RoundRecord | null {
  try {
    return JSON.parse(line) as RoundRecord | null;
  } catch {
    return null;
  }
}

async function readControl(path: string): Promise<RunControl> {
  const text = await textOf(path);
  return { pause: text === null ? null : readPause(text) };
}

async function holderWords(path: string): Promise<string> {
  const holder = await holderOf(path);
  return holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Null where there is none. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR')
      throw new CollapseAwareError(
        'CA_FILE_UNREADABLE',
        'a file stands where the folder of a run should be',
        {
          place: { file: dirname(path) },
          todo: 'Name the folder that `evolve -o` wrote.',
        },
      );
    throw new CollapseAwareError('CA_FILE_UNREADABLE', message, {
      place: { file: path },
      todo: 'Check what stands there and who may read it.',
    });
  }
}

const unwritable = (path: string, error: Error) =>
  new CollapseAwareError('CA_FILE_UNWRITABLE', causeOf(error), {
    place: { file: path },
    todo: 'check the folder, its permissions and the free space',
  });

const causeOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'EEXIST' || code === 'ENOTDIR' ? 'a file stands where a folder should be' : message;
