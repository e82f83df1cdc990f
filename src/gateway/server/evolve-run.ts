import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EvolvePage, type EvolveView, evolveView } from '../../report/index.ts';
import { writeFileAtomic } from '../../store/index.ts';
import type { EvolveReceipt, EvolveReply } from '../api/control.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Log } from './log.ts';

const FILE = 'evolve.json';
const SCHEMA = 'collapse-aware/gateway-evolve@1';
/** Of a run as its page shows it; one of 40 rounds with 200 members in service has less than 1 MB. */
const MOST_BYTES = 16 * 2 ** 20;
/** A short body may name each of thousands of members once, in thousands of rounds. */
const MOST_PLACES = 3_000_000;

/** The run of the loop that was sent last. */
export interface EvolveRun {
  /** As JSON text: it is parsed by whoever shows it. Without the run where none is newer than `after`. */
  read(after: number | null): string;
  /** On disk before it is shown; one that is refused, or cannot be written, changes nothing. */
  put(page: EvolvePage): Promise<EvolveReceipt>;
}

const NONE: EvolveReply = { schema: SCHEMA, updatedAt: null, run: null };

/**
 * Kept in memory and in one file of the store, not in the journal: every round sends the whole run, and the journal,
 * to which lines are only added, would keep them all.
 */
export async function openEvolveRun(store: string, clock: () => number, log: Log): Promise<EvolveRun> {
  const path = join(store, FILE);
  const first = (await saved(path, log)) ?? NONE;
  let kept = { updatedAt: first.updatedAt, text: JSON.stringify(first) };
  // One after another: the last one that was asked for stays.
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: (after) =>
      after !== null && kept.updatedAt !== null && kept.updatedAt <= after
        ? JSON.stringify({ schema: SCHEMA, updatedAt: kept.updatedAt } satisfies EvolveReply)
        : kept.text,
    put(page) {
      const updatedAt = clock();
      const { view, text } = written(page, updatedAt);
      const done = last.then(async () => {
        await writeFileAtomic(path, text);
        kept = { updatedAt, text };
      });
      last = done.catch(() => {});
      return done.then(() => ({ rounds: view.rounds.length, members: view.members.length }));
    },
  };
}

/** Places of a table that every member in service, and every mode, has in every round, before anything is built. */
function placesOf({ run: { settings, rounds } }: EvolvePage): number {
  const served = new Set(settings.members.map(({ id }) => id));
  const modes = new Set<number>();
  for (const round of rounds) {
    for (const { member } of round.population) served.add(member);
    for (const { mode } of round.modes) modes.add(mode);
  }
  return (rounds.length + 1) * (served.size + modes.size);
}

function written(page: EvolvePage, updatedAt: number): { readonly view: EvolveView; readonly text: string } {
  const places = placesOf(page);
  if (places > MOST_PLACES)
    throw new ApiError(
      413,
      `the run has ${places} places of members and modes in rounds, more than ${MOST_PLACES}`,
      { param: 'run', code: 'run_too_large' },
    );
  let view: EvolveView;
  let text: string;
  try {
    view = evolveView(page);
    text = JSON.stringify({ schema: SCHEMA, updatedAt, run: view } satisfies EvolveReply);
  } catch {
    // What the schema lets through and nobody can show: a recipe without its parts, thousands of levels.
    throw ApiError.invalid('run: the records cannot be read', 'run');
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES)
    throw new ApiError(413, `the run has ${bytes} bytes as it is shown, more than ${MOST_BYTES}`, {
      param: 'run',
      code: 'run_too_large',
    });
  return { view, text };
}

/** A file that is damaged is no reason not to serve: the next round replaces it. */
async function saved(path: string, log: Log): Promise<EvolveReply | null> {
  try {
    const reply = JSON.parse(await readFile(path, 'utf8')) as EvolveReply | null;
    if (reply?.schema === SCHEMA) return reply;
    log.warn({ file: path }, 'the run of the loop is of another version');
  } catch (error) {
    // Without the message: that of a parser quotes what it read.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') log.warn({ file: path, code }, 'the run of the loop cannot be read');
  }
  return null;
}
