/**
 * Indices of `values` in ascending order, equal ones by index; NaN last. A radix sort in three turns of 11 bits: a
 * comparing sort of a million takes ten times as long.
 */
export function floatOrder(values: Float32Array): Int32Array {
  const n = values.length;
  const bits = new Uint32Array(values.slice().buffer);
  for (let i = 0; i < n; i++) {
    // One pattern for NaN and one for 0; then negative numbers turn round, and positive ones go above them.
    const value = values[i]!;
    if (Number.isNaN(value)) bits[i] = 0xffffffff;
    else if (value === 0) bits[i] = 0x80000000;
    else bits[i] = value < 0 ? ~bits[i]! : bits[i]! | 0x80000000;
  }
  let from = new Int32Array(n);
  let to = new Int32Array(n);
  for (let i = 0; i < n; i++) from[i] = i;
  for (let shift = 0; shift < 32; shift += 11) {
    const starts = new Int32Array(2049);
    for (let i = 0; i < n; i++) starts[((bits[i]! >>> shift) & 2047) + 1]! += 1;
    for (let digit = 0; digit < 2047; digit++) starts[digit + 1]! += starts[digit]!;
    for (let i = 0; i < n; i++) to[starts[(bits[from[i]!]! >>> shift) & 2047]!++] = from[i]!;
    [from, to] = [to, from];
  }
  return from;
}
