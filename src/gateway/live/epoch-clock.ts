import type { Split } from '../../trajectory/trajectory.ts';
import type { Purpose } from '../recorder/purpose.ts';
import type { LiveSettings } from '../settings/settings.ts';

export type EpochRule = LiveSettings['epochs'];

/** Where the run stands. Plain JSON. */
export interface EpochState {
  /** Under way; sessions that begin now are of it. */
  readonly epoch: number;
  /** Closed training sessions of the epoch under way, and of later ones that the trainer named already. */
  readonly counts: Readonly<Record<string, number>>;
  /** Training sessions that closed when their epoch was over: in the figures of now, in no look that was made. */
  readonly late: number;
  /** The latest epochs that are over, ascending. */
  readonly ended: readonly number[];
  /** Of closed sessions of the selection panel; null before the first. PSOD's rise is measured from `first`. */
  readonly panels: { readonly first: number | null; readonly last: number | null };
}

/** Ended epochs that are remembered: no window is longer. */
const REMEMBERED = 100;

export function newEpochs(first = 0): EpochState {
  return { epoch: first, counts: {}, late: 0, ended: [], panels: { first: null, last: null } };
}

export interface CountedSession {
  readonly epoch: number;
  readonly purpose: Purpose;
  readonly split: Split | null;
}

/** By sessions the gateway counts its own epochs: one that a client is ahead with counts as the one under way. */
export function countedEpoch(rule: EpochRule, state: EpochState, epoch: number | null): number {
  if (epoch === null) return state.epoch;
  return rule.by === 'sessions' ? Math.min(epoch, state.epoch) : epoch;
}

/** One closed session more: each is counted once, when it closes first. */
export function countSession(state: EpochState, { epoch, purpose, split }: CountedSession): EpochState {
  if (purpose === 'panel' && split === 'selection') {
    const { first, last } = state.panels;
    return {
      ...state,
      panels: { first: Math.min(first ?? epoch, epoch), last: Math.max(last ?? epoch, epoch) },
    };
  }
  if (purpose !== 'training') return state;
  if (epoch < state.epoch) return { ...state, late: state.late + 1 };
  return { ...state, counts: { ...state.counts, [epoch]: (state.counts[epoch] ?? 0) + 1 } };
}

/**
 * The trainer begins an epoch: the one under way is over, `ended`; null where it is under way already (a repeated call).
 * @throws RangeError for an epoch that is over, or is no whole number.
 */
export function beginEpoch(
  state: EpochState,
  epoch: number,
): { readonly state: EpochState; readonly ended: number | null } {
  if (!Number.isSafeInteger(epoch)) throw new RangeError(`an epoch is a whole number, not ${epoch}`);
  if (epoch < state.epoch)
    throw new RangeError(`epoch ${epoch} is over: epoch ${state.epoch} is under way, and epochs only go up`);
  if (epoch === state.epoch) return { state, ended: null };
  let late = state.late;
  const counts: Record<string, number> = {};
  for (const [key, count] of Object.entries(state.counts)) {
    if (Number(key) >= epoch) counts[key] = count;
    // Skipped by the trainer: nobody will look at them as epochs of their own.
    else if (Number(key) > state.epoch) late += count;
  }
  return {
    state: { ...state, epoch, counts, late, ended: [...state.ended, state.epoch].slice(-REMEMBERED) },
    ended: state.epoch,
  };
}

/** By sessions: an epoch with enough of them is over. Several can be, where the trainer named later ones. */
export function settleEpochs(
  rule: EpochRule,
  before: EpochState,
): { readonly state: EpochState; readonly ended: readonly number[] } {
  let state = before;
  const ended: number[] = [];
  while (rule.by === 'sessions' && (state.counts[state.epoch] ?? 0) >= rule.every) {
    const moved = beginEpoch(state, state.epoch + 1);
    ended.push(moved.ended!);
    state = moved.state;
  }
  return { state, ended };
}

/** Panel sessions are due when the last epoch that had some lies `every` epochs back; never without a panel. */
export function psodDue(
  { epoch, panels }: Pick<EpochState, 'epoch' | 'panels'>,
  every: number,
  hasPanel: boolean,
): { readonly due: boolean; readonly lastEpoch: number | null; readonly every: number } {
  const due = hasPanel && (panels.last === null || epoch - panels.last >= every);
  return { due, lastEpoch: panels.last, every };
}
