import { describe, expect, it } from 'vitest';
import { planRules, type Rules } from '../../../src/lab/check/breaker-rules.ts';
import { detections, falseAlarms } from '../../../src/lab/check/detector-power.ts';
import { alarmOf, collapseFigures } from '../../../src/lab/check/simulated-run.ts';
import { seeded } from '../../../src/math/index.ts';

const options = { runs: 40, seed: 'test', random: seeded('detector') };

describe('false alarms of the breaker', () => {
  it('are no more than stated', () => {
    expect(falseAlarms(options).map(({ verdict }) => verdict)).toEqual([
      'inside',
      'inside',
      'inside',
      'inside',
    ]);
  });

  it('are outside where the breaker alarms more readily than stated', () => {
    const rules = planRules(['scd'], 'test');
    const eager: Rules = {
      whole: rules.whole,
      level: { ...rules.level, alpha: 0.9, looks: 2 },
      change: { ...rules.change, change: { ...rules.change.change!, h: 1 } },
    };
    const found = new Map(falseAlarms({ ...options, rules: eager }).map(({ id, verdict }) => [id, verdict]));
    expect(found.get('breaker.false-alarm.at-bar.level')).toBe('outside');
    expect(found.get('breaker.false-alarm.usual.change')).toBe('outside');
  });
});

describe('detections of the breaker', () => {
  it('are the more, the larger the collapse, and claim nothing but the start', () => {
    const found = detections(options);
    const rises = found.filter(({ id }) => id.includes('.rise-'));
    expect(rises.every(({ verdict }) => verdict === 'reported')).toBe(true);
    const rates = rises.map(({ estimate }) => estimate.value!);
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
    expect(found.at(-1)).toMatchObject({
      id: 'breaker.detection.starts-at-0.99',
      claim: 'at least',
      verdict: 'inside',
    });
  });
});

describe('a simulated run', () => {
  it('is red at its first epoch where it starts collapsed, and stays green where nothing is wrong', () => {
    const { whole } = planRules(['scd'], 'test');
    expect(alarmOf(whole, { scd: collapseFigures([0.99], seeded(3)) })).toEqual({ any: 1, red: 1 });
    expect(alarmOf(whole, { scd: collapseFigures([0.2, 0.2], seeded(3)) })).toEqual({ any: null, red: null });
  });
});
