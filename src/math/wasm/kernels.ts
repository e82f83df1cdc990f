// AssemblyScript. Every result has the bits of the TypeScript reference beside the caller (nearest.ts,
// kth-nearest.ts, vector-table.ts): the same four lanes, the same order of additions, no fused multiply-add.
// Arrays are passed by address; nothing is allocated here.

// @ts-ignore: decorator
@inline
function lanes(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** Adds the columns that do not fill four lanes. */
// @ts-ignore: decorator
@inline
function tail(total: f32, x: usize, y: usize, from: usize, to: usize): f32 {
  for (let at = from; at < to; at += 4) {
    const difference = load<f32>(x + at) - load<f32>(y + at);
    total += difference * difference;
  }
  return total;
}

// @ts-ignore: decorator
@inline
function squared(sum: v128, x: v128, y: v128): v128 {
  const difference = f32x4.sub(x, y);
  return f32x4.add(sum, f32x4.mul(difference, difference));
}

/**
 * Index of and squared distance to the nearest of k centroids, the lower index on a tie.
 * points: rows x columns f32; centroids: k x columns f32; cells: rows u16; distances: rows f32.
 * Two points by four centroids at a time: eight independent sums hide the latency of the additions.
 */
export function nearest(
  points: usize,
  rows: i32,
  columns: i32,
  centroids: usize,
  k: i32,
  cells: usize,
  distances: usize,
): void {
  const stride: usize = (<usize>columns) << 2;
  const whole: usize = stride & ~15;
  const quads = k & ~3;
  const pairs = rows & ~1;
  let row = 0;
  for (; row < pairs; row += 2) {
    const x: usize = points + (<usize>row) * stride;
    const y: usize = x + stride;
    let bestX: f32 = Infinity;
    let bestY: f32 = Infinity;
    let cellX = 0;
    let cellY = 0;
    let c = 0;
    for (; c < quads; c += 4) {
      const c0: usize = centroids + (<usize>c) * stride;
      const c1: usize = c0 + stride;
      const c2: usize = c1 + stride;
      const c3: usize = c2 + stride;
      let x0 = f32x4.splat(0);
      let x1 = x0;
      let x2 = x0;
      let x3 = x0;
      let y0 = x0;
      let y1 = x0;
      let y2 = x0;
      let y3 = x0;
      for (let at: usize = 0; at < whole; at += 16) {
        const xs = v128.load(x + at);
        const ys = v128.load(y + at);
        let cs = v128.load(c0 + at);
        x0 = squared(x0, xs, cs);
        y0 = squared(y0, ys, cs);
        cs = v128.load(c1 + at);
        x1 = squared(x1, xs, cs);
        y1 = squared(y1, ys, cs);
        cs = v128.load(c2 + at);
        x2 = squared(x2, xs, cs);
        y2 = squared(y2, ys, cs);
        cs = v128.load(c3 + at);
        x3 = squared(x3, xs, cs);
        y3 = squared(y3, ys, cs);
      }
      let d = tail(lanes(x0), x, c0, whole, stride);
      if (d < bestX) { bestX = d; cellX = c; }
      d = tail(lanes(x1), x, c1, whole, stride);
      if (d < bestX) { bestX = d; cellX = c + 1; }
      d = tail(lanes(x2), x, c2, whole, stride);
      if (d < bestX) { bestX = d; cellX = c + 2; }
      d = tail(lanes(x3), x, c3, whole, stride);
      if (d < bestX) { bestX = d; cellX = c + 3; }
      d = tail(lanes(y0), y, c0, whole, stride);
      if (d < bestY) { bestY = d; cellY = c; }
      d = tail(lanes(y1), y, c1, whole, stride);
      if (d < bestY) { bestY = d; cellY = c + 1; }
      d = tail(lanes(y2), y, c2, whole, stride);
      if (d < bestY) { bestY = d; cellY = c + 2; }
      d = tail(lanes(y3), y, c3, whole, stride);
      if (d < bestY) { bestY = d; cellY = c + 3; }
    }
    for (; c < k; c++) {
      const to: usize = centroids + (<usize>c) * stride;
      let d = one(x, to, whole, stride);
      if (d < bestX) { bestX = d; cellX = c; }
      d = one(y, to, whole, stride);
      if (d < bestY) { bestY = d; cellY = c; }
    }
    store<u16>(cells + ((<usize>row) << 1), <u16>cellX);
    store<u16>(cells + ((<usize>row) << 1) + 2, <u16>cellY);
    store<f32>(distances + ((<usize>row) << 2), bestX);
    store<f32>(distances + ((<usize>row) << 2) + 4, bestY);
  }
  if (row < rows) {
    const x: usize = points + (<usize>row) * stride;
    let best: f32 = Infinity;
    let cell = 0;
    for (let c = 0; c < k; c++) {
      const d = one(x, centroids + (<usize>c) * stride, whole, stride);
      if (d < best) { best = d; cell = c; }
    }
    store<u16>(cells + ((<usize>row) << 1), <u16>cell);
    store<f32>(distances + ((<usize>row) << 2), best);
  }
}

/** Puts `value`, below the last of k ascending f32, among them; the last one goes. */
// @ts-ignore: decorator
@inline
function insert(list: usize, last: usize, value: f32): void {
  let at = last;
  while (at > list && load<f32>(at - 4) > value) {
    store<f32>(at, load<f32>(at - 4));
    at -= 4;
  }
  store<f32>(at, value);
}

/**
 * Squared distance to the k-th nearest of `count` sample rows, the row's own one (own: rows i32, -1 = none) left out.
 * points: rows x columns f32; sample: count x columns f32; lists: 2 x k f32, scratch; out: rows f32.
 * Two points by four sample rows at a time, as in `nearest`; the lists are seldom touched.
 */
export function kthNearest(
  points: usize,
  rows: i32,
  columns: i32,
  own: usize,
  sample: usize,
  count: i32,
  k: i32,
  lists: usize,
  out: usize,
): void {
  const stride: usize = (<usize>columns) << 2;
  const whole: usize = stride & ~15;
  const quads = count & ~3;
  const lastX: usize = lists + ((<usize>(k - 1)) << 2);
  const listY: usize = lastX + 4;
  const lastY: usize = listY + ((<usize>(k - 1)) << 2);
  for (let row = 0; row < rows; row += 2) {
    // A lone last row is taken twice.
    const second = row + 1 < rows ? row + 1 : row;
    const x: usize = points + (<usize>row) * stride;
    const y: usize = points + (<usize>second) * stride;
    const ownX = load<i32>(own + ((<usize>row) << 2));
    const ownY = load<i32>(own + ((<usize>second) << 2));
    for (let at: usize = lists; at <= lastY; at += 4) store<f32>(at, Infinity);
    let worstX: f32 = Infinity;
    let worstY: f32 = Infinity;
    let c = 0;
    for (; c < quads; c += 4) {
      const c0: usize = sample + (<usize>c) * stride;
      const c1: usize = c0 + stride;
      const c2: usize = c1 + stride;
      const c3: usize = c2 + stride;
      let x0 = f32x4.splat(0);
      let x1 = x0;
      let x2 = x0;
      let x3 = x0;
      let y0 = x0;
      let y1 = x0;
      let y2 = x0;
      let y3 = x0;
      for (let at: usize = 0; at < whole; at += 16) {
        const xs = v128.load(x + at);
        const ys = v128.load(y + at);
        let cs = v128.load(c0 + at);
        x0 = squared(x0, xs, cs);
        y0 = squared(y0, ys, cs);
        cs = v128.load(c1 + at);
        x1 = squared(x1, xs, cs);
        y1 = squared(y1, ys, cs);
        cs = v128.load(c2 + at);
        x2 = squared(x2, xs, cs);
        y2 = squared(y2, ys, cs);
        cs = v128.load(c3 + at);
        x3 = squared(x3, xs, cs);
        y3 = squared(y3, ys, cs);
      }
      let d = tail(lanes(x0), x, c0, whole, stride);
      if (d < worstX && c != ownX) { insert(lists, lastX, d); worstX = load<f32>(lastX); }
      d = tail(lanes(x1), x, c1, whole, stride);
      if (d < worstX && c + 1 != ownX) { insert(lists, lastX, d); worstX = load<f32>(lastX); }
      d = tail(lanes(x2), x, c2, whole, stride);
      if (d < worstX && c + 2 != ownX) { insert(lists, lastX, d); worstX = load<f32>(lastX); }
      d = tail(lanes(x3), x, c3, whole, stride);
      if (d < worstX && c + 3 != ownX) { insert(lists, lastX, d); worstX = load<f32>(lastX); }
      d = tail(lanes(y0), y, c0, whole, stride);
      if (d < worstY && c != ownY) { insert(listY, lastY, d); worstY = load<f32>(lastY); }
      d = tail(lanes(y1), y, c1, whole, stride);
      if (d < worstY && c + 1 != ownY) { insert(listY, lastY, d); worstY = load<f32>(lastY); }
      d = tail(lanes(y2), y, c2, whole, stride);
      if (d < worstY && c + 2 != ownY) { insert(listY, lastY, d); worstY = load<f32>(lastY); }
      d = tail(lanes(y3), y, c3, whole, stride);
      if (d < worstY && c + 3 != ownY) { insert(listY, lastY, d); worstY = load<f32>(lastY); }
    }
    for (; c < count; c++) {
      const to: usize = sample + (<usize>c) * stride;
      let d = one(x, to, whole, stride);
      if (d < worstX && c != ownX) { insert(lists, lastX, d); worstX = load<f32>(lastX); }
      d = one(y, to, whole, stride);
      if (d < worstY && c != ownY) { insert(listY, lastY, d); worstY = load<f32>(lastY); }
    }
    store<f32>(out + ((<usize>row) << 2), worstX);
    store<f32>(out + ((<usize>second) << 2), worstY);
  }
}

function one(x: usize, y: usize, whole: usize, stride: usize): f32 {
  let sum = f32x4.splat(0);
  for (let at: usize = 0; at < whole; at += 16) sum = squared(sum, v128.load(x + at), v128.load(y + at));
  return tail(lanes(sum), x, y, whole, stride);
}

/**
 * out[i] = sum over starts[i] <= p < starts[i + 1] of weights[p] * table[indices[p]], summed in the order of p.
 * starts: rows + 1 u32; indices: u32; weights: f32; table: columns f32 a row; out: rows x columns f32.
 * Sixteen columns at a time stay in registers while the list is walked.
 */
export function accumulate(
  starts: usize,
  rows: i32,
  indices: usize,
  weights: usize,
  table: usize,
  columns: i32,
  out: usize,
): void {
  const stride: usize = (<usize>columns) << 2;
  const wide: usize = stride & ~63;
  const whole: usize = stride & ~15;
  for (let row = 0; row < rows; row++) {
    const begin: usize = (<usize>load<u32>(starts + ((<usize>row) << 2))) << 2;
    const end: usize = (<usize>load<u32>(starts + ((<usize>row) << 2) + 4)) << 2;
    const to: usize = out + (<usize>row) * stride;
    let at: usize = 0;
    for (; at < wide; at += 64) {
      let s0 = f32x4.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      for (let p = begin; p < end; p += 4) {
        const from: usize = table + (<usize>load<u32>(indices + p)) * stride + at;
        const weight = v128.load32_splat(weights + p);
        s0 = f32x4.add(s0, f32x4.mul(weight, v128.load(from)));
        s1 = f32x4.add(s1, f32x4.mul(weight, v128.load(from, 16)));
        s2 = f32x4.add(s2, f32x4.mul(weight, v128.load(from, 32)));
        s3 = f32x4.add(s3, f32x4.mul(weight, v128.load(from, 48)));
      }
      v128.store(to + at, s0);
      v128.store(to + at, s1, 16);
      v128.store(to + at, s2, 32);
      v128.store(to + at, s3, 48);
    }
    for (; at < whole; at += 16) {
      let s = f32x4.splat(0);
      for (let p = begin; p < end; p += 4) {
        const from: usize = table + (<usize>load<u32>(indices + p)) * stride + at;
        s = f32x4.add(s, f32x4.mul(v128.load32_splat(weights + p), v128.load(from)));
      }
      v128.store(to + at, s);
    }
    for (; at < stride; at += 4) {
      let s: f32 = 0;
      for (let p = begin; p < end; p += 4)
        s += load<f32>(weights + p) * load<f32>(table + (<usize>load<u32>(indices + p)) * stride + at);
      store<f32>(to + at, s);
    }
  }
}

/**
 * out = left x basis, sums in the order of the columns.
 * left: rows x columns f64; basis: columns x kept f64; out: rows x kept f64.
 * Eight columns of the basis at a time stay in registers while a row is walked.
 */
export function products(left: usize, rows: i32, columns: i32, basis: usize, kept: i32, out: usize): void {
  const stride: usize = (<usize>kept) << 3;
  const wide: usize = stride & ~63;
  const length: usize = (<usize>columns) << 3;
  for (let row = 0; row < rows; row++) {
    const from: usize = left + (<usize>row) * length;
    const to: usize = out + (<usize>row) * stride;
    let at: usize = 0;
    for (; at < wide; at += 64) {
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let b: usize = basis + at;
      for (let j: usize = 0; j < length; j += 8) {
        const x = v128.load64_splat(from + j);
        s0 = f64x2.add(s0, f64x2.mul(x, v128.load(b)));
        s1 = f64x2.add(s1, f64x2.mul(x, v128.load(b, 16)));
        s2 = f64x2.add(s2, f64x2.mul(x, v128.load(b, 32)));
        s3 = f64x2.add(s3, f64x2.mul(x, v128.load(b, 48)));
        b += stride;
      }
      v128.store(to + at, s0);
      v128.store(to + at, s1, 16);
      v128.store(to + at, s2, 32);
      v128.store(to + at, s3, 48);
    }
    for (; at < stride; at += 8) {
      let s: f64 = 0;
      let b: usize = basis + at;
      for (let j: usize = 0; j < length; j += 8) {
        s += load<f64>(from + j) * load<f64>(b);
        b += stride;
      }
      store<f64>(to + at, s);
    }
  }
}

/** Takes from `vector` its share in each of `count` earlier ones, one after the other; all `length` f64 long. */
export function project(vector: usize, earlier: usize, count: i32, length: i32): void {
  const size: usize = (<usize>length) << 3;
  const whole: usize = size & ~31;
  for (let e = 0; e < count; e++) {
    const from: usize = earlier + (<usize>e) * size;
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let at: usize = 0;
    for (; at < whole; at += 32) {
      s0 = f64x2.add(s0, f64x2.mul(v128.load(vector + at), v128.load(from + at)));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(vector + at, 16), v128.load(from + at, 16)));
    }
    let first: f64 = f64x2.extract_lane(s0, 0);
    for (; at < size; at += 8) first += load<f64>(vector + at) * load<f64>(from + at);
    const share =
      first + f64x2.extract_lane(s0, 1) + (f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1));
    addScaled(vector, from, -share, size);
  }
}

