import { describe, expect, it } from 'vitest';
import {
  type BreakerEvent,
  type BreakerOptions,
  type BreakerState,
  type BreakerStep,
  barsOverPeople,
  breakerActions,
  describeBreaker,
  newBreaker,
  planBreaker,
  stepBreaker,
} from '../../src/diagnosis/index.ts';
import { seeded, studentTQuantile } from '../../src/math/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';

const T975 = studentTQuantile(0.975, 49);
const figure = (value: number, se = 0.02): Figure => ({
  value,
  low: value - T975 * se,
  high: value + T975 * se,
  n: 500,
  method: 'jackknife-context(G=50)',
});
const plan = (options: BreakerOptions = {}) => planBreaker({ looks: 50, ...options }, seeded('breaker'));
const lookAt = (epoch: number, scd: Figure, rest: Partial<Extract<BreakerEvent, { kind: 'look' }>> = {}) =>
  ({ kind: 'look', at: epoch, figures: { scd }, data: [`epoch ${epoch}`], ...rest }) as const;

/** Runs events through a fresh breaker, through JSON at every step: what is stored must be enough. */
function run(options: BreakerOptions, events: readonly BreakerEvent[]) {
  const settings = JSON.parse(JSON.stringify(plan(options)));
  let state: BreakerState = newBreaker(0);
  const steps: BreakerStep[] = [];
  for (const event of events) {
    const step = stepBreaker(settings, JSON.parse(JSON.stringify(state)), event);
    steps.push(step);
    state = step.state;
  }
  return { levels: steps.map((s) => s.shown), steps, notes: steps.flatMap((s) => s.notes) };
}

describe('the level rule', () => {
  it('is red at epoch 1 for a run that starts collapsed', () => {
    const { levels, notes } = run({}, [lookAt(1, figure(0.97))]);
    expect(levels).toEqual(['red']);
    expect(notes[0]).toContain('green -> red: SCD2 0.97');
  });
  it('is not lifted by a baseline learnt while collapsed', () => {
    const events = Array.from({ length: 40 }, (_, i) => lookAt(i + 1, figure(0.95)));
    expect(run({}, events).levels).toEqual(Array(40).fill('red'));
  });
  it('takes the lower bound at the spent level, not the value', () => {
    expect(run({}, [lookAt(1, figure(0.74))]).levels).toEqual(['green']);
    expect(run({}, [lookAt(1, figure(0.79))]).levels).toEqual(['yellow']);
  });
  it('spends alpha / (j (j + 1)) where the number of looks is unknown', () => {
    const events = [1, 2, 3, 4].map((j) => lookAt(j, figure(0.745)));
    // t(.975, 49) = 2.01 at look 1 (0.05 / 2), more at each later one.
    expect(run({ looks: null }, events.slice(0, 1)).levels).toEqual(['yellow']);
    const late = run({ looks: null }, [
      lookAt(1, figure(0.2)),
      lookAt(2, figure(0.2)),
      lookAt(3, figure(0.745)),
    ]);
    expect(late.levels.at(-1)).toBe('green');
  });
  it('says when the planned looks are used up', () => {
    const events = [1, 2, 3].map((j) => lookAt(j, figure(0.2)));
    expect(run({ looks: 2 }, events).notes.join()).toContain('used up');
  });
  it("can stand on people's own SCD2", () => {
    const { levels } = run({ bars: { scd: barsOverPeople(0.1) } }, [
      lookAt(1, figure(0.5)),
      lookAt(2, figure(0.6)),
    ]);
    expect(levels).toEqual(['yellow', 'red']);
  });
  it('watches overfitting beside collapse', () => {
    const options = { measures: ['scd', 'psod'] as const };
    const event = (psod: Figure) => ({ ...lookAt(1, figure(0.2)), figures: { scd: figure(0.2), psod } });
    expect(run(options, [event(figure(0.25))]).levels).toEqual(['yellow']);
    expect(run(options, [event(figure(0.4))]).levels).toEqual(['red']);
    expect(run({}, [event(figure(0.4))]).levels).toEqual(['green']);
  });
  it('does not take a missing figure for a 0', () => {
    const { levels, notes, steps } = run({}, [lookAt(1, figure(0.97)), lookAt(2, missing('no rollouts'))]);
    expect(levels).toEqual(['red', 'red']);
    expect(notes.at(-1)).toContain('no rollouts');
    expect(steps.at(-1)!.state.looks.scd).toBe(1);
  });
});

