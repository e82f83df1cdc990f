import { CUTS } from './cuts.ts';

/** Cut points of a horizon: those calibrated for it, else for the one nearest by ratio. */
export function cutsOf(horizon: number): readonly number[] {
  const far = (calibrated: number) => Math.abs(Math.log(calibrated / horizon));
  return CUTS.reduce((best, one) => (far(one.horizon) < far(best.horizon) ? one : best)).cuts;
}

/** P(decision | resolve) of an ordered logit (McCullagh 1980), to `into[at] ..`: one more than there are cuts. */
export function writeDecisions(
  resolve: number,
  cuts: readonly number[],
  into: Float64Array,
  at: number,
): void {
  let above = 1;
  for (let k = 0; k < cuts.length; k++) {
    const next = 1 / (1 + Math.exp(cuts[k]! - resolve));
    into[at + k] = above - next;
    above = next;
  }
  into[at + cuts.length] = above;
}
