import {
  type Bars,
  type BreakerOptions,
  type BreakerSettings,
  barsOverPeople,
  type Measure,
  planBreaker,
} from '../diagnosis/index.ts';
import { seeded } from '../math/index.ts';
import { type Figure, pairCollapse } from '../metrics/index.ts';
import { type BehaviourSpace, type Control, compareView, type Profile, type Unit } from '../space/index.ts';
import { samplesOf } from './samples.ts';

/**
 * What holds for a whole run, so that all its steps can be compared: one space, one codebook, one kind of unit,
 * one set of bars. Plain data.
 */
export interface MonitorPlan {
  readonly space: string;
  readonly control: Control;
  readonly unit: Unit;
  /** Steps that enter one figure. */
  readonly window: number;
  /** Simulators the policy does not train on. Empty: what rows say of their split. */
  readonly heldOut: readonly string[];
  /** Null: the range seen so far, which widens as rewards come. */
  readonly rewardRange: readonly [number, number] | null;
  readonly breaker: BreakerSettings;
  /** SCD2 of fresh people in the same space; null without people. */
  readonly people: Figure | null;
}

/** One step's rows, placed in the plan's space. */
export interface StepRows {
  readonly step: number;
  /** Every row's epoch is the step. */
  readonly profile: Profile;
  readonly dropped: number;
}

export interface MonitorOptions {
  readonly seed: number;
  readonly window: number;
  readonly heldOut: readonly string[];
  /** Panels will be played, though the first rows may not hold any: PSOD's rise is watched from the start. */
  readonly panels?: boolean;
  readonly rewardRange: readonly [number, number] | null;
  /** `people`: their SCD2 + 0.2 (proposed, where they have none); `proposed`; or numbers. */
  readonly bars: 'people' | 'proposed' | Bars;
  /** Null: as the first rows say. */
  readonly control: Control | null;
  readonly plannedSteps: number | null;
  readonly baseline: number;
  /** Milliseconds; null: none. */
  readonly timeLimit: number | null;
}

/**
 * Decides once, on the first rows (and people, where there are any), how all steps of the run are compared.
 * The interaction codebook unless one context is all there is: steps to come bring contexts that a space fitted
 * now does not know, and the two kinds of rows are never mixed in one number.
 * @throws CA_INPUT_EMPTY, CA_SPACE_MISMATCH; RangeError from settings that would void the false-alarm rate.
 */
export function planMonitor(first: Profile, space: BehaviourSpace, options: MonitorOptions): MonitorPlan {
  const found = compareView(first, space);
  const control = options.control ?? (found.control === 'none' ? 'none' : 'interaction');
  const view = compareView(first, space, { control, unit: found.unit });
  const { people, interval } = samplesOf(view, space);
  const scd2: Figure | null =
    people === null || people.ceiling.tally.n === 0
      ? null
      : pairCollapse([people.ceiling.tally], interval).pooled2;
  const panels = options.panels === true || options.heldOut.length > 0 || marksPanels(first);
  const measures: Measure[] = panels ? ['scd', 'psod'] : ['scd'];
  const bars = barsFor(options.bars, scd2);
  const breaker: BreakerOptions = {
    measures,
    ...(bars === null ? {} : { bars: { scd: bars } }),
    looks: options.plannedSteps,
    baseline: options.baseline,
    timeLimit: options.timeLimit,
  };
  return {
    space: space.id,
    control,
    unit: view.unit,
    window: options.window,
    heldOut: options.heldOut,
    rewardRange: options.rewardRange,
    breaker: planBreaker(breaker, seeded(`${options.seed}/breaker`)),
    people: scd2,
  };
}

function barsFor(bars: MonitorOptions['bars'], scd2: Figure | null): Bars | null {
  if (typeof bars !== 'string') return bars;
  if (bars !== 'people' || scd2?.value == null) return null;
  // Bars are shown to people: three digits are more than their SCD2 has.
  const { yellow, red } = barsOverPeople(scd2.value);
  return { yellow: Number(yellow.toFixed(3)), red: Number(red.toFixed(3)) };
}

function marksPanels(profile: Profile): boolean {
  for (let i = 0; i < profile.size; i++) {
    const { part, split } = profile.peek(i);
    if (part === null && (split === 'selection' || split === 'test')) return true;
  }
  return false;
}
