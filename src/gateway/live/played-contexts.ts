import { hashOrder } from '../../math/index.ts';
import type { ClosedSession } from './closed-session.ts';
import type { EpochState } from './epoch-clock.ts';

/** Contexts that a trainer is told of at most. */
export const MOST_CONTEXTS = 64;

/** By epoch, what training sessions played: labels in the order of their hashes. */
export type PlayedContexts = ReadonlyMap<number, readonly string[]>;

/** For the trainer of panel sessions: which contexts, and the epoch whose training sessions played them. */
export interface ContextsToPlay {
  readonly contexts: readonly string[];
  /** Null where none is known. */
  readonly contextsEpoch: number | null;
}

/**
 * One closed session more. The 64 with the smallest hashes stay, so that contexts that come again in every epoch are
 * named again and PSOD's rise is paired by them.
 */
export function withPlayed(
  before: PlayedContexts,
  { purpose, trajectory }: Pick<ClosedSession, 'purpose' | 'trajectory'>,
  epoch: number,
): PlayedContexts {
  // A context of its own never comes again.
  if (purpose !== 'training' || trajectory.contextFrom === 'none') return before;
  const label = trajectory.contextLabel ?? trajectory.context;
  const known = before.get(epoch) ?? [];
  if (known.includes(label)) return before;
  const labels = [...known, label]
    .map((one) => ({ one, key: hashOrder(one, 0) }))
    .sort((a, b) => a.key - b.key || (a.one < b.one ? -1 : 1))
    .slice(0, MOST_CONTEXTS)
    .map(({ one }) => one);
  return new Map([...before, [epoch, labels]]);
}

/** Those of the epoch under way; of the one before it while nothing of this one is over. */
export function contextsToPlay(
  played: PlayedContexts,
  { epoch, ended }: Pick<EpochState, 'epoch' | 'ended'>,
): ContextsToPlay {
  for (const one of [epoch, ended.at(-1)]) {
    const contexts = one === undefined ? undefined : played.get(one);
    if (contexts !== undefined) return { contexts, contextsEpoch: one! };
  }
  return { contexts: [], contextsEpoch: null };
}

/** Without epochs that nobody will be told of any more. */
export function keptPlayed(
  played: PlayedContexts,
  { epoch, ended }: Pick<EpochState, 'epoch' | 'ended'>,
): PlayedContexts {
  const first = ended.at(-1) ?? epoch;
  const kept = [...played].filter(([one]) => one >= first);
  return kept.length === played.size ? played : new Map(kept);
}
