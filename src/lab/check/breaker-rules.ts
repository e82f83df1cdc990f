import { type BreakerSettings, type Measure, planBreaker } from '../../diagnosis/index.ts';
import { seeded } from '../../math/index.ts';
import { EPOCHS } from './simulated-run.ts';

/** The breaker whole, and each of its two rules with the other switched off. */
export interface Rules {
  readonly whole: BreakerSettings;
  readonly level: BreakerSettings;
  readonly change: BreakerSettings;
}

/** Bars that no figure reaches. */
const NEVER = { yellow: 1e9, red: 2e9 };

/** As `watch` plans it: proposed bars, all looks planned, 20 epochs of baseline. */
export function planRules(measures: readonly Measure[], seed: number | string): Rules {
  const whole = planBreaker({ measures, looks: EPOCHS }, seeded(`${seed}/breaker`));
  return {
    whole,
    level: { ...whole, change: null },
    change: { ...whole, bars: { scd: NEVER, psod: NEVER } },
  };
}
