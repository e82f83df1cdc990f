import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import {
  firstDifference,
  type RoundRecord,
  type RunStudy,
  type RunView,
  SUMMARY_SCHEMA,
} from '../loop/index.ts';
import { type EvolvePage, evolveSummary, evolveView, type RunSoFar } from '../report/index.ts';
import { type PlaceFlags, placeOf, withDatabaseOption } from './evolve-place.ts';
import { nameArgument } from './input.ts';
import { show } from './terminal.ts';

interface StatusFlags extends PlaceFlags {
  readonly json?: boolean;
}

export const STATUS_SCHEMA = 'collapse-aware/evolve-status@1';

export interface RunStatus {
  readonly schema: typeof STATUS_SCHEMA;
  readonly run: string;
  readonly state: 'done' | 'running' | 'paused' | 'stopped';
  /** Who drives it; null = nobody. */
  readonly holder: string | null;
  /** Who asked for a pause, and when; null = nobody did. */
  readonly pause: { readonly at: string; readonly by: string } | null;
  readonly rounds: { readonly over: number; readonly of: number };
  /** Requests that are answered. */
  readonly answers: number;
  readonly forkedFrom: RunStudy['forkedFrom'];
  readonly study: string;
}

const EXAMPLES = `
Examples:
  $ collapse-aware evolve status run/
  $ collapse-aware evolve status run/ --json

Nothing is held or changed: a run may be looked at while it is driven.

Exit status: 0 done, 2 wrong usage, 3 no run there, or one that is damaged.`;

export function evolveStatusCommand(): Command {
  return withDatabaseOption(
    new Command('status')
      .description('How far a run is, who drives it, and what its rounds came to.')
      .argument('<run>', 'folder of the run, or its name in the database', nameArgument),
  )
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXAMPLES)
    .action(runStatus);
}

async function runStatus(run: string, flags: StatusFlags): Promise<void> {
  const view = await placeOf(run, flags).view();
  try {
    const status = await statusOf(view, run);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(status, null, 2)}\n`);
    else show(`${statusLine(status)}\n\n${await accountOf(view)}`);
  } finally {
    await view.close();
  }
}

export async function statusOf(view: RunView, run: string): Promise<RunStatus> {
  const [holder, { pause }, summary, rounds] = await Promise.all([
    view.holder(),
    view.control(),
    view.summary(),
    view.rounds(),
  ]);
  let answers = 0;
  for await (const _ of view.entries()) answers += 1;
  return {
    schema: STATUS_SCHEMA,
    run,
    state: summary !== null ? 'done' : holder !== null ? 'running' : pause !== null ? 'paused' : 'stopped',
    holder,
    pause,
    rounds: { over: rounds.length, of: view.study.settings.rounds },
    answers,
    forkedFrom: view.study.forkedFrom,
    study: view.study.hash,
  };
}

export function statusLine({ run, state, holder, pause, rounds, answers, forkedFrom }: RunStatus): string {
  const how =
    state === 'running'
      ? `driven by ${holder}${pause === null ? '' : ', asked to pause'}`
      : state === 'paused'
        ? `paused (asked by ${pause!.by}): collapse-aware evolve resume ${run}`
        : state === 'stopped'
          ? `nobody drives it: collapse-aware evolve resume ${run}`
          : 'done';
  const from = forkedFrom === null ? '' : `, forked from ${forkedFrom.place} at round ${forkedFrom.round}`;
  return `${run}: round ${rounds.over} of ${rounds.of} is over, ${answers} answers${from}; ${how}`;
}

/** A run under way or over, in words. */
export function accountOf(view: RunView): Promise<string> {
  return shownRun(view, view.place, (page) => evolveSummary(evolveView(page)));
}

/**
 * What there is of a run, its summary or its rounds so far, shown by `show`.
 * @throws CA_FORMAT_INVALID where that is not what this version writes
 */
export async function shownRun<T>(view: RunView, title: string, show: (page: EvolvePage) => T): Promise<T> {
  const summary = await view.summary();
  const run = summary === null ? await soFar(view) : summaryOf(summary, view);
  try {
    return show({ title, command: null, run, bars: null });
  } catch (cause) {
    if (cause instanceof CollapseAwareError) throw cause;
    throw new CollapseAwareError(
      'CA_FORMAT_INVALID',
      `the ${summary === null ? 'rounds' : 'summary'} of the run cannot be shown (${(cause as Error).message})`,
      { place: { file: view.place }, todo: AGAIN, cause },
    );
  }
}

/** Both follow from the journal. */
const AGAIN = 'Move rounds.jsonl and summary.json away and resume the run: they are written anew.';

function summaryOf(text: string, { place, study }: RunView): RunSoFar {
  const refused = (found: string) =>
    new CollapseAwareError('CA_FORMAT_INVALID', found, { place: { file: place }, todo: AGAIN });
  let summary: { schema?: unknown; settings?: unknown } | null;
  try {
    summary = JSON.parse(text) as typeof summary;
  } catch {
    throw refused('the summary of the run is not JSON');
  }
  if (summary?.schema !== SUMMARY_SCHEMA)
    throw refused(
      `the summary of the run has the schema ${JSON.stringify(summary?.schema)}; this version reads ${SUMMARY_SCHEMA}`,
    );
  const difference = firstDifference(study.settings, summary.settings ?? null);
  if (difference !== null) throw refused(`the summary is of another run: ${difference}`);
  return summary as unknown as RunSoFar;
}

async function soFar(view: RunView): Promise<RunSoFar> {
  const rounds: readonly RoundRecord[] = await view.rounds();
  let space: RunSoFar['space'] = null;
  for await (const { answer } of view.entries()) {
    if (answer.kind === 'open') space = { id: answer.space, k: answer.k, people: answer.people !== null };
    break;
  }
  return { settings: view.study.settings, space, rounds, members: [] };
}
