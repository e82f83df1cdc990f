import { describe, expect, it } from 'vitest';
import { type BreakerLevel, planBreaker } from '../../../src/diagnosis/index.ts';
import { newEpochs } from '../../../src/gateway/live/epoch-clock.ts';
import {
  type GateChange,
  GateKeeper,
  type GateKeeperOptions,
} from '../../../src/gateway/live/gate-keeper.ts';
import type { Looked, MonitorLight } from '../../../src/gateway/live/live-core.ts';
import { readMonitorRecord } from '../../../src/gateway/live/monitor-record.ts';
import type { BreakerGatewaySettings } from '../../../src/gateway/settings/settings.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import { seeded } from '../../../src/math/index.ts';
import { missing } from '../../../src/metrics/index.ts';

const SETTINGS: BreakerGatewaySettings = {
  enabled: true,
  bars: 'proposed',
  plannedEpochs: 50,
  baseline: 20,
  timeLimit: 100,
  holdSeconds: 0.05,
  psodEvery: 10,
};

const NOTHING = { contexts: [], contextsEpoch: null };

function keeperOf(options: Partial<GateKeeperOptions> = {}, settings: Partial<BreakerGatewaySettings> = {}) {
  const changes: GateChange[] = [];
  const keeper = new GateKeeper({
    settings: { ...SETTINGS, ...settings },
    now: 0,
    restored: null,
    epochs: newEpochs(),
    hasPanel: () => false,
    checkpointsDue: () => [],
    toPlay: () => NOTHING,
    onChange: (change) => changes.push(change),
    ...options,
  });
  return { keeper, changes };
}

const NONE = missing('not measured');

/** What a core would answer at a level. */
function lookedAt(level: BreakerLevel, from: MonitorLight, at: number, epoch = 1): Looked {
  const notes = from.breaker.level === level ? [] : [`${from.breaker.level} -> ${level}: as told`];
  return {
    look: {
      epoch,
      at,
      n: 10,
      scd2: NONE,
      scd: NONE,
      bdi: NONE,
      psod: NONE,
      psodRise: NONE,
      zeroVariance: NONE,
      epsilonMember: NONE,
      level,
      notes,
    },
    monitor: { ...from, last: epoch, breaker: { ...from.breaker, level, since: at } },
  };
}

function set(keeper: GateKeeper, level: BreakerLevel, at: number): void {
  keeper.endLook(lookedAt(level, keeper.beginLook(at), at), at);
}

