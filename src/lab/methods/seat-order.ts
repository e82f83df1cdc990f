/**
 * Who plays each group of a step, as indexes: in turn, shifted by the step, whoever has had all its seats left out.
 * With equal seats this is the order of `frozen`, so that methods differ by who is asked and not by when.
 */
export function seatOrder(seats: readonly number[], step: number): number[] {
  const left = [...seats];
  const order: number[] = [];
  let open = left.reduce((sum, count) => sum + count, 0);
  for (let at = step; open > 0; at++) {
    const who = at % left.length;
    if (left[who] === 0) continue;
    left[who]! -= 1;
    open -= 1;
    order.push(who);
  }
  return order;
}
