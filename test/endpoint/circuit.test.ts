import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Circuit,
  type CircuitEvent,
  CLOSED,
  circuitAdmits,
  circuitAfter,
  circuitState,
} from '../../src/endpoint/index.ts';

const rule = { tripAfter: 3, restMs: 100 };
const run = (steps: readonly (readonly [CircuitEvent, number])[]): Circuit =>
  steps.reduce((circuit, [event, now]) => circuitAfter(circuit, event, rule, now), CLOSED);

it('rests after so many failures in a row, and only in a row', () => {
  const twice = run([
    ['failed', 0],
    ['failed', 1],
    ['answered', 2],
    ['failed', 3],
    ['failed', 4],
  ]);
  expect(circuitState(twice, 5)).toBe('up');
  const third = circuitAfter(twice, 'failed', rule, 10);
  expect(circuitState(third, 109)).toBe('resting');
  expect(circuitAdmits(third, rule, 109)).toBe(false);
  expect(circuitState(third, 110)).toBe('probing');
});

it('makes one trial, whose end decides', () => {
  const tripped = run([
    ['failed', 0],
    ['failed', 0],
    ['failed', 0],
  ]);
  expect(circuitAdmits(tripped, rule, 100)).toBe(true);
  const trial = circuitAfter(tripped, 'asked', rule, 100);
  expect(circuitAdmits(trial, rule, 101)).toBe(false);
  expect(circuitAfter(trial, 'answered', rule, 120)).toEqual(CLOSED);
  expect(circuitState(circuitAfter(trial, 'failed', rule, 120), 219)).toBe('resting');
  expect(circuitAdmits(circuitAfter(trial, 'left', rule, 120), rule, 121)).toBe(true);
  // Nobody ever said how it ended.
  expect(circuitAdmits(trial, rule, 200)).toBe(true);
});

it('never keeps anybody out for good', () => {
  const event = fc.constantFrom<CircuitEvent>('asked', 'answered', 'failed', 'left');
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat(300))), (steps) => {
      let now = 0;
      let circuit = CLOSED;
      for (const [what, later] of steps) {
        now += later;
        circuit = circuitAfter(circuit, what, rule, now);
      }
      expect(circuitAdmits(circuit, rule, now + 2 * rule.restMs)).toBe(true);
    }),
  );
});
