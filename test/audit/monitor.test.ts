import { beforeAll, describe, expect, it } from 'vitest';
import {
  audit,
  fit as fitTo,
  gateOf,
  type MonitorOptions,
  type MonitorPlan,
  type MonitorRow,
  type MonitorState,
  newMonitor,
  observeStep,
  place,
  planMonitor,
  shownLevel,
  steerMonitor,
} from '../../src/audit/index.ts';
import type { Embedder } from '../../src/embedding/index.ts';
import {
  type BehaviourSpace,
  decodeProfile,
  encodeProfile,
  mergeProfiles,
  type Profile,
} from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { recordsOf } from '../data.ts';
import { peopleOfRun, stepOfRun, type TrainingRun } from './training-run.ts';

const SMALL = { seed: 3, prompts: 14, group: 4 } as const;
const OPTIONS: MonitorOptions = {
  seed: 0,
  window: 1,
  heldOut: [],
  rewardRange: null,
  bars: 'people',
  control: null,
  plannedSteps: 50,
  baseline: 20,
  timeLimit: null,
};

const stepsOf = (run: TrainingRun) => Array.from({ length: run.steps }, (_, i) => stepOfRun(run, i + 1));

interface Placed {
  readonly space: BehaviourSpace;
  readonly embedder: Embedder;
  readonly people: Profile | null;
}

async function spaceOf(rows: readonly Trajectory[], people: readonly Trajectory[]): Promise<Placed> {
  const { space, embedder } = await fitTo(rows, people, { seed: 0 });
  return { space, embedder, people: people.length === 0 ? null : await place(null, people, space, embedder) };
}

async function placeSteps(steps: readonly Trajectory[][], { space, embedder }: Placed): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const rows of steps) profiles.push(await place(recordsOf(rows), [], space, embedder));
  return profiles;
}

function planOf(
  first: readonly Profile[],
  placed: Placed,
  options: Partial<MonitorOptions> = {},
): MonitorPlan {
  const all = placed.people === null ? first : [...first, placed.people];
  return planMonitor(mergeProfiles(all), placed.space, { ...OPTIONS, ...options });
}

function observeAll(
  plan: MonitorPlan,
  space: BehaviourSpace,
  profiles: readonly Profile[],
  between: (state: MonitorState) => MonitorState = (state) => state,
): { state: MonitorState; rows: MonitorRow[] } {
  let state = newMonitor(0);
  const rows: MonitorRow[] = [];
  profiles.forEach((profile, i) => {
    const moved = observeStep(plan, space, between(state), { step: i + 1, profile, dropped: 0 }, i);
    state = moved.state;
    rows.push(moved.row);
  });
  return { state, rows };
}

