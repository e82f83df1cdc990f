import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { writeFileAtomic } from '../store/index.ts';
import { hashText } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Job, Played, Stage } from './synthesize-stage.ts';

const JOURNAL = 'played.jsonl';
const PLAN = 'plan.json';

/**
 * Episodes of one plan, a line each as soon as they are played: a run that was stopped goes on with those that are not
 * there. A line that a kill cut short is dropped.
 */
export class PlayedJournal {
  readonly #file: string;
  readonly #played = new Map<string, Played>();
  #fault: unknown = null;
  /** Played before this run began. */
  readonly found: number;

  private constructor(file: string, played: ReadonlyMap<string, Played>) {
    this.#file = file;
    for (const [id, one] of played) this.#played.set(id, one);
    this.found = played.size;
  }

  /** @throws CA_USAGE where the folder is that of another plan. */
  static async open(folder: string, plan: object): Promise<PlayedJournal> {
    const own = `${JSON.stringify(plan, null, 2)}\n`;
    const path = join(folder, PLAN);
    held('CA_FILE_UNWRITABLE', folder, () => mkdirSync(folder, { recursive: true }));
    if (!existsSync(path)) await writeFileAtomic(path, own);
    else if (held('CA_FILE_UNREADABLE', path, () => readFileSync(path, 'utf8')) !== own)
      throw new CollapseAwareError('CA_USAGE', 'the folder holds episodes of another plan', {
        place: { file: path },
        todo: 'name another folder with -o, or remove this one',
      });
    const file = join(folder, JOURNAL);
    return new PlayedJournal(
      file,
      existsSync(file) ? held('CA_FILE_UNREADABLE', file, () => readLines(file)) : new Map(),
    );
  }

  get(job: string): Played | undefined {
    return this.#played.get(job);
  }

  add(job: string, played: Played): void {
    if (this.#fault !== null) throw this.#fault;
    try {
      held('CA_FILE_UNWRITABLE', this.#file, () =>
        appendFileSync(this.#file, `${JSON.stringify({ job, ...played })}\n`),
      );
    } catch (fault) {
      // Half a line may be there: nothing is written behind it.
      this.#fault = fault;
      throw fault;
    }
    this.#played.set(job, played);
  }
}

/** What a file system refuses, told with the file. */
function held<T>(code: 'CA_FILE_UNREADABLE' | 'CA_FILE_UNWRITABLE', file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof CollapseAwareError) throw cause;
    const { code: kind, message } = cause as NodeJS.ErrnoException;
    const inTheWay = kind === 'EEXIST' || kind === 'ENOTDIR';
    throw new CollapseAwareError(code, inTheWay ? 'a file stands where a folder should be' : message, {
      place: { file },
      todo: 'check what stands there, its permissions and the free space; then start the same command again',
      cause,
    });
  }
}

function readLines(file: string): Map<string, Played> {
  const text = readFileSync(file);
  const end = text.lastIndexOf(0x0a) + 1;
  if (end < text.length) truncateSync(file, end);
  const played = new Map<string, Played>();
  for (const [at, line] of text.subarray(0, end).toString('utf8').split('\n').entries()) {
    if (line === '') continue;
    try {
      const { job, trajectory, tokens } = JSON.parse(line) as Played & { job: string };
      if (typeof job !== 'string' || typeof trajectory?.id !== 'string') throw new Error('no episode');
      played.set(job, { trajectory, tokens });
    } catch (cause) {
      throw new CollapseAwareError('CA_JSON_INVALID', 'a played episode cannot be read', {
        place: { file, line: at + 1 },
        todo: 'remove this line: the episode is played again',
        cause,
      });
    }
  }
  return played;
}

/** Of a plan, in names: part of the ids of its episodes. */
export const planHash = (plan: object): string => hashText(JSON.stringify(plan)).slice(0, 8);

export interface PlayingOptions {
  readonly stage: Stage;
  readonly journal: PlayedJournal;
  /** Name of the run that the episodes are recorded under. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly onPlayed: (done: number, total: number) => void;
}

export interface PlayedJobs {
  readonly episodes: readonly Trajectory[];
  /** By the episode's id. */
  readonly tokens: ReadonlyMap<string, number | null>;
  readonly failed: readonly { readonly job: string; readonly member: string; readonly reason: string }[];
}

/** Failures in a row after which the rest is not tried: the other side is gone. */
const PATIENCE = 10;

/**
 * Plays what is not in the journal yet. A dialogue that cannot be played is a failure and no episode.
 * @throws the last failure where nothing at all can be played.
 */
export async function playJobs(jobs: readonly Job[], options: PlayingOptions): Promise<PlayedJobs> {
  const { stage, journal, run, signal, onPlayed } = options;
  const open = jobs.filter(({ id }) => journal.get(id) === undefined);
  const failed: { job: string; member: string; reason: string }[] = [];
  let next = 0;
  let inRow = 0;
  let done = jobs.length - open.length;
  onPlayed(done, jobs.length);
  const lane = async () => {
    while (next < open.length) {
      signal.throwIfAborted();
      const job = open[next++]!;
      let played: Played | null = null;
      try {
        played = await stage.play(job, run, signal);
        inRow = 0;
      } catch (cause) {
        signal.throwIfAborted();
        if (!(cause instanceof CollapseAwareError)) throw cause;
        if (++inRow >= PATIENCE) throw cause;
        failed.push({ job: job.id, member: job.member.id, reason: cause.message });
      }
      if (played !== null) journal.add(job.id, played);
      onPlayed(++done, jobs.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(stage.lanes, open.length) }, lane));
  const played = jobs.flatMap(({ id }) => journal.get(id) ?? []);
  return {
    episodes: played.map(({ trajectory }) => trajectory),
    tokens: new Map(played.map(({ trajectory, tokens }) => [trajectory.id, tokens])),
    failed: failed.sort((a, b) => (a.job < b.job ? -1 : 1)),
  };
}
