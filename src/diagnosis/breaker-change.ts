import { mean, quantile, type Random, variance } from '../math/index.ts';

/** One-sided CUSUM (Page 1954) that first learns its mean and deviation from `baseline` epochs. Plain data. */
export interface ChangeState {
  /** Values of the baseline so far. */
  readonly baseline: readonly number[];
  readonly mean: number | null;
  readonly deviation: number | null;
  /** S = max(0, S + z - k). */
  readonly sum: number;
}

export const NO_CHANGE: ChangeState = { baseline: [], mean: null, deviation: null, sum: 0 };

export interface ChangePlan {
  readonly baseline: number;
  readonly k: number;
}

/** Takes one epoch's value. During the baseline, and where the baseline did not vary, the sum stays 0. */
export function stepChange(state: ChangeState, value: number, plan: ChangePlan): ChangeState {
  if (state.baseline.length < plan.baseline) {
    const baseline = [...state.baseline, value];
    if (baseline.length < plan.baseline) return { ...state, baseline };
    return { baseline, mean: mean(baseline), deviation: Math.sqrt(variance(baseline)), sum: 0 };
  }
  if (state.mean === null || state.deviation === null || !(state.deviation > 0)) return state;
  const z = (value - state.mean) / state.deviation;
  return { ...state, sum: Math.max(0, state.sum + z - plan.k) };
}

/** Back to 0 after an alarm or a recovery; the baseline stays. */
export function restartChange(state: ChangeState): ChangeState {
  return { ...state, sum: 0 };
}

/**
 * The h with P(S exceeds h before the horizon) <= alpha for independent normal values whose mean and deviation
 * are themselves estimated from the baseline. Estimation matters: with 20 epochs the textbook h alarms far too
 * often. Epochs of a training run are correlated, so drift within the baseline still makes alarms likelier.
 * The quantile is taken two standard errors of the simulation above 1 - alpha.
 */
export function simulateThreshold(
  plan: ChangePlan & { readonly horizon: number; readonly alpha: number },
  random: Random,
  runs = 8000,
): number {
  const { baseline, horizon, k, alpha } = plan;
  const peaks = new Float64Array(runs);
  const values = new Float64Array(baseline);
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < baseline; i++) values[i] = random.normal();
    const centre = mean(values);
    const deviation = Math.sqrt(variance(values));
    let sum = 0;
    let peak = 0;
    for (let t = baseline; t < horizon; t++) {
      sum = Math.max(0, sum + (random.normal() - centre) / deviation - k);
      if (sum > peak) peak = sum;
    }
    peaks[run] = peak;
  }
  const margin = 2 * Math.sqrt((alpha * (1 - alpha)) / runs);
  return quantile(peaks.sort(), Math.min(1, 1 - alpha + margin));
}