/** out += weight x from; `size` bytes of f64. */
function addScaled(out: usize, from: usize, weight: f64, size: usize): void {
  const w = f64x2.splat(weight);
  const whole: usize = size & ~15;
  let at: usize = 0;
  for (; at < whole; at += 16)
    v128.store(out + at, f64x2.add(v128.load(out + at), f64x2.mul(w, v128.load(from + at))));
  if (at < size) store<f64>(out + at, load<f64>(out + at) + weight * load<f64>(from + at));
}

/**
 * out += A'A x for a sparse A (compressed rows), row by row. starts: rows + 1 u32; indices: u32; values: f64;
 * x, out: columns of A x width f64; image: width f64, scratch.
 */
export function squaredProduct(
  starts: usize,
  rows: i32,
  indices: usize,
  values: usize,
  x: usize,
  width: i32,
  image: usize,
  out: usize,
): void {
  const stride: usize = (<usize>width) << 3;
  for (let row = 0; row < rows; row++) {
    const begin = load<u32>(starts + ((<usize>row) << 2));
    const end = load<u32>(starts + ((<usize>row) << 2) + 4);
    memory.fill(image, 0, stride);
    for (let p = begin; p < end; p++)
      addScaled(
        image,
        x + (<usize>load<u32>(indices + ((<usize>p) << 2))) * stride,
        load<f64>(values + ((<usize>p) << 3)),
        stride,
      );
    for (let p = begin; p < end; p++)
      addScaled(
        out + (<usize>load<u32>(indices + ((<usize>p) << 2))) * stride,
        image,
        load<f64>(values + ((<usize>p) << 3)),
        stride,
      );
  }
}
