import { expect, it } from 'vitest';
import { flatMetrics, type GateView, type MetricsView } from '../../src/client/index.ts';
import { gate } from './control-server.ts';

const figure = (value: number | null, low: number | null = null, high: number | null = null) => ({
  value,
  low,
  high,
  n: 1,
  method: 'point',
});
const none = figure(null);
const report = {
  scd: { pooled: none, within: none, pooled2: figure(0.5, 0.4, 0.6) },
  bdi: { headline: none, realism: none },
  psod: { ...none, rise: figure(-0.1) },
  health: { zeroVariance: { share: figure(0.5) } },
  epsilon: { member: figure(Number.NaN), population: none },
};
const training = {
  scd2: figure(0.25, 0.2, 0.3),
  scd: none,
  mci: { simulator: 'one', figure: figure(0.75) },
  leftOut: [],
  n: 2,
};
const view = (more: object) =>
  ({
    report: null,
    reason: 'too few',
    training: null,
    window: { epochs: [], sessions: 3 },
    varianceSplit: { simulator: none, agent: none },
    ...more,
  }) as unknown as MetricsView;
const told = (level: string) => gate(level, 1) as unknown as GateView;

it('holds numbers alone: what is missing is left out, and said', () => {
  const flat = flatMetrics(view({ report, training }), told('yellow'), { stood_in: 2 });
  for (const value of Object.values(flat)) expect(Number.isFinite(value)).toBe(true);
  expect(flat).toMatchObject({
    'collapse_aware/up': 1,
    'collapse_aware/level': 1,
    'collapse_aware/hold': 0,
    'collapse_aware/epoch': 4,
    'collapse_aware/psod_due': 1,
    'collapse_aware/window_sessions': 3,
    'collapse_aware/scd2': 0.25,
    'collapse_aware/scd2_low': 0.2,
    'collapse_aware/scd2_high': 0.3,
    'collapse_aware/mci': 0.75,
    'collapse_aware/scd2_all': 0.5,
    'collapse_aware/psod_missing': 1,
    'collapse_aware/psod_rise': -0.1,
    'collapse_aware/epsilon_member_missing': 1,
    'collapse_aware/stood_in': 2,
  });
  expect(flat).not.toHaveProperty(['collapse_aware/psod_rise_low']);
  expect(flat).not.toHaveProperty(['collapse_aware/scd2_missing']);
});

it('has strategy collapse of the training members, and none of held-out ones before looks can be made', () => {
  const flat = flatMetrics(view({ report }), told('green'), {});
  expect(flat).toMatchObject({ 'collapse_aware/scd2_missing': 1, 'collapse_aware/scd2_all': 0.5 });
  expect(flat).not.toHaveProperty(['collapse_aware/scd2']);
});

it('before there is a report every figure is missing and none is 0', () => {
  const flat = flatMetrics(view({}), told('half-open'), {});
  expect(flat).toMatchObject({
    'collapse_aware/up': 1,
    'collapse_aware/level': 2,
    'collapse_aware/hold': 1,
    'collapse_aware/scd2_missing': 1,
  });
  expect(flat).not.toHaveProperty(['collapse_aware/scd2']);
});

it('of a service that is down says so, and nothing of a level', () => {
  expect(flatMetrics(null, null, { stood_in: 1 })).toEqual({
    'collapse_aware/up': 0,
    'collapse_aware/stood_in': 1,
  });
});
