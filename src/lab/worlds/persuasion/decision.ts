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
