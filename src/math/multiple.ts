/**
 * Holm's step-down adjusted p-values (Holm 1979), in the order given. Rejecting where the adjusted value is
 * at most alpha keeps the probability of any false rejection at alpha, whatever the dependence.
 */
export function holm(pValues: readonly number[]): number[] {
  const count = pValues.length;
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(count);
  let floor = 0;
  order.forEach((index, rank) => {
    floor = Math.max(floor, Math.min(1, (count - rank) * pValues[index]!));
    adjusted[index] = floor;
  });
  return adjusted;
}