describe('false alarms, simulated', () => {
  const RUNS = 2000;
  const LOOKS = 50;
  /** Share of runs that ever leave green; each look an estimate with its own estimated standard error. */
  const share = (options: BreakerOptions, truth: number, se: number, interval = true) => {
    const settings = plan(options);
    const random = seeded('false alarms');
    let alarms = 0;
    for (let r = 0; r < RUNS; r++) {
      let state = newBreaker(0);
      for (let t = 1; t <= LOOKS; t++) {
        let squares = 0;
        for (let i = 0; i < 12; i++) squares += random.normal() ** 2;
        const half = studentTQuantile12 * se * Math.sqrt(squares / 12);
        const value = truth + se * random.normal();
        const scd: Figure = interval
          ? { value, low: value - half, high: value + half, n: 500, method: 'jackknife-context(G=13)' }
          : { value, low: null, high: null, n: 500, method: 'point' };
        state = stepBreaker(settings, state, lookAt(t, scd)).state;
        if (state.level !== 'green') {
          alarms++;
          break;
        }
      }
    }
    return alarms / RUNS;
  };
  const studentTQuantile12 = studentTQuantile(0.975, 12);
  // Two standard errors of a simulated 5 %.
  const LIMIT = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / RUNS);

  it('the level rule alarms in at most 5 % of runs that sit exactly on the bar, looks planned', () => {
    // The horizon equals the baseline, so the change rule is off.
    const rate = share({ looks: LOOKS, baseline: LOOKS }, 0.7, 0.02);
    expect(rate).toBeLessThan(LIMIT);
    expect(rate).toBeGreaterThan(0.02);
  });
  it('... and where the number of looks is unknown', () => {
    expect(share({ looks: null, horizon: 20 }, 0.7, 0.02)).toBeLessThan(LIMIT);
  });
  it('the change rule alarms in at most 5 % of runs that stay where they began', () => {
    const rate = share({ looks: LOOKS }, 0.3, 0.03, false);
    expect(rate).toBeLessThan(LIMIT);
    expect(rate).toBeGreaterThan(0.02);
  });
});

