import { CALMED, KEPT, REPEATS, REQUESTS_BORNE, USUAL_TURNS } from './constants.ts';

/** What a horizon makes of the constants: a dialogue five times as long moves people as far in five times the turns. */
export interface Pace {
  /** Of a usual turn, what one turn is. */
  readonly step: number;
  /** By number of earlier uses of an appeal: what is left of its effect. */
  readonly fresh: Float64Array;
  readonly calmed: number;
  readonly requestsBorne: number;
  readonly repeats: number;
}

export function paceOf(horizon: number): Pace {
  const step = Math.min(2, USUAL_TURNS / horizon);
  return {
    step,
    fresh: Float64Array.from({ length: horizon + 1 }, (_, uses) => KEPT ** (step * uses)),
    calmed: CALMED ** step,
    requestsBorne: REQUESTS_BORNE / step,
    repeats: REPEATS / step,
  };
}
