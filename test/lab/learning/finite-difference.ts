import { expect } from 'vitest';

/** The gradient of `f` at `point` by central differences; entries of `point` are moved and put back. */
export function finiteDifference(f: () => number, point: Float64Array, step = 1e-5): Float64Array {
  return Float64Array.from(point.keys(), (i) => {
    const held = point[i]!;
    point[i] = held + step;
    const above = f();
    point[i] = held - step;
    const below = f();
    point[i] = held;
    return (above - below) / (2 * step);
  });
}

/** Relative to the longest entry, entry by entry. */
export function expectSameGradient(found: Float64Array, expected: Float64Array): void {
  const scale = Math.max(...expected.map(Math.abs));
  expect(scale).toBeGreaterThan(0);
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!) / scale).toBeLessThan(1e-6);
  });
}