describe('the change rule', () => {
  const random = seeded('drift');
  const drifting = (step: number) =>
    Array.from({ length: 60 }, (_, i) =>
      lookAt(i + 1, figure(0.2 + (i > 25 ? step : 0) + 0.02 * random.normal())),
    );
  it('sets yellow on a shift of three deviations within a few epochs, and never red', () => {
    const { levels, notes } = run({ looks: 60 }, drifting(0.06));
    const first = levels.indexOf('yellow');
    expect(first).toBeGreaterThan(25);
    expect(first).toBeLessThan(36);
    expect(levels).not.toContain('red');
    expect(notes.find((n) => n.includes('CUSUM'))).toContain('h = ');
  });
  it('stays quiet where nothing changes', () => {
    expect(new Set(run({ looks: 60 }, drifting(0)).levels)).toEqual(new Set(['green']));
  });
  it('leaves probes out', () => {
    const events = drifting(0.06).map((e) => ({ ...e, probe: true }));
    expect(new Set(run({ looks: 60 }, events).levels)).toEqual(new Set(['green']));
  });
  it('prints its threshold, the baseline and the horizon', () => {
    const text = describeBreaker(plan({ looks: 60 })).join('\n');
    expect(text).toMatch(/h = \d+\.\d\d \(simulated for E = 20, T = 60/);
  });
  it('is off, and says so, where the run is no longer than its baseline', () => {
    expect(describeBreaker(plan({ looks: 20 })).at(-1)).toContain('off');
  });
  it('has the same threshold for the same seed', () => {
    expect(plan()).toEqual(plan());
  });
});

describe('the way back', () => {
  const red = lookAt(1, figure(0.97));
  it('leads from red over half-open to green, on two clean looks with disjoint data', () => {
    const { levels, steps } = run({}, [red, lookAt(2, figure(0.4)), lookAt(3, figure(0.4), { probe: true })]);
    expect(levels).toEqual(['red', 'half-open', 'green']);
    expect(steps[1]!.actions).toMatchObject({ training: 'paused', probe: true });
  });
  it('does not count a second look at the same data', () => {
    const again = lookAt(3, figure(0.4), { data: ['epoch 2', 'epoch 3'] });
    const { levels, notes } = run({}, [red, lookAt(2, figure(0.4)), again]);
    expect(levels).toEqual(['red', 'half-open', 'half-open']);
    expect(notes.at(-1)).toContain('not counted');
  });
  it('does not count a look that is below the bar by less than 0.05', () => {
    const near = figure(0.68, 0.005);
    expect(run({}, [red, lookAt(2, near), lookAt(3, near)]).levels).toEqual(['red', 'red', 'red']);
  });
  it('begins anew after a look that is not clean', () => {
    const middling = lookAt(3, figure(0.66));
    const events = [red, lookAt(2, figure(0.4)), middling, lookAt(4, figure(0.4)), lookAt(5, figure(0.4))];
    expect(run({}, events).levels).toEqual(['red', 'half-open', 'half-open', 'half-open', 'green']);
  });
  it('falls back to red where the probe finds collapse again', () => {
    const probe = lookAt(3, figure(0.8), { probe: true });
    expect(run({}, [red, lookAt(2, figure(0.4)), probe]).levels).toEqual(['red', 'half-open', 'red']);
  });
  it('leads from yellow straight to green', () => {
    const events = [lookAt(1, figure(0.8)), lookAt(2, figure(0.4)), lookAt(3, figure(0.4))];
    expect(run({}, events).levels).toEqual(['yellow', 'yellow', 'green']);
  });
  it('waits for the measure that tripped', () => {
    const both = (psod: Figure | null, epoch: number): BreakerEvent => ({
      ...lookAt(epoch, figure(0.2)),
      figures: { scd: figure(0.2), ...(psod === null ? {} : { psod }) },
    });
    const events = [
      both(figure(0.5), 1),
      both(null, 2),
      both(null, 3),
      both(figure(0.01), 4),
      both(figure(0.01), 5),
    ];
    expect(run({ measures: ['scd', 'psod'] }, events).levels).toEqual([
      'red',
      'red',
      'red',
      'half-open',
      'green',
    ]);
  });
  it('asks for a probe when the time limit is reached, and never goes green by waiting', () => {
    const ticks = [4, 5, 9, 10, 11, 100].map((at) => ({ kind: 'tick', at }) as const);
    const { levels } = run({ timeLimit: 5 }, [red, ...ticks]);
    expect(levels).toEqual(['red', 'red', 'red', 'half-open', 'half-open', 'half-open', 'red']);
  });
});

describe('an operator', () => {
  const set = (level: 'green' | 'yellow' | 'red', at: number, until: number | null): BreakerEvent => ({
    kind: 'override',
    at,
    level,
    by: 'ada',
    reason: 'known cause',
    until,
  });
  it('sets a level until it lapses; the rules go on beneath', () => {
    const events = [
      lookAt(1, figure(0.97)),
      set('green', 2, 4),
      lookAt(3, figure(0.97)),
      lookAt(4, figure(0.97)),
    ];
    const { levels, notes, steps } = run({}, events);
    expect(levels).toEqual(['red', 'green', 'green', 'red']);
    expect(steps[2]!.state.level).toBe('red');
    expect(notes).toContain('ada set green until 4: known cause');
    expect(notes).toContain('the override by ada has lapsed');
  });
  it('can release it', () => {
    const events = [
      set('red', 1, null),
      lookAt(2, figure(0.2)),
      { kind: 'release', at: 3, by: 'ada' } as const,
    ];
    expect(run({}, events).levels).toEqual(['red', 'red', 'green']);
  });
});

describe('what a level asks for', () => {
  it('pauses training on red, raises synthesis on yellow, lets panels and probes pass always', () => {
    expect(breakerActions('green')).toMatchObject({
      training: 'run',
      synthesis: 'usual',
      rediversify: false,
    });
    expect(breakerActions('yellow')).toMatchObject({
      training: 'run',
      synthesis: 'raised',
      rediversify: false,
    });
    expect(breakerActions('red')).toMatchObject({
      training: 'paused',
      synthesis: 'raised',
      rediversify: true,
    });
    for (const level of ['green', 'yellow', 'red', 'half-open'] as const)
      expect(breakerActions(level).panelAndProbesPass).toBe(true);
  });
});

it('refuses settings that would void the stated probability', () => {
  expect(() => plan({ baseline: 5 })).toThrow(RangeError);
  expect(() => plan({ alpha: 0 })).toThrow(RangeError);
  expect(() => plan({ looks: 0 })).toThrow(RangeError);
  expect(() => plan({ measures: [] })).toThrow(RangeError);
  expect(() => plan({ bars: { scd: { yellow: 0.9, red: 0.8 } } })).toThrow(RangeError);
});