describe('the gate', () => {
  it('lets training run at green and yellow, and panels, probes and nested sessions at every level', () => {
    const { keeper } = keeperOf();
    const who = () => (['training', 'panel', 'probe', 'nested'] as const).map((one) => keeper.admits(one));
    for (const [level, training] of [
      ['green', true],
      ['yellow', true],
      ['red', false],
      ['half-open', false],
    ] as const) {
      set(keeper, level, 1);
      expect(who()).toEqual([training, true, true, true]);
      expect(keeper.gate(1)).toMatchObject({ level, training: training ? 'go' : 'hold' });
    }
    expect(keeper.gate(1).reasons.join()).toContain('probe/population');
  });

  it('grows its revision with every change and answers whoever waits for one', async () => {
    const { keeper } = keeperOf();
    const first = keeper.gate(0);
    const waiting = keeper.wait(first.revision, 60_000, undefined, () => 5);
    set(keeper, 'yellow', 5);
    const second = await waiting;
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(second.level).toBe('yellow');
    // Of an earlier life, or none: at once.
    expect((await keeper.wait(second.revision + 40, 60_000, undefined, () => 5)).revision).toBe(
      second.revision,
    );
    expect((await keeper.wait(null, 60_000, undefined, () => 5)).revision).toBe(second.revision);
    expect((await keeper.wait(second.revision, 5, undefined, () => 6)).revision).toBe(second.revision);
    const gone = new AbortController();
    const left = keeper.wait(second.revision, 60_000, gone.signal, () => 6);
    gone.abort();
    expect((await left).revision).toBe(second.revision);
  });

  it('says when panel sessions are due, and on which contexts', () => {
    const contexts = ['a', 'b'];
    const { keeper } = keeperOf({ hasPanel: () => true, toPlay: () => ({ contexts, contextsEpoch: 0 }) });
    expect(keeper.gate(0).psod).toEqual({
      due: true,
      lastEpoch: null,
      every: 10,
      contexts,
      contextsEpoch: 0,
    });
    const before = keeper.gate(0).revision;
    keeper.setEpochs({ ...newEpochs(), epoch: 3, panels: { first: 2, last: 2 } });
    expect(keeper.gate(0)).toMatchObject({ epoch: 3, psod: { due: false, lastEpoch: 2 } });
    expect(keeper.gate(0).revision).toBe(before + 1);
    keeper.setEpochs({ ...newEpochs(), epoch: 3, counts: { 3: 1 }, panels: { first: 2, last: 2 } });
    expect(keeper.gate(0).revision).toBe(before + 1);
  });

  it('says when checkpoints are due, and is another revision when other ones are', () => {
    const due = { pool: 'a', every: 2, lastEpoch: 0, newest: 'x' };
    let pushed = false;
    let hasPanel = false;
    const { keeper } = keeperOf({
      hasPanel: () => hasPanel,
      checkpointsDue: (epoch) => (pushed || epoch < 2 ? [] : [due]),
    });
    expect(keeper.gate(0).checkpointsDue).toEqual([]);
    keeper.setEpochs({ ...newEpochs(), epoch: 2 });
    const { checkpointsDue, revision } = keeper.gate(0);
    expect(checkpointsDue).toEqual([due]);
    keeper.populationChanged();
    expect(keeper.gate(0).revision).toBe(revision);
    pushed = true;
    keeper.populationChanged();
    expect(keeper.gate(0)).toMatchObject({ checkpointsDue: [], revision: revision + 1 });
    hasPanel = true;
    keeper.populationChanged();
    expect(keeper.gate(0)).toMatchObject({ psod: { due: true }, revision: revision + 2 });
  });

  it('holds nothing where the breaker is off, but still shows the rules and takes an override', () => {
    const { keeper } = keeperOf({}, { enabled: false });
    set(keeper, 'red', 1);
    expect(keeper.gate(1)).toMatchObject({ training: 'go', level: 'green', rules: 'red' });
    expect(keeper.gate(1).reasons[0]).toContain('off');
    keeper.override({ level: 'red', by: 'anna', reason: 'stop' }, 2);
    expect(keeper.gate(2).training).toBe('hold');
  });
});

describe('at red', () => {
  it('new training sessions wait, and are all let go when the level falls', async () => {
    const { keeper } = keeperOf({}, { holdSeconds: 600 });
    set(keeper, 'red', 1);
    const waiting = Promise.all([keeper.hold(), keeper.hold(), keeper.hold()]);
    expect(keeper.held).toBe(3);
    set(keeper, 'half-open', 2);
    expect(keeper.held).toBe(3);
    set(keeper, 'green', 3);
    expect(await waiting).toEqual(['admitted', 'admitted', 'admitted']);
    expect(await keeper.hold()).toBe('admitted');
  });

  it('are refused when they waited in vain, when the client is gone, and when the gateway closes', async () => {
    const { keeper } = keeperOf();
    set(keeper, 'red', 1);
    expect(await keeper.hold()).toBe('refused');
    expect(keeper.retryAfter).toBe(1);
    const long = keeperOf({}, { holdSeconds: 600 }).keeper;
    set(long, 'red', 1);
    const gone = new AbortController();
    const left = long.hold(gone.signal);
    const closed = long.hold();
    gone.abort();
    expect(await left).toBe('refused');
    expect(long.held).toBe(1);
    long.close();
    expect(await closed).toBe('refused');
    expect(await long.hold()).toBe('refused');
  });

  it('asks for a probe when the time limit is reached, and falls back when nothing settles it', () => {
    const { keeper, changes } = keeperOf();
    set(keeper, 'red', 0);
    expect(keeper.gate(99_999).level).toBe('red');
    expect(keeper.gate(100_000)).toMatchObject({ level: 'half-open', actions: { probe: true } });
    keeper.tick(200_000);
    expect(changes.map(({ level }) => level)).toEqual(['red', 'half-open', 'red']);
  });
});

