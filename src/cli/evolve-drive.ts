import {
  type DriveEnd,
  drive,
  evolve,
  joinCrew,
  type RunPlace,
  type RunStudy,
  type RunView,
} from '../loop/index.ts';
import { powerWords, roundSentence } from '../report/index.ts';
import { EvolveBoard } from './evolve-board.ts';
import { placeOf } from './evolve-place.ts';
import { accountOf, statusLine, statusOf } from './evolve-status.ts';
import { openPerformer } from './evolve-thread.ts';
import { enforce, type FailFlags } from './fail-on.ts';
import { followStages, type Progress } from './progress.ts';
import { show, tell } from './terminal.ts';
import { spawnWorkers } from './worker-crew.ts';

export interface DriveFlags extends FailFlags {
  readonly database?: string;
  readonly workers?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const STAGES = { kept: 'Go through the answers that are kept', rounds: 'Rounds' } as const;
type RunProgress = Progress<keyof typeof STAGES>;

/** Leads a run to its end or to a pause, and prints what came of it. @param study null = of the run that is there */
export async function driveRun(
  run: string,
  study: RunStudy | null,
  flags: DriveFlags,
  signal: AbortSignal,
): Promise<void> {
  const place = placeOf(run, flags);
  const board = new EvolveBoard(place, study);
  const end = await followStages(
    STAGES,
    (progress) =>
      flags.database === undefined
        ? driveHere(
            place,
            study,
            Math.max(1, flags.workers ?? 1),
            flags.quiet === true,
            board,
            progress,
            signal,
          )
        : driveTogether(place, run, study, flags.database, flags.workers ?? 1, board, progress, signal),
    flags.quiet,
  ).finally(() => {
    if (signal.aborted) tell(`what was answered is kept; go on with: collapse-aware evolve resume ${run}`);
    return board.settled();
  });
  if (end.kind === 'done') await board.end();
  const view = await place.view();
  try {
    if (end.kind === 'paused') tell(statusLine(await statusOf(view, run)));
    else {
      if (flags.json === true) process.stdout.write(end.summary);
      else show(await accountOf(view));
      tell(`run: ${place.name}`);
      enforce(flags.failOn, JSON.parse(end.summary), flags.failOnNull === true);
    }
  } finally {
    await view.close();
  }
}

async function driveHere(
  place: RunPlace,
  study: RunStudy | null,
  threads: number,
  quiet: boolean,
  board: EvolveBoard,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<DriveEnd> {
  const store = await place.open(study);
  try {
    for (const note of store.notes) tell(note);
    const of = store.study.settings.rounds;
    let over = 0;
    let replayed = 0;
    const performer = openPerformer(store.study.stage, threads);
    try {
      return await drive(evolve, store, performer, {
        signal,
        onEvent: (event) => {
          if (event.kind === 'power' && !quiet)
            for (const sentence of powerWords(event.power)) tell(sentence);
          if (event.kind === 'round') over = event.record.round;
          if (event.kind === 'round' && !event.replayed) board.round(over);
          if (event.kind === 'round' && !event.replayed && !quiet) tell(roundSentence(event.record));
          if (event.kind === 'replayed') replayed = event.answers;
          if (event.kind === 'round' && event.replayed) progress('kept', over, of, 'rounds');
          else if (event.kind === 'round') progress('rounds', over, of);
          else if (event.kind === 'replayed') progress('kept', replayed, null, 'answers');
          else if (event.kind === 'ask') progress('rounds', over, of, `over, ${event.request.id}`);
        },
      });
    } finally {
      await performer.close();
    }
  } finally {
    await store.close();
  }
}

/** How often the database is asked how far a run is, in ms. */
const LOOK = 1000;

async function driveTogether(
  place: RunPlace,
  run: string,
  study: RunStudy | null,
  url: string,
  workers: number,
  board: EvolveBoard,
  progress: RunProgress,
  signal: AbortSignal,
): Promise<DriveEnd> {
  const crew = await joinCrew({
    url,
    program: evolve,
    make: (stage) => openPerformer(stage, 1),
    performs: workers > 0,
    onWarning: tell,
  });
  const others = spawnWorkers(url, workers - 1);
  let looking: NodeJS.Timeout | null = null;
  try {
    const led = crew.lead(run, study, signal);
    looking = setInterval(() => void lookAt(place, board, progress), LOOK);
    return await led;
  } finally {
    clearInterval(looking ?? undefined);
    await others.stop();
    await crew.leave();
  }
}

async function lookAt(place: RunPlace, board: EvolveBoard, progress: RunProgress): Promise<void> {
  let view: RunView | null = null;
  try {
    view = await place.view();
    const rounds = await view.rounds();
    board.round(rounds.length);
    progress('rounds', rounds.length, view.study.settings.rounds, 'over');
  } catch {
    // Whoever leads says what is wrong.
  } finally {
    await view?.close();
  }
}
