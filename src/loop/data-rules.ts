import type { BreakerLevel } from '../diagnosis/index.ts';
import type { Figure } from '../metrics/index.ts';
import type { DataPlan } from './data-plan.ts';
import type { PartSettings } from './run-settings.ts';

/** A parameter of the data plan, the figure that moves it, and how. docs/evolve.md has the same table. */
export interface DataRule {
  readonly parameter: 'weights.alpha' | 'consistency.lambda';
  readonly figure: 'scd2' | 'psodRise';
  /** What it starts from, and is never below. */
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** Above `high` the parameter goes up by a step, below `low` down by one, between them it stays. */
  readonly low: number;
  readonly high: number;
}

/**
 * Data is left as it is until a figure asks for more: weights and multipliers cost effective sample size, and with a
 * population that is diverse already they buy nothing.
 */
export const DATA_RULES: readonly DataRule[] = [
  // Dense episodes count less where the population repeats itself.
  { parameter: 'weights.alpha', figure: 'scd2', least: 0, most: 1, step: 0.25, low: 0.5, high: 0.7 },
  // Members ahead of the others count less where the policy overfits the population.
  {
    parameter: 'consistency.lambda',
    figure: 'psodRise',
    least: 0,
    most: 1,
    step: 0.25,
    low: 0.05,
    high: 0.15,
  },
];

export function firstDataPlan(parts: PartSettings): DataPlan {
  const start = (parameter: DataRule['parameter']) =>
    DATA_RULES.find((rule) => rule.parameter === parameter)!.least;
  return {
    gate: parts.gate,
    weights: parts.weights ? { alpha: start('weights.alpha') } : null,
    consistency: parts.consistency ? { lambda: start('consistency.lambda') } : null,
  };
}

/** The plan of the next round, and what was moved for which reason. A figure that is null moves nothing. */
export function nextDataPlan(
  plan: DataPlan,
  figures: Readonly<Record<DataRule['figure'], Figure>>,
  level: BreakerLevel,
): { readonly plan: DataPlan; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const moved = (rule: DataRule, now: number): number => {
    const { value } = figures[rule.figure];
    if (value === null) return now;
    const raised = value > rule.high || (rule.figure === 'scd2' && level !== 'green');
    const next = raised ? now + rule.step : value < rule.low ? now - rule.step : now;
    const held = Math.min(rule.most, Math.max(rule.least, next));
    if (held !== now)
      notes.push(
        `${rule.parameter} ${now} -> ${held}: ${rule.figure} is ${value.toFixed(3)}, ${raised ? (value > rule.high ? `above ${rule.high}` : `the breaker is ${level}`) : `below ${rule.low}`}`,
      );
    return held;
  };
  const [alpha, lambda] = DATA_RULES as readonly [DataRule, DataRule];
  return {
    plan: {
      gate: plan.gate,
      weights: plan.weights === null ? null : { alpha: moved(alpha, plan.weights.alpha) },
      consistency: plan.consistency === null ? null : { lambda: moved(lambda, plan.consistency.lambda) },
    },
    notes,
  };
}