describe('an override', () => {
  it('stands until it lapses, with the rules beneath', () => {
    const { keeper, changes } = keeperOf();
    set(keeper, 'red', 0);
    keeper.override({ level: 'green', by: ' anna ', reason: 'new personas', seconds: 10 }, 1000);
    expect(keeper.gate(1000)).toMatchObject({
      level: 'green',
      rules: 'red',
      training: 'go',
      override: { by: 'anna', until: '1970-01-01T00:00:11.000Z' },
    });
    expect(changes.at(-1)).toMatchObject({ before: 'red', level: 'green', rules: 'red' });
    expect(changes.at(-1)!.notes).toEqual(['anna set green until 1970-01-01T00:00:11.000Z: new personas']);
    expect(keeper.gate(11_000)).toMatchObject({ level: 'red', override: null });
    expect(changes.at(-1)!.notes).toEqual(['the override by anna has lapsed']);
  });

  it('says who holds training, else that the simulators have collapsed', () => {
    const { keeper } = keeperOf();
    keeper.override({ level: 'red', by: 'anna', reason: 'new personas' }, 1);
    expect(keeper.heldBy).toBe('anna set red (new personas)');
    keeper.release('anna', 2);
    expect(keeper.heldBy).toBe('the simulators have collapsed');
  });

  it('can be released, and one that does not stand changes nothing', () => {
    const { keeper, changes } = keeperOf();
    keeper.override({ level: 'red', by: 'anna', reason: '' }, 1);
    keeper.release('ben', 2);
    expect(keeper.level).toBe('green');
    expect(changes).toHaveLength(2);
    keeper.release('ben', 3);
    expect(changes).toHaveLength(2);
  });

  it('is refused where it cannot be understood', () => {
    const { keeper, changes } = keeperOf();
    const bad = (entry: object) => () =>
      keeper.override({ level: 'red', by: 'a', reason: '', ...entry } as never, 1);
    for (const entry of [
      { level: 'blue' },
      { by: '  ' },
      { by: 7 },
      { seconds: 0 },
      { seconds: Number.NaN },
      { reason: 'x'.repeat(2000) },
    ])
      expect(bad(entry)).toThrow(ApiError);
    expect(changes).toEqual([]);
  });

  it('that comes while a look is being made is not lost with the state that the look brings', () => {
    const { keeper, changes } = keeperOf();
    const state = keeper.beginLook(1);
    keeper.override({ level: 'green', by: 'anna', reason: 'wait', seconds: 60 }, 2);
    keeper.endLook(lookedAt('red', state, 1), 3);
    expect(keeper.gate(4)).toMatchObject({ level: 'green', rules: 'red', step: 1 });
    expect(changes.at(-1)!.monitor.look!.level).toBe('green');
  });
});

it('goes on from what it put on record', () => {
  const { keeper, changes } = keeperOf();
  keeper.setPlan({ breaker: planBreaker({ measures: ['scd'] }, seeded('x')) });
  expect(keeper.bars).toEqual({ yellow: 0.7, red: 0.85 });
  set(keeper, 'red', 1000);
  keeper.override({ level: 'yellow', by: 'anna', reason: 'careful' }, 2000);
  const found = readMonitorRecord(JSON.parse(JSON.stringify(changes.at(-1)!.monitor)))!;
  const again = keeperOf({ now: 3000, restored: { monitor: found.state, revision: found.revision } }).keeper;
  const { revision, ...gate } = again.gate(3000);
  const { revision: former, ...before } = keeper.gate(3000);
  expect(gate).toEqual(before);
  expect(revision).toBeGreaterThan(former);
});

it('reads no record of another kind', () => {
  for (const value of [
    null,
    4,
    {},
    { schema: 'collapse-aware/live-monitor@1' },
    { schema: 'x', revision: 1, state: {} },
  ])
    expect(readMonitorRecord(value)).toBeNull();
});
