import { type ProbePlan, planProbes } from '../../lab/record/probe-plan.ts';
import { seeded } from '../../math/random.ts';
import type { SessionFacts } from '../recorder/records.ts';
import type { ProbeSettings } from '../settings/settings.ts';
import type { PastTurn } from '../speakers/speaker.ts';
import type { ChatRequest } from '../wire/chat-request.ts';

export type Law = 'member' | 'population';

/** A user turn of a real session that was asked for and answered: what came before it, as the client sent it. */
export interface VisitedHistory {
  readonly facts: SessionFacts;
  /** The user's turn, from 0. */
  readonly turn: number;
  readonly request: ChatRequest;
  readonly past: readonly PastTurn[];
}

/**
 * Which turns of a session are probed: a function of the gateway's seed, the session's id and the turn alone. Load,
 * member and what was said have no part in it, so that the share is the true probability that goes on record.
 */
export function sessionProbes(
  { share, resamples }: Pick<ProbeSettings, 'share' | 'resamples'>,
  seed: string,
  session: string,
): ProbePlan {
  return planProbes({ share, resamples }, seeded(`${seed}/probes/${session}`));
}

/**
 * Laws that can be asked for at a history. A session keeps its member, so that the population's law at a later turn
 * needs the likelihood of what was said so far under every member (metrics.md, epsilon): upstreams do not give it.
 * That leaves the first user turn, and there only where no user has spoken yet (an adopted session begins in the middle).
 */
export function lawsAt({ turn, request }: VisitedHistory, laws: readonly Law[]): Law[] {
  const first = turn === 0 && !request.messages.some(({ role }) => role === 'assistant');
  return laws.filter((law) => law === 'member' || first);
}

/** One turn, come to by the same words. */
export function isSameHistory(a: VisitedHistory, b: VisitedHistory): boolean {
  return a.turn === b.turn && JSON.stringify(a.request.messages) === JSON.stringify(b.request.messages);
}
