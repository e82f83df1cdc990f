import { describe, expect, it } from 'vitest';
import { evaluateFailOn, parseFailOn } from '../../src/cli/fail-on.ts';

const report = {
  scd: { pooled2: { value: 0.8, low: 0.72, high: 0.88 } },
  bdi: { headline: { value: null, low: null, high: null, reason: 'no human reference' } },
  simulators: [
    { id: 'gpt-4o', mci: { value: 0.2, low: 0.1, high: 0.3 } },
    { id: 'grok', mci: { value: 0.6, low: 0.5, high: 0.7 } },
  ],
};
const judge = (text: string) => evaluateFailOn(parseFailOn(text), report);

describe('--fail-on', () => {
  it('reads a path, a comparator and a number', () => {
    expect(judge('scd.pooled2.low>0.7')).toBe('met');
    expect(judge('scd.pooled2.low > 0.75')).toBe('not met');
    expect(judge('scd.pooled2.high<=0.88')).toBe('met');
  });

  it('takes the value where the path ends at a figure', () => {
    expect(judge('scd.pooled2>0.79')).toBe('met');
  });

  it('is met by any element under a star, and finds one by its id', () => {
    expect(judge('simulators.*.mci.low>0.4')).toBe('met');
    expect(judge('simulators.gpt-4o.mci.low>0.4')).toBe('not met');
    expect(judge('simulators.0.mci.low>0.05')).toBe('met');
  });

  it('says null where the figure was not measured', () => {
    expect(judge('bdi.headline.high<0.8')).toBe('null');
    expect(judge('bdi.headline<0.8')).toBe('null');
  });

  it('refuses a path the report does not have, and text that is no condition', () => {
    expect(() => judge('scd.pooled3>0.7')).toThrow(/no number at "scd.pooled3"/);
    expect(() => judge('simulators.nobody.mci>0')).toThrow(/no number/);
    expect(() => judge('simulators>0')).toThrow(/no number/);
    expect(() => parseFailOn('scd.pooled2')).toThrow(/PATH COMPARATOR NUMBER/);
  });
});
