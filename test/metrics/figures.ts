import { expect } from 'vitest';
import type { Figure } from '../../src/metrics/index.ts';

/** `a` is `scale * b`, interval and all; a negative scale turns the interval over. */
export function expectScaled(a: Figure, b: Figure, scale = 1, relative = 1e-7): void {
  const [low, high] = scale < 0 ? [b.high, b.low] : [b.low, b.high];
  const size = Math.max(1, ...[b.value, low, high].map((x) => Math.abs((x ?? 0) * scale)));
  for (const [own, other] of [
    [a.value, b.value],
    [a.low, low],
    [a.high, high],
  ] as const)
    if (own === null || other === null) expect(own).toBe(other);
    else expect(Math.abs(own - other * scale)).toBeLessThanOrEqual(relative * size);
}

/** What every figure promises: numbers or null with a reason, and an interval that holds the value. */
export function expectSound(figure: Figure): void {
  const { value, low, high, reason } = figure;
  expect(low === null).toBe(high === null);
  if (value === null) {
    expect(low).toBeNull();
    expect(reason).toBeTruthy();
    return;
  }
  expect(Number.isFinite(value)).toBe(true);
  if (low === null || high === null) return;
  expect(low).toBeLessThanOrEqual(value);
  expect(high).toBeGreaterThanOrEqual(value);
}

/** 0 .. `most`, but for rounding. */
export function expectWithin(figure: Figure, least: number, most: number): void {
  if (figure.value === null) return;
  expect(figure.value).toBeGreaterThanOrEqual(least - 1e-9);
  expect(figure.value).toBeLessThanOrEqual(most + 1e-9);
}
