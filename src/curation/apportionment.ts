/** Heap entry order: higher quotient first, then the earlier in `order`. */
interface Claim {
  readonly cell: number;
  readonly quotient: number;
}

/**
 * Whole seats in proportion to weights (Sainte-Lague: the next seat goes to the largest weight / (2 seats + 1)). Of
 * divisor methods it is the one without bias to large or small, and like all of them monotone: a weight that grows
 * beside others that do not never loses a seat. Equal quotients go by `rank`, lowest first. Without any weight: none.
 */
export function seats(weights: ArrayLike<number>, count: number, rank: ArrayLike<number>): Float64Array {
  const given = certainSeats(weights, count);
  const heap: Claim[] = [];
  const before = (a: Claim, b: Claim) =>
    a.quotient !== b.quotient ? a.quotient > b.quotient : rank[a.cell]! < rank[b.cell]!;
  const swap = (i: number, j: number) => {
    const held = heap[i]!;
    heap[i] = heap[j]!;
    heap[j] = held;
  };
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && before(heap[child]!, heap[first]!)) first = child;
      if (first === at) return;
      swap(at, first);
      at = first;
    }
  };
  for (let cell = 0; cell < weights.length; cell++)
    if (weights[cell]! > 0) heap.push({ cell, quotient: rounded(weights[cell]! / (2 * given[cell]! + 1)) });
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  const taken = given.reduce((sum, own) => sum + own, 0);
  for (let seat = taken; seat < count && heap.length > 0; seat++) {
    const { cell } = heap[0]!;
    given[cell]! += 1;
    heap[0] = { cell, quotient: rounded(weights[cell]! / (2 * given[cell]! + 1)) };
    sink(0);
  }
  return given;
}

/**
 * Seats that every weight has for certain, so that a large count costs no more than a small one: by the divisor
 * W / (count - n / 2), which is above the final one, rounding leaves at most about n seats to give.
 */
function certainSeats(weights: ArrayLike<number>, count: number): Float64Array {
  const given = new Float64Array(weights.length);
  // Under the true bound by more than rounding can move a tie.
  const sure = count * (1 - 1e-9) - weights.length / 2 - 1;
  let whole = 0;
  for (let cell = 0; cell < weights.length; cell++) whole += Math.max(0, weights[cell]!);
  if (!(sure > 0) || !(whole > 0)) return given;
  for (let cell = 0; cell < weights.length; cell++)
    given[cell] = Math.max(0, Math.ceil((Math.max(0, weights[cell]!) / whole) * sure - 0.5));
  return given;
}

/** 12 digits: what differs by rounding alone is a tie. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
