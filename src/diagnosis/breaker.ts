import type { Figure } from '../metrics/figure.ts';
import { inWords } from './bound.ts';
import { type ChangeState, NO_CHANGE, restartChange, stepChange } from './breaker-change.ts';
import { isClean, levelOf, spend } from './breaker-level.ts';
import { type BreakerSettings, MEASURE_NAMES, type Measure } from './breaker-settings.ts';

export type BreakerLevel = 'green' | 'yellow' | 'red' | 'half-open';

export interface Override {
  readonly level: 'green' | 'yellow' | 'red';
  readonly by: string;
  readonly reason: string;
  /** Clock at which it lapses; null: until released. */
  readonly until: number | null;
}

/** Plain JSON: can be stored at any step and taken up again. */
export interface BreakerState {
  /** What the rules say, whatever an operator has set. */
  readonly level: BreakerLevel;
  /** Clock when that level began. */
  readonly since: number;
  /** Measures that raised the level and have to come down again. */
  readonly tripped: readonly Measure[];
  readonly looks: Readonly<Record<Measure, number>>;
  readonly clean: { readonly count: number; readonly data: readonly string[] };
  readonly change: Readonly<Record<Measure, ChangeState>>;
  readonly override: Override | null;
}

export type BreakerEvent =
  | {
      readonly kind: 'look';
      /** The caller's clock: milliseconds, or epochs. It never runs backwards. */
      readonly at: number;
      readonly figures: Partial<Readonly<Record<Measure, Figure>>>;
      /** Names of the pieces of data behind the figures (epochs, probe rounds): two looks are disjoint if none is shared. */
      readonly data: readonly string[];
      /** Measured on a probe set: counts for levels, stays out of the change rule. */
      readonly probe?: boolean;
    }
  | { readonly kind: 'tick'; readonly at: number }
  | ({ readonly kind: 'override'; readonly at: number } & Override)
  | { readonly kind: 'release'; readonly at: number; readonly by: string };

export interface BreakerActions {
  readonly training: 'run' | 'paused';
  /** Share of anti-collapse synthesis. */
  readonly synthesis: 'usual' | 'raised';
  readonly rediversify: boolean;
  /** A probe of the population is asked for. */
  readonly probe: boolean;
  /** Panel sessions and probes pass at every level. */
  readonly panelAndProbesPass: true;
}

export interface BreakerStep {
  readonly state: BreakerState;
  /** The operator's level while an override stands, else the rules'. */
  readonly shown: BreakerLevel;
  readonly actions: BreakerActions;
  /** One sentence per thing that happened, with its numbers. */
  readonly notes: readonly string[];
}

export function newBreaker(at: number): BreakerState {
  return {
    level: 'green',
    since: at,
    tripped: [],
    looks: { scd: 0, psod: 0 },
    clean: { count: 0, data: [] },
    change: { scd: NO_CHANGE, psod: NO_CHANGE },
    override: null,
  };
}

export function breakerActions(level: BreakerLevel): BreakerActions {
  const stopped = level === 'red' || level === 'half-open';
  return {
    training: stopped ? 'paused' : 'run',
    synthesis: level === 'green' ? 'usual' : 'raised',
    rediversify: level === 'red',
    probe: level === 'half-open',
    panelAndProbesPass: true,
  };
}

/** One event in, the next state out; reads no clock and keeps nothing. */
export function stepBreaker(
  settings: BreakerSettings,
  state: BreakerState,
  event: BreakerEvent,
): BreakerStep {
  const notes: string[] = [];
  let next = lapse(state, event.at, notes);
  if (event.kind === 'override') {
    const { level, by, reason, until } = event;
    next = { ...next, override: { level, by, reason, until } };
    notes.push(`${by} set ${level}${until === null ? '' : ` until ${until}`}: ${reason}`);
  } else if (event.kind === 'release') {
    if (next.override !== null) notes.push(`${event.by} released the override`);
    next = { ...next, override: null };
  } else if (event.kind === 'look') next = look(settings, next, event, notes);
  next = limitTime(settings, next, event.at, notes);
  const shown = next.override?.level ?? next.level;
  return { state: next, shown, actions: breakerActions(shown), notes };
}

type Look = Extract<BreakerEvent, { kind: 'look' }>;

function look(settings: BreakerSettings, before: BreakerState, event: Look, notes: string[]): BreakerState {
  let state = before;
  for (const measure of settings.measures) {
    const figure = event.figures[measure];
    if (figure === undefined) continue;
    if (figure.value === null) {
      notes.push(`${MEASURE_NAMES[measure]} is ${inWords(figure)}: no look`);
      continue;
    }
    state = watchChange(settings, state, measure, figure.value, event, notes);
    state = watchLevel(settings, state, measure, figure, event, notes);
  }
  // raise() voids the clean looks: a look that alarms cannot be clean as well.
  return state.clean === before.clean ? recover(settings, state, event, notes) : state;
}

