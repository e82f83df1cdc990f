import {
  type BreakerActions,
  type BreakerEvent,
  type BreakerLevel,
  type BreakerState,
  breakerActions,
  newBreaker,
  stepBreaker,
} from '../diagnosis/index.ts';
import type { Figure } from '../metrics/index.ts';
import { type BehaviourSpace, mergeProfiles, type Profile } from '../space/index.ts';
import { type StepFigures, stepFigures } from './monitor-figures.ts';
import { type GapBase, policyGap } from './monitor-gap.ts';
import type { MonitorPlan, StepRows } from './monitor-plan.ts';

export type { MonitorPlan, StepRows } from './monitor-plan.ts';

export const MONITOR_SCHEMA = 'collapse-aware/watch@1';

export interface MonitorState {
  readonly breaker: BreakerState;
  readonly last: number | null;
  /** Step at which the rules' present level began; null before the first. */
  readonly sinceStep: number | null;
  /** What the rules said when that level began. */
  readonly reasons: readonly string[];
  /** Earlier steps that still enter the next figures: at most window - 1. */
  readonly recent: readonly { readonly step: number; readonly profile: Profile }[];
  readonly base: GapBase | null;
  readonly range: readonly [number, number] | null;
  /** Latest row, for the gate; null before the first. */
  readonly latest: MonitorRow | null;
}

/** What one step comes to: a line of `watch`. Holds no time of day, so that a repeated run gives the same. */
export interface MonitorRow extends StepFigures {
  readonly schema: typeof MONITOR_SCHEMA;
  readonly step: number;
  /** Rows of this step that were used; `steps` names all that entered the figures. */
  readonly n: number;
  readonly dropped: number;
  readonly steps: readonly number[];
  readonly psod: Figure;
  readonly psodRise: Figure;
  /** Shown: the operator's where an override stands. */
  readonly level: BreakerLevel;
  readonly rules: BreakerLevel;
  readonly training: 'go' | 'hold';
  readonly notes: readonly string[];
}

export function newMonitor(at: number): MonitorState {
  return {
    breaker: newBreaker(at),
    last: null,
    sinceStep: null,
    reasons: [],
    recent: [],
    base: null,
    range: null,
    latest: null,
  };
}

/**
 * One step in, its figures and the next state out. Pure: `at` is the caller's clock (milliseconds), read by the
 * time limit and overrides only. Steps come in ascending order.
 * @throws RangeError for a step that is not after the last; CA_SPACE_MISMATCH.
 */
export function observeStep(
  plan: MonitorPlan,
  space: BehaviourSpace,
  state: MonitorState,
  rows: StepRows,
  at: number,
): { readonly state: MonitorState; readonly row: MonitorRow } {
  const { step, profile } = rows;
  if (state.last !== null && step <= state.last)
    throw new RangeError(`step ${step} came after step ${state.last}`);
  const recent = [...state.recent, { step, profile }].slice(-plan.window);
  const steps = recent.map((one) => one.step);
  const range = plan.rewardRange ?? widened(state.range, profile);
  const window = recent.length === 1 ? profile : mergeProfiles(recent.map((one) => one.profile));
  const figures = stepFigures(window, space, plan, range);
  const gap = policyGap(rows, state.base, space, plan, range);
  const moved = stepBreaker(plan.breaker, state.breaker, {
    kind: 'look',
    at,
    figures: {
      scd: figures.scd2,
      ...(plan.breaker.measures.includes('psod') && gap.played ? { psod: gap.rise } : {}),
    },
    data: steps.map((one) => `step ${one}`),
  });
  const row: MonitorRow = {
    schema: MONITOR_SCHEMA,
    step,
    n: rowsIn(profile),
    dropped: rows.dropped,
    steps,
    ...figures,
    psod: gap.psod,
    psodRise: gap.rise,
    level: moved.shown,
    rules: moved.state.level,
    training: trainingOf(moved.actions),
    notes: [...figures.leftOut, ...moved.notes],
  };
  const next = {
    ...levelled(state, moved.state, moved.notes, step),
    last: step,
    recent: plan.window > 1 ? recent.slice(-(plan.window - 1)) : [],
    base: gap.base,
    range,
    latest: row,
  };
  return { state: next, row };
}

