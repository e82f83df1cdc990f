import type { AcceptancePower } from './acceptance-power.ts';
import type { AnswerTo, LoopAnswer } from './answer.ts';
import type { LoopRequest } from './request.ts';
import type { RoundRecord } from './round-record.ts';
import type { RunSummary } from './run-summary.ts';

/**
 * A run is a generator: it yields what it asks for and what it has decided, and is given answers. It reads no clock and
 * draws nothing that does not follow from its settings, so that a journal of answers is all there is to resume from.
 */
export type LoopRun = Generator<RunEvent, RunSummary, LoopAnswer | undefined>;

export type RunEvent =
  | { readonly kind: 'ask'; readonly round: number; readonly request: LoopRequest }
  /** What the acceptance rule can tell in this run, before it is asked; needs no answer. */
  | { readonly kind: 'power'; readonly power: AcceptancePower }
  /** A round is over; needs no answer. */
  | { readonly kind: 'round'; readonly record: RoundRecord };

/** Asks, and holds the answer to its kind. */
export function* ask<R extends LoopRequest>(
  round: number,
  request: R,
): Generator<RunEvent, AnswerTo<R>, LoopAnswer | undefined> {
  const answer = yield { kind: 'ask', round, request };
  if (answer === undefined || answer.kind !== request.kind)
    throw new TypeError(`request "${request.id}" was answered by ${answer?.kind ?? 'nothing'}`);
  return answer as AnswerTo<R>;
}