function watchLevel(
  settings: BreakerSettings,
  state: BreakerState,
  measure: Measure,
  figure: Figure,
  event: Look,
  notes: string[],
): BreakerState {
  const j = state.looks[measure] + 1;
  const alpha = spend(j, settings);
  const found = levelOf(figure, settings.bars[measure], alpha);
  if (found === null) {
    notes.push(`${MEASURE_NAMES[measure]} has no interval (${figure.method}): no look`);
    return state;
  }
  if (settings.looks !== null && j === settings.looks + 1)
    notes.push(
      `${MEASURE_NAMES[measure]}: the ${settings.looks} planned looks are used up; a second budget begins`,
    );
  const counted = { ...state, looks: { ...state.looks, [measure]: j } };
  if (found.level === 'green') return counted;
  // A probe that still finds collapse sends half-open back to red, whichever bar it crossed.
  const level = state.level === 'half-open' ? 'red' : found.level;
  const words = `${MEASURE_NAMES[measure]} ${inWords(figure)}: lower bound ${found.low.toFixed(3)} at level ${alpha.toPrecision(2)}, look ${j}`;
  return raise(
    counted,
    level,
    measure,
    event.at,
    `${words}, above ${settings.bars[measure][found.level]}`,
    notes,
  );
}

function watchChange(
  settings: BreakerSettings,
  state: BreakerState,
  measure: Measure,
  value: number,
  event: Look,
  notes: string[],
): BreakerState {
  const plan = settings.change;
  // A probe set has another mean, and epochs under red are no baseline to return to.
  if (plan === null || event.probe === true || state.level === 'red' || state.level === 'half-open')
    return state;
  const moved = stepChange(state.change[measure], value, plan);
  const alarm = moved.sum > plan.h;
  const kept = alarm ? restartChange(moved) : moved;
  const next = { ...state, change: { ...state.change, [measure]: kept } };
  if (!alarm) return next;
  const words = `${MEASURE_NAMES[measure]} has risen: CUSUM ${moved.sum.toFixed(2)} above h = ${plan.h.toFixed(2)}, baseline ${moved.mean!.toFixed(3)}`;
  return raise(next, 'yellow', measure, event.at, words, notes);
}

const RANK: Readonly<Record<BreakerLevel, number>> = { green: 0, yellow: 1, 'half-open': 2, red: 3 };

/** Levels only rise here; a repeated alarm voids the clean looks so far. */
function raise(
  state: BreakerState,
  level: 'yellow' | 'red',
  measure: Measure,
  at: number,
  words: string,
  notes: string[],
): BreakerState {
  const tripped = state.tripped.includes(measure) ? state.tripped : [...state.tripped, measure];
  const next = { ...state, tripped, clean: { count: 0, data: [] } };
  if (RANK[level] <= RANK[state.level]) return next;
  notes.push(`${state.level} -> ${level}: ${words}`);
  return { ...next, level, since: at };
}

function recover(settings: BreakerSettings, state: BreakerState, event: Look, notes: string[]): BreakerState {
  if (state.level === 'green') return state;
  const readings = state.tripped.map((m) => isClean(event.figures[m], settings.bars[m], settings));
  if (readings.includes(false)) return { ...state, clean: { count: 0, data: [] } };
  if (readings.includes(null)) return state;
  const shared = event.data.length === 0 || event.data.some((name) => state.clean.data.includes(name));
  if (state.clean.count > 0 && shared) {
    notes.push('clean, but on data of an earlier clean look: not counted');
    return state;
  }
  const clean = { count: state.clean.count + 1, data: [...state.clean.data, ...event.data] };
  if (clean.count >= settings.cleanLooks) {
    notes.push(`${state.level} -> green: ${clean.count} clean looks on disjoint data`);
    const fresh = state.level === 'half-open';
    const change = fresh
      ? // Another population: what was learnt of the old one does not describe it.
        { scd: NO_CHANGE, psod: NO_CHANGE }
      : { scd: restartChange(state.change.scd), psod: restartChange(state.change.psod) };
    return { ...state, level: 'green', since: event.at, tripped: [], clean: { count: 0, data: [] }, change };
  }
  if (state.level !== 'red') return { ...state, clean };
  notes.push('red -> half-open: first clean look, a probe is asked for');
  return { ...state, level: 'half-open', since: event.at, clean };
}

/** A time limit never makes green: red asks for a probe, a probe that settles nothing falls back to red. */
function limitTime(
  settings: BreakerSettings,
  state: BreakerState,
  at: number,
  notes: string[],
): BreakerState {
  if (settings.timeLimit === null || at - state.since < settings.timeLimit) return state;
  if (state.level !== 'red' && state.level !== 'half-open') return state;
  const level = state.level === 'red' ? 'half-open' : 'red';
  notes.push(`${state.level} -> ${level}: time limit of ${settings.timeLimit} reached`);
  return { ...state, level, since: at, clean: { count: 0, data: [] } };
}

function lapse(state: BreakerState, at: number, notes: string[]): BreakerState {
  const { override } = state;
  if (override === null || override.until === null || at < override.until) return state;
  notes.push(`the override by ${override.by} has lapsed`);
  return { ...state, override: null };
}