describe('a monitor with people to compare with', () => {
  let fields: string[] = [];
  const run: TrainingRun = {
    ...SMALL,
    steps: 26,
    collapsed: (step) => Math.min(1, Math.max(0, (step - 4) / 14)),
  };
  const steps = stepsOf(run);
  let placed: Placed;
  let profiles: Profile[];
  let plan: MonitorPlan;
  beforeAll(async () => {
    placed = await spaceOf(steps[0]!, peopleOfRun(run.seed, 400));
    profiles = await placeSteps(steps, placed);
    plan = planOf(profiles.slice(0, 1), placed);
    fields = JSON.parse(encodeProfile(profiles[0]!).split('\n')[0]!).rowFields;
  });

  it('takes its bars from people and says how steps are compared', () => {
    const { yellow, red } = plan.breaker.bars.scd;
    expect(yellow).toBeCloseTo(plan.people!.value! + 0.2, 3);
    expect(red).toBeCloseTo(yellow + 0.15, 3);
    expect(plan).toMatchObject({ control: 'interaction', unit: 'context', space: placed.space.id });
  });

  it('goes from green over yellow to red as users collapse, and stays there', () => {
    const { rows, state } = observeAll(plan, placed.space, profiles);
    const levels = rows.map(({ level }) => level);
    expect(levels.slice(0, 4)).toEqual(['green', 'green', 'green', 'green']);
    expect([...new Set(levels)]).toEqual(['green', 'yellow', 'red']);
    expect(levels.at(-1)).toBe('red');
    expect(rows.filter(({ training }) => training === 'hold').map(({ level }) => level)).not.toContain(
      'yellow',
    );
    const since = rows.findIndex(({ level }) => level === 'red') + 1;
    const gate = gateOf(state, 1000);
    expect(gate).toMatchObject({
      schema: 'collapse-aware/gate@1',
      training: 'hold',
      level: 'red',
      step: 26,
      since: { step: since },
      override: null,
      actions: { training: 'paused', rediversify: true },
    });
    expect(gate.reasons[0]).toMatch(/-> red: SCD2 0\.\d\d \[.*above/);
    expect(gate.figures!.scd2.value).toBeGreaterThan(plan.breaker.bars.scd.red);
  });

  it('is red at step 1 where users are collapsed from the start', async () => {
    const rows = [stepOfRun({ ...run, collapsed: () => 1 }, 1)];
    const [first] = await placeSteps(rows, placed);
    const own = planOf([first!], placed, { plannedSteps: null });
    expect(observeAll(own, placed.space, [first!]).rows[0]!.level).toBe('red');
  });

  it('gives the figures of an audit by epoch', async () => {
    const { rows } = observeAll(plan, placed.space, profiles.slice(0, 3));
    const report = (
      await audit(
        { records: recordsOf(steps.slice(0, 3).flat()), space: placed.space, embedder: placed.embedder },
        { seed: 0 },
      )
    ).report;
    expect(report.space.control).toBe('interaction');
    for (const [i, epoch] of report.epochs.entries()) {
      expect(epoch.epoch).toBe(i + 1);
      for (const bound of ['value', 'low', 'high'] as const) {
        expect(rows[i]!.scd2[bound]).toBeCloseTo(epoch.scd2[bound]!, 10);
        expect(rows[i]!.scd[bound]).toBeCloseTo(epoch.scd[bound]!, 10);
      }
    }
  });

  it('leaves out of SCD2 who was seen in too few contexts, and says so', async () => {
    const rare = stepOfRun({ ...run, prompts: 2, simulators: ['rarely drawn'], group: 2 }, 1);
    const [mixed] = await placeSteps([[...steps[0]!, ...rare]], placed);
    const { rows } = observeAll(plan, placed.space, [mixed!]);
    const alone = observeAll(plan, placed.space, profiles.slice(0, 1)).rows[0]!;
    expect(rows[0]!.scd2).toEqual(alone.scd2);
    expect(rows[0]!.notes[0]).toBe('rarely drawn has rows of 2 contexts alone: left out of SCD2');
    expect(rows[0]!.simulators.map(({ id }) => id)).toEqual(['rarely drawn', 'user-model']);
    // Nobody else is there: the figure itself says what it lacks.
    const [few] = await placeSteps([rare], placed);
    const only = observeAll(plan, placed.space, [few!]).rows[0]!;
    expect(only.leftOut).toEqual([]);
    expect(only.scd2.low).toBeNull();
  });

  it('comes to the same rows when its state goes through JSON between any two steps', () => {
    const own = { ...plan, window: 3 };
    const whole = observeAll(own, placed.space, profiles);
    const through = observeAll(own, placed.space, profiles, (state) => {
      const text = (profile: Profile) => encodeProfile(profile);
      const kept = JSON.parse(
        JSON.stringify({
          ...state,
          recent: state.recent.map(({ step, profile }) => ({ step, profile: text(profile) })),
          base: null,
        }),
      );
      return {
        ...kept,
        recent: kept.recent.map((one: { step: number; profile: string }) => ({
          step: one.step,
          profile: decodeProfile(one.profile.split('\n')),
        })),
      };
    });
    expect(JSON.stringify(through.rows)).toBe(JSON.stringify(whole.rows));
  });

  it('puts the rows of the last steps into one figure with a window', () => {
    const own = { ...plan, window: 3 };
    const { rows, state } = observeAll(own, placed.space, profiles.slice(0, 5));
    expect(rows.map((row) => row.steps)).toEqual([[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]);
    expect(rows[4]!.scd2.n).toBe(3 * rows[4]!.n);
    expect(state.recent.map(({ step }) => step)).toEqual([4, 5]);
    const single = observeAll(plan, placed.space, profiles.slice(0, 5)).rows[4]!;
    const width = ({ scd2 }: MonitorRow) => scd2.high! - scd2.low!;
    expect(width(rows[4]!)).toBeLessThan(width(single));
  });

  it('refuses a step that is not after the last', () => {
    const { state } = observeAll(plan, placed.space, profiles.slice(0, 2));
    const again = { step: 2, profile: profiles[1]!, dropped: 0 };
    expect(() => observeStep(plan, placed.space, state, again, 9)).toThrow(RangeError);
  });

  it('keeps the level, with a reason, at a step without rows', () => {
    const { state } = observeAll(plan, placed.space, profiles);
    const empty = decodeProfile(
      encodeProfile(profiles[0]!)
        .split('\n')
        .slice(0, 1)
        .map((line) => JSON.stringify({ ...JSON.parse(line), rows: 0, reservoir: 0 })),
    );
    const { row } = observeStep(plan, placed.space, state, { step: 30, profile: empty, dropped: 4 }, 99);
    expect(row).toMatchObject({ n: 0, dropped: 4, level: 'red' });
    expect(row.scd2.value).toBeNull();
    expect(row.notes[0]).toContain('no look');
  });

  it('has no figure, and no look, where most rows are unlike anything the space knows', () => {
    const strange = decodeProfile(
      encodeProfile(profiles[0]!)
        .split('\n')
        .map((line, at) => {
          if (at === 0 || at > profiles[0]!.size) return line;
          const values = JSON.parse(line);
          values[fields.indexOf('interactionOutside')] = true;
          return JSON.stringify(values);
        }),
    );
    const { row, state } = observeStep(
      plan,
      placed.space,
      newMonitor(0),
      { step: 1, profile: strange, dropped: 0 },
      0,
    );
    expect(row.scd2).toMatchObject({ value: null, reason: expect.stringContaining('off support: 100 %') });
    expect(row.mci.figure).toMatchObject({ value: null, reason: 'off support' });
    expect(state.breaker.looks.scd).toBe(0);
    expect(gateOf(state, 0).reasons.join()).toContain('off support');
  });

  it('shows an override until it lapses, with the rules beneath', () => {
    const { state } = observeAll(plan, placed.space, profiles);
    const set = steerMonitor(plan, state, {
      kind: 'override',
      at: 100,
      level: 'green',
      by: 'anna',
      reason: 'new personas',
      until: 200,
    }).state;
    expect(gateOf(set, 150)).toMatchObject({
      training: 'go',
      level: 'green',
      rules: 'red',
      override: { by: 'anna', until: new Date(200).toISOString() },
    });
    const lapsed = steerMonitor(plan, set, { kind: 'tick', at: 200 });
    expect(shownLevel(lapsed.state)).toBe('red');
    expect(lapsed.notes).toEqual(['the override by anna has lapsed']);
    expect(gateOf(lapsed.state, 201).since.step).toBe(gateOf(state, 99).since.step);
  });

  it('asks for a probe when red has lasted for the time limit', () => {
    const limited = { ...plan, breaker: { ...plan.breaker, timeLimit: 1000 } };
    const { state } = observeAll(limited, placed.space, profiles);
    const { state: after } = steerMonitor(limited, state, { kind: 'tick', at: 5000 });
    const gate = gateOf(after, 5000);
    expect(gate).toMatchObject({ training: 'hold', level: 'half-open', actions: { probe: true } });
    expect(gate.reasons.join()).toContain('time limit');
  });

  it('has nothing to say before the first step, and lets training run', () => {
    expect(gateOf(newMonitor(0), 0)).toMatchObject({
      training: 'go',
      level: 'green',
      step: null,
      figures: null,
    });
  });
});

it('stays green over 50 steps of a healthy run that is its own yardstick', async () => {
  const steps = stepsOf({ ...SMALL, steps: 50, collapsed: () => 0 });
  const placed = await spaceOf(steps.slice(0, 5).flat(), []);
  const profiles = await placeSteps(steps, placed);
  const plan = planOf(profiles.slice(0, 5), placed);
  expect(plan.breaker.bars.scd).toEqual({ yellow: 0.7, red: 0.85 });
  const { rows } = observeAll(plan, placed.space, profiles);
  expect(new Set(rows.map(({ level }) => level))).toEqual(new Set(['green']));
});

describe('a monitor with a held-out panel', () => {
  const run: TrainingRun = {
    ...SMALL,
    steps: 12,
    collapsed: () => 0,
    simulators: ['one', 'two'],
    panelEvery: 3,
    pushiness: (step) => step / 12,
  };
  const steps = stepsOf(run);
  let placed: Placed;
  let profiles: Profile[];
  beforeAll(async () => {
    placed = await spaceOf(steps.slice(0, 3).flat(), []);
    profiles = await placeSteps(steps, placed);
  });

  it('measures PSOD where the panel played, its rise from the first of these steps, and SCD without it', () => {
    const plan = planOf(profiles.slice(0, 3), placed, { rewardRange: [0, 1] });
    expect(plan.breaker.measures).toEqual(['scd', 'psod']);
    const { rows, state } = observeAll(plan, placed.space, profiles);
    const played = rows.filter(({ psod }) => psod.value !== null).map(({ step }) => step);
    expect(played).toEqual([3, 6, 9, 12]);
    expect(state.base!.step).toBe(3);
    expect(rows[2]!.psodRise.reason).toContain('measured from');
    expect(rows[5]!.psodRise.value!).toBeCloseTo(rows[5]!.psod.value! - rows[2]!.psod.value!, 10);
    for (const row of rows) {
      expect(row.simulators.map(({ id }) => id)).toEqual(['one', 'two']);
      expect(row.scd2.n).toBe(2 * SMALL.prompts * SMALL.group);
    }
    expect(['one', 'two']).toContain(rows[0]!.mci.simulator);
  });

  it('takes members as they were drawn where none met every context, from the first base that has an interval', async () => {
    // One training simulator a prompt; in step 3 the panel is begun only.
    const drawn = steps.map((rows, i) =>
      rows.filter(({ simulator, contextLabel, split }) => {
        const prompt = [...new Set(rows.map((row) => row.contextLabel))].indexOf(contextLabel);
        if (split === 'selection') return i !== 2 || prompt < 3;
        return simulator.id === ['one', 'two'][(prompt + Math.floor(i / 3)) % 2];
      }),
    );
    const placedSteps = await placeSteps(drawn, placed);
    const plan = planOf(placedSteps.slice(0, 3), placed, { rewardRange: [0, 1] });
    const { rows, state } = observeAll(plan, placed.space, placedSteps);
    expect(rows[2]!.psod).toMatchObject({ low: null, method: 'paired-t-context(G=3, drawn members)' });
    expect(state.base!.step).toBe(6);
    expect(rows[5]!.psodRise.reason).toContain('measured from');
    for (const at of [8, 11]) {
      expect(rows[at]!.psodRise.method).toBe(`paired-t-context(G=${SMALL.prompts}, drawn members)`);
      expect(rows[at]!.psodRise.low).not.toBeNull();
      expect(rows[at]!.psodRise.value!).toBeCloseTo(rows[at]!.psod.value! - rows[5]!.psod.value!, 10);
    }
  });

  it('takes the panel from the command line, in steps that lack it too', () => {
    const plan = planOf(profiles.slice(0, 3), placed, {
      heldOut: ['panel', 'never-seen'],
      rewardRange: [0, 1],
    });
    const { rows } = observeAll(plan, placed.space, profiles.slice(0, 4));
    expect(rows.map(({ psod }) => psod.value !== null)).toEqual([false, false, true, false]);
    expect(rows[0]!.psod.reason).toBe('no held-out row in this step');
  });
});