/** A round of sessions that nobody trains on, played to see what the population is like now. */
export interface ProbeRows extends StepRows {
  /** Of the round: clean looks must not share one. */
  readonly name: string;
}

export interface ProbeLook extends StepFigures {
  readonly n: number;
  readonly psod: Figure;
  readonly psodRise: Figure;
  readonly notes: readonly string[];
}

/**
 * One round in: it counts for the levels and stays out of the change rule. Panel rows among its own give PSOD's rise.
 * Pure, as observeStep. @throws CA_SPACE_MISMATCH.
 */
export function observeProbe(
  plan: MonitorPlan,
  space: BehaviourSpace,
  state: MonitorState,
  { name, ...rows }: ProbeRows,
  at: number,
): { readonly state: MonitorState; readonly look: ProbeLook } {
  const range = plan.rewardRange ?? widened(state.range, rows.profile);
  const figures = stepFigures(rows.profile, space, plan, range);
  const gap = policyGap(rows, state.base, space, plan, range);
  // The step that the rise is measured from has none itself.
  const rises = gap.played && state.base !== null && state.base.step !== rows.step;
  const moved = stepBreaker(plan.breaker, state.breaker, {
    kind: 'look',
    at,
    probe: true,
    figures: {
      scd: figures.scd2,
      ...(plan.breaker.measures.includes('psod') && rises ? { psod: gap.rise } : {}),
    },
    data: [name],
  });
  return {
    state: { ...levelled(state, moved.state, moved.notes, state.last), range },
    look: {
      ...figures,
      n: rowsIn(rows.profile),
      psod: gap.psod,
      psodRise: gap.rise,
      notes: [...figures.leftOut, ...moved.notes],
    },
  };
}

/** An operator's override or release, or time passing. `notes` is empty where nothing happened. */
export function steerMonitor<State extends Omit<MonitorState, 'recent' | 'base'>>(
  plan: Pick<MonitorPlan, 'breaker'>,
  state: State,
  event: Exclude<BreakerEvent, { kind: 'look' }>,
): { readonly state: State; readonly notes: readonly string[] } {
  const moved = stepBreaker(plan.breaker, state.breaker, event);
  return { state: levelled(state, moved.state, moved.notes, state.last), notes: moved.notes };
}

export function shownLevel({ breaker }: Pick<MonitorState, 'breaker'>): BreakerLevel {
  return breaker.override?.level ?? breaker.level;
}

export function shownActions(state: Pick<MonitorState, 'breaker'>): BreakerActions {
  return breakerActions(shownLevel(state));
}

export function trainingOf({ training }: BreakerActions): 'go' | 'hold' {
  return training === 'run' ? 'go' : 'hold';
}

/** Keeps why and since when the rules' level is what it is. */
function levelled<State extends Omit<MonitorState, 'recent' | 'base'>>(
  before: State,
  breaker: BreakerState,
  notes: readonly string[],
  step: number | null,
): State {
  const same = breaker.level === before.breaker.level && breaker.since === before.breaker.since;
  if (same && before.sinceStep !== null) return { ...before, breaker };
  return {
    ...before,
    breaker,
    sinceStep: step,
    reasons: same ? [] : notes.filter((note) => note.includes('->')),
  };
}

function widened(range: MonitorState['range'], profile: Profile): MonitorState['range'] {
  let low = range?.[0] ?? Number.POSITIVE_INFINITY;
  let high = range?.[1] ?? Number.NEGATIVE_INFINITY;
  for (let i = 0; i < profile.size; i++) {
    const { reward } = profile.peek(i);
    if (reward === null) continue;
    low = Math.min(low, reward);
    high = Math.max(high, reward);
  }
  return low <= high ? [low, high] : null;
}

/** Equal rollouts are one row of a profile, but were several of the file. */
function rowsIn(profile: Profile): number {
  let rows = 0;
  for (let i = 0; i < profile.size; i++) rows += profile.peek(i).ids.length;
  return rows;
}
