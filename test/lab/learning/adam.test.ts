import { describe, expect, it } from 'vitest';
import { Adam } from '../../../src/lab/learning/index.ts';

describe('Adam', () => {
  it('takes the steps worked out by hand', () => {
    // beta1 = beta2 = 0.5, rate 0.1, epsilon 1: g = 2 then -4.
    // Step 1: m = 1, v = 2, corrected 2 and 4: 0.1 x 2 / (2 + 1).
    // Step 2: m = -1.5, v = 9, corrected -2 and 12: 0.1 x -2 / (sqrt(12) + 1).
    const adam = new Adam(1, { learningRate: 0.1, beta1: 0.5, beta2: 0.5, epsilon: 1 });
    const parameters = Float64Array.from([1]);
    adam.apply(parameters, Float64Array.from([2]));
    expect(parameters[0]).toBeCloseTo(1 - 0.2 / 3, 14);
    adam.apply(parameters, Float64Array.from([-4]));
    expect(parameters[0]).toBeCloseTo(1 - 0.2 / 3 + 0.2 / (Math.sqrt(12) + 1), 14);
    expect(adam.step).toBe(2);
  });
  it('moves by about the rate at first, however small the gradient', () => {
    const parameters = new Float64Array(2);
    new Adam(2).apply(parameters, Float64Array.from([1e-3, -1e3]));
    expect(parameters[0]).toBeCloseTo(-0.001, 7);
    expect(parameters[1]).toBeCloseTo(0.001, 7);
  });
  it('stays where the gradient is 0', () => {
    const parameters = Float64Array.from([3, -0.5]);
    new Adam(2).apply(parameters, new Float64Array(2));
    expect([...parameters]).toEqual([3, -0.5]);
  });
  it('goes on from its state with the bits of an unbroken run', () => {
    const whole = new Adam(1);
    const [a, b] = [new Float64Array(1), new Float64Array(1)];
    const gradient = (i: number) => Float64Array.from([Math.sin(i)]);
    for (let i = 0; i < 50; i++) whole.apply(a, gradient(i));
    const first = new Adam(1);
    for (let i = 0; i < 20; i++) first.apply(b, gradient(i));
    const second = new Adam(1, {}, first);
    for (let i = 20; i < 50; i++) second.apply(b, gradient(i));
    expect(b).toEqual(a);
  });
  it('refuses settings it cannot run with', () => {
    for (const wrong of [{ learningRate: 0 }, { learningRate: Number.NaN }, { beta1: 1 }, { epsilon: -1 }])
      expect(() => new Adam(1, wrong)).toThrow(/Adam cannot run/);
    expect(() => new Adam(2, {}, new Adam(3))).toThrow(/3 parameters, not 2/);
  });
});
