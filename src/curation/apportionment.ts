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
export function seats(weights: ArrayLike<number>, count: number, rank: ArrayLike<number>): Int32Array {
  const given = new Int32Array(weights.length);
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
    if (weights[cell]! > 0) heap.push({ cell, quotient: rounded(weights[cell]!) });
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  for (let seat = 0; seat < count && heap.length > 0; seat++) {
    const { cell } = heap[0]!;
    given[cell]! += 1;
    heap[0] = { cell, quotient: rounded(weights[cell]! / (2 * given[cell]! + 1)) };
    sink(0);
  }
  return given;
}

/** 12 digits: what differs by rounding alone is a tie. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
