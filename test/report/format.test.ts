import { describe, expect, test } from 'vitest';
import { missing, point } from '../../src/metrics/figure.ts';
import { figureText, number, percent, pValue, timeText } from '../../web/src/format.ts';
import { measured } from './page-fixture.ts';

describe('numbers on the page', () => {
  test.each([
    [0, '0.00'],
    [0.4321, '0.43'],
    [0.0123, '0.012'],
    [0.0004, '0.0004'],
    [12.34, '12.3'],
    [123.4, '123'],
    [12345.6, '12,346'],
    [-0.5, '\u22120.50'],
    [-0.00001, '0.0000'],
  ])('%d reads %s', (value, text) => expect(number(value)).toBe(text));

  test('an interval has the decimals of its value, more where its ends would fall together', () => {
    expect(figureText(measured(0.43, 0.05, 10))).toBe('0.43 [0.38, 0.48]');
    expect(figureText(measured(0.034, 0.004, 10))).toBe('0.034 [0.030, 0.038]');
    expect(figureText(measured(12.25, 1, 10))).toBe('12.3 [11.3, 13.3]');
  });

  test('an end that would round to 0 tells its sign, and so does a value whose interval leaves 0 out', () => {
    const figure = (value: number, low: number, high: number) =>
      figureText({ ...measured(value, 0.05, 10), low, high });
    expect(figure(-0.04, -0.08, -0.0005)).toBe('\u22120.04 [\u22120.08, \u22120.0005]');
    expect(figure(0.02, 0.004, 0.04)).toBe('0.02 [0.004, 0.04]');
    expect(figure(-0.04, -0.08, 0)).toBe('\u22120.04 [\u22120.08, 0.00]');
    expect(figure(0.03, -2e-9, 0.08)).toBe('0.03 [\u22122e\u22129, 0.08]');
    expect(figure(0.001, 0.0004, 0.05)).toBe('0.001 [0.0004, 0.05]');
  });

  test('a missing figure reads as its reason', () => {
    expect(figureText(missing('no people'))).toBe('not measured: no people');
    expect(figureText(point(1, 3))).toBe('1.00');
  });

  test('a share above 0 never reads 0 %', () => {
    expect(percent(0.001)).toBe('<1 %');
    expect(percent(0)).toBe('0 %');
    expect(percent(0.126)).toBe('13 %');
  });

  test('a small p-value reads as a bound', () => {
    expect(pValue(0.0002)).toBe('<0.001');
    expect(pValue(0.0312)).toBe('0.031');
  });

  test('an ISO time reads to the minute, other text as it stands', () => {
    expect(timeText('2026-01-15T10:30:59.123Z')).toBe('2026-01-15 10:30 UTC');
    expect(timeText('yesterday')).toBe('yesterday');
  });
});
