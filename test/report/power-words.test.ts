import { describe, expect, it } from 'vitest';
import type { AcceptancePower, PowerFigures } from '../../src/loop/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';
import { powerWords } from '../../src/report/index.ts';

const share = (value: number): Figure => ({
  value,
  low: value - 0.05,
  high: value + 0.05,
  n: 40,
  method: 'trial',
});
const both = (value: number): PowerFigures => ({ bounds: share(value), accepted: share(value) });
const power = (shared: number, own: number): AcceptancePower => ({
  rule: { delta: 0.05, level: 0.01 },
  contexts: 100,
  rollouts: 4,
  gain: 0.05,
  equal: { shared: both(shared), own: both(own) },
  better: { shared: both(0.9), own: both(0.6) },
});

describe('what the acceptance rule can tell, in words', () => {
  it('has every share with its interval, the size of the probe set and the number of trials', () => {
    const text = powerWords(power(0.95, 0.85)).join(' ');
    expect(text).toContain('100 contexts and 4 rollouts of each (40 simulated trials a figure)');
    expect(text).toContain('in 95 % [90, 100] where it has the same luck');
    expect(text).toContain('in 85 % [80, 90] with luck of its own');
    expect(text).toContain('accepted in 90 % [85, 95] and 60 % [55, 65]');
    expect(text).not.toContain('less than 80 %');
  });

  it('says where a probe set is too small for 80 %, and for whom', () => {
    expect(powerWords(power(0.95, 0.1)).at(-1)).toMatch(/^With luck of its own that is less than 80 %/);
    expect(powerWords(power(0.5, 0.1)).at(-1)).toMatch(/^With shared luck and with luck of its own/);
  });

  it('says why nobody can be better where nobody can', () => {
    const none = { bounds: missing('it is level already'), accepted: missing('it is level already') };
    const text = powerWords({ ...power(1, 1), better: { shared: none, own: none } }).join(' ');
    expect(text).toContain('None can be better by 0.05 in SCD2: it is level already.');
  });
});
