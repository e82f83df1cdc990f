import { CollapseAwareError } from '../errors.ts';
import type { AcceptancePower } from './acceptance-power.ts';
import type { LoopAnswer } from './answer.ts';
import type { Performer } from './performer.ts';
import type { LoopRequest } from './request.ts';
import { joinParts, partsOf } from './request-parts.ts';
import type { RoundRecord } from './round-record.ts';
import type { RunEvent } from './run-event.ts';
import type { RunSettings } from './run-settings.ts';
import { type RunControl, type RunEntry, type RunStore, requestHash } from './run-store.ts';
import { settingsInForce } from './run-study.ts';

/** A run from its settings, `evolve` for one. What it returns is its summary: plain data. */
export type RunProgram = (settings: RunSettings) => Generator<RunEvent, unknown, LoopAnswer | undefined>;

export type DriveEvent =
  /** What the acceptance rule can tell in this run: told before the first proposal. */
  | { readonly kind: 'power'; readonly power: AcceptancePower }
  /** So many answers were there already, and the run has been led past them. */
  | { readonly kind: 'replayed'; readonly answers: number }
  | { readonly kind: 'ask'; readonly round: number; readonly request: LoopRequest }
  | { readonly kind: 'answer'; readonly round: number; readonly request: LoopRequest }
  | { readonly kind: 'round'; readonly record: RoundRecord; readonly replayed: boolean };

export interface DriveOptions {
  readonly signal?: AbortSignal | undefined;
  onEvent?(event: DriveEvent): void;
}

export type DriveEnd =
  /** `summary` as it is kept. */
  | { readonly kind: 'done'; readonly summary: string }
  | { readonly kind: 'paused'; readonly by: NonNullable<RunControl['pause']> };

/**
 * Leads a run to its end or to a pause: answers that are kept are given again, others are asked of the performer and kept
 * before the run sees them. Stopped anywhere and driven again, it ends in the same bytes.
 * Errors: CA_RUN_DIVERGED where the run asks something else than what is answered; those of the store and the performer;
 * the signal's reason.
 */
export async function drive(
  program: RunProgram,
  store: RunStore,
  performer: Performer,
  options: DriveOptions = {},
): Promise<DriveEnd> {
  const signal = options.signal ?? new AbortController().signal;
  const kept = store.entries()[Symbol.asyncIterator]();
  let replayed = 0;
  let live = false;
  const keptAnswer = async (request: LoopRequest): Promise<LoopAnswer | null> => {
    if (live) return null;
    const next = await kept.next();
    if (next.done !== true) {
      replayed += 1;
      return answerOf(next.value, request, store.place);
    }
    live = true;
    if (replayed > 0) options.onEvent?.({ kind: 'replayed', answers: replayed });
    return null;
  };
  try {
    return await follow(program, store, {
      onPower: (power) => options.onEvent?.({ kind: 'power', power }),
      onRound: (record) => options.onEvent?.({ kind: 'round', record, replayed: !live }),
      answer: async (round, request) => {
        signal.throwIfAborted();
        const there = await keptAnswer(request);
        if (there !== null) return there;
        const { pause } = await store.control();
        if (pause !== null) return { pause };
        options.onEvent?.({ kind: 'ask', round, request });
        const answer = await performWhole(performer, request, {
          read: (name) => store.read(name),
          keep: (text) => store.keep(text),
          signal,
          round,
        });
        signal.throwIfAborted();
        const entry = entryOf(round, request, answer);
        await store.append(entry);
        options.onEvent?.({ kind: 'answer', round, request });
        return entry.answer;
      },
    });
  } finally {
    await kept.return?.();
  }
}

/** Where the answers of a run come from. */
export interface Answers {
  answer(
    round: number,
    request: LoopRequest,
  ): Promise<LoopAnswer | { readonly pause: NonNullable<RunControl['pause']> }>;
  onRound?(record: RoundRecord): void;
  onPower?(power: AcceptancePower): void;
}

/** Leads a run from its beginning on, by answers that are kept already when they come. */
export async function follow(program: RunProgram, store: RunStore, answers: Answers): Promise<DriveEnd> {
  const { settings, passed } = settingsInForce(store.study);
  const run = program(settings);
  let next = run.next();
  while (next.done !== true) {
    const event = next.value;
    if (event.kind === 'round') {
      await store.keepRound(event.record);
      passed(event.record.round);
      answers.onRound?.(event.record);
      next = run.next();
    } else if (event.kind === 'power') {
      answers.onPower?.(event.power);
      next = run.next();
    } else {
      const answer = await answers.answer(event.round, event.request);
      if ('pause' in answer) return { kind: 'paused', by: answer.pause };
      next = run.next(answer);
    }
  }
  const summary = `${JSON.stringify(next.value, null, 2)}\n`;
  await store.keepSummary(summary);
  return { kind: 'done', summary };
}

/** In parts, as it would be among many workers. */
export async function performWhole(
  performer: Performer,
  request: LoopRequest,
  context: Parameters<Performer['perform']>[1],
): Promise<LoopAnswer> {
  // Where one fails the others are waited for: nothing goes on behind the back of who stops.
  const parts = await Promise.allSettled(
    partsOf(request).map(async (part) => performer.perform(part, context)),
  );
  return joinParts(
    request,
    parts.map((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    }),
  );
}

/**
 * What is kept of an answer. The run sees what a replay would see: the answer as JSON has it.
 * @throws CA_INTERNAL where it is of another kind than the request.
 */
export function entryOf(round: number, request: LoopRequest, answer: LoopAnswer): RunEntry {
  if (answer.kind !== request.kind)
    throw new CollapseAwareError(
      'CA_INTERNAL',
      `request "${request.id}" was answered by "${answer.kind}", and is a "${request.kind}"`,
    );
  return {
    round,
    id: request.id,
    request: requestHash(request),
    answer: JSON.parse(JSON.stringify(answer)) as LoopAnswer,
  };
}

/** The answer of an entry, if it answers just this. @throws CA_RUN_DIVERGED */
export function answerOf(entry: RunEntry, request: LoopRequest, place: string): LoopAnswer {
  if (entry.id === request.id && entry.request === requestHash(request)) return entry.answer;
  throw new CollapseAwareError(
    'CA_RUN_DIVERGED',
    entry.id === request.id
      ? `the run asks "${request.id}" otherwise than when it was answered`
      : `the run asks "${request.id}" where "${entry.id}" was answered`,
    {
      place: { file: place },
      todo: 'The program changed since these answers were given: go on with the version that began the run, or begin anew.',
    },
  );
}
