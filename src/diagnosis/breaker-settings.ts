import type { Random } from '../math/index.ts';
import { simulateThreshold } from './breaker-change.ts';

/** What a breaker watches: the pool's SCD2, and the policy's overfitting (rise of PSOD). */
export type Measure = 'scd' | 'psod';

/** What a measure is called in sentences: the figure that is watched, by the name it has elsewhere. */
export const MEASURE_NAMES: Readonly<Record<Measure, string>> = { scd: 'SCD2', psod: 'PSOD rise' };

export interface Bars {
  readonly yellow: number;
  readonly red: number;
}

/** The proposal's constants. They are guesses; with people, `barsOverPeople` replaces the first pair. */
export const PROPOSED_BARS: Readonly<Record<Measure, Bars>> = {
  scd: { yellow: 0.7, red: 0.85 },
  psod: { yellow: 0.15, red: 0.3 },
};

/** Yellow at people's own SCD2 + 0.2; red as far above it as the proposal's red is above its yellow. */
export function barsOverPeople(scd2: number, margin = 0.2): Bars {
  const gap = PROPOSED_BARS.scd.red - PROPOSED_BARS.scd.yellow;
  return { yellow: scd2 + margin, red: scd2 + margin + gap };
}

export interface ChangeSettings {
  /** Epochs that are standardised against, E. */
  readonly baseline: number;
  /** Reference value of the CUSUM, in baseline standard deviations. */
  readonly k: number;
  /** Epochs over which the 5 % hold. */
  readonly horizon: number;
  /** Alarm threshold, simulated. */
  readonly h: number;
}

/** Everything the state machine needs, as plain data: store it beside the state. */
export interface BreakerSettings {
  readonly measures: readonly Measure[];
  readonly bars: Readonly<Record<Measure, Bars>>;
  /** False-alarm probability of each rule over a run. */
  readonly alpha: number;
  /** Planned looks T; null: unknown, alpha / (j (j+1)) is spent at look j. */
  readonly looks: number | null;
  /** Level of the one-sided upper bounds that lead back to green. */
  readonly recoveryAlpha: number;
  /** How far below yellow a look must lie to count as clean. */
  readonly hysteresis: number;
  /** Clean looks on disjoint data that lead back to green. */
  readonly cleanLooks: number;
  /** In the caller's clock: red or half-open for longer asks for a probe, or falls back. Null: no limit. */
  readonly timeLimit: number | null;
  /** Null where the horizon is no longer than the baseline. */
  readonly change: ChangeSettings | null;
}

export interface BreakerOptions {
  readonly measures?: readonly Measure[];
  readonly bars?: Partial<Record<Measure, Bars>>;
  readonly alpha?: number;
  readonly looks?: number | null;
  readonly timeLimit?: number | null;
  /** E, at least 20. */
  readonly baseline?: number;
  /** Horizon of the change rule where `looks` is unknown. */
  readonly horizon?: number;
}

const LEAST_BASELINE = 20;
const UNKNOWN_HORIZON = 500;

/** Fills in the defaults and simulates h. Throws a RangeError on settings that would void the stated 5 %. */
export function planBreaker(options: BreakerOptions, random: Random): BreakerSettings {
  const measures = [...new Set(options.measures ?? (['scd'] as const))];
  const bars = { ...PROPOSED_BARS, ...options.bars };
  const alpha = options.alpha ?? 0.05;
  const looks = options.looks ?? null;
  const baseline = options.baseline ?? LEAST_BASELINE;
  if (measures.length === 0) throw new RangeError('a breaker needs at least one measure');
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`alpha must lie in (0, 0.5), found ${alpha}`);
  if (looks !== null && !(Number.isInteger(looks) && looks > 0))
    throw new RangeError(`planned looks must be a positive whole number or null, found ${looks}`);
  if (!(Number.isInteger(baseline) && baseline >= LEAST_BASELINE))
    throw new RangeError(`the baseline must be a whole number of at least ${LEAST_BASELINE} epochs`);
  for (const measure of measures)
    if (!(bars[measure].yellow < bars[measure].red))
      throw new RangeError(`${measure}: yellow (${bars[measure].yellow}) must lie below red`);
  const horizon = looks ?? options.horizon ?? UNKNOWN_HORIZON;
  const k = 0.5;
  const change =
    horizon > baseline
      ? {
          baseline,
          k,
          horizon,
          h: simulateThreshold({ baseline, horizon, k, alpha: alpha / measures.length }, random),
        }
      : null;
  return {
    measures,
    bars,
    alpha,
    looks,
    recoveryAlpha: 0.05,
    hysteresis: 0.05,
    cleanLooks: 2,
    timeLimit: options.timeLimit ?? null,
    change,
  };
}

/** What a run prints before it starts. */
export function describeBreaker(settings: BreakerSettings): string[] {
  const { measures, bars, alpha, looks, change } = settings;
  const spent = looks === null ? `${alpha} / (j (j + 1)) at look j` : `${alpha} / ${looks} at each look`;
  const shared = measures.length > 1 ? `, shared by ${measures.length} measures` : '';
  return [
    ...measures.map((m) => `${MEASURE_NAMES[m]}: yellow above ${bars[m].yellow}, red above ${bars[m].red}`),
    `level rule: one-sided lower bound at ${spent}${shared}`,
    change === null
      ? 'change rule: off (the run is no longer than the baseline)'
      : `change rule: CUSUM k = ${change.k}, h = ${change.h.toFixed(2)} (simulated for E = ${change.baseline}, T = ${change.horizon}, ${alpha}${shared}), sets yellow only`,
  ];
}
