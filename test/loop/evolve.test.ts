import { describe, expect, it } from 'vitest';
import {
  collapsing,
  type LoopAnswer,
  type LoopRequest,
  type Performer,
  type RunSummary,
} from '../../src/loop/index.ts';
import { fakePerformer, fakeSettings, finish, WORLD } from './fake-world.ts';

const bytes = (summary: RunSummary) => JSON.stringify(summary);

/** Decisions and figures of a run, without the names of its members. */
const decisions = ({ rounds }: RunSummary) =>
  rounds.map(({ look, breaker, acceptance, population, training }) => ({
    look,
    breaker,
    accepted: acceptance?.accepted ?? null,
    reason: acceptance?.reason ?? null,
    shares: population.map(({ share }) => share),
    training,
  }));

/** Every figure in a value: whatever has a value, an interval and a method. */
function figuresIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = value as Record<string, unknown>;
  const inner = Object.values(own).flatMap(figuresIn);
  return 'value' in own && 'low' in own && 'high' in own ? [own, ...inner] : inner;
}

/** Changes answers to probes, part by part. */
const probesAs = (
  performer: Performer,
  change: (answer: LoopAnswer & { kind: 'probe' }) => LoopAnswer,
): Performer => ({
  ...performer,
  perform: async (request, context) => {
    const answer = await performer.perform(request, context);
    return answer.kind === 'probe' ? change(answer) : answer;
  },
});

describe('a run of the loop', () => {
  it('fills the gaps of people, and ends in a summary whose every figure has n and a method, or a reason', async () => {
    const { summary, requests } = await finish(fakeSettings(), fakePerformer());
    expect(summary.rounds).toHaveLength(2);
    const [first] = summary.rounds;
    expect(first!.acceptance!.accepted).toBe(true);
    expect(first!.acceptance!.scd2.difference.value).toBeLessThan(0);
    expect(
      first!.candidates.filter(({ kept, origin }) => kept && origin.kind === 'gap').length,
    ).toBeGreaterThan(3);
    const figures = figuresIn(summary);
    expect(figures.length).toBeGreaterThan(40);
    for (const { value, n, method, reason } of figures) {
      if (value === null) expect(reason).toMatch(/\S/);
      else {
        expect(Number.isFinite(value)).toBe(true);
        expect(n).toBeGreaterThan(0);
        expect(method).toMatch(/\S/);
      }
    }
    for (const { population } of summary.rounds) {
      expect(population.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(population.length).toBeLessThanOrEqual(24);
    }
    // The held-out panel is asked for at the very end alone.
    const panels = requests.flatMap((one) => (one.kind === 'exam' ? [one.panel] : []));
    expect(panels.indexOf('test')).toBeGreaterThan(panels.lastIndexOf('selection'));
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
  });

  it('is the same bytes again, and decides the same whatever rows and contexts are called and in whichever order they come', async () => {
    const { summary } = await finish(fakeSettings(), fakePerformer());
    expect(bytes((await finish(fakeSettings(), fakePerformer())).summary)).toBe(bytes(summary));
    // Names that keep their order: a unit's group follows from its content.
    const renamed = fakePerformer(WORLD, (name) => `other ${name}`);
    expect(decisions((await finish(fakeSettings(), renamed)).summary)).toEqual(decisions(summary));
    const reversed = probesAs(fakePerformer(), (answer) => ({ ...answer, rows: [...answer.rows].reverse() }));
    expect(decisions((await finish(fakeSettings(), reversed)).summary)).toEqual(decisions(summary));
  });

  it('goes without people, with one family, with one mode, without rounds and with every part left out', async () => {
    const none = Object.fromEntries(Object.keys(fakeSettings().parts).map((part) => [part, false]));
    const alone = { ...WORLD, families: { ash: [0, 1] } };
    const cases = [
      { world: { ...WORLD, people: false }, settings: {} },
      { world: alone, settings: {} },
      { world: { ...WORLD, k: 1, families: { ash: [0], birch: [0] } }, settings: {} },
      { world: WORLD, settings: { rounds: 0 } },
      { world: WORLD, settings: { parts: none as never } },
      { world: WORLD, settings: { bars: 'people' as const } },
    ];
    for (const { world, settings } of cases) {
      const { summary } = await finish(fakeSettings(settings, world), fakePerformer(world));
      expect(summary.rounds).toHaveLength(summary.settings.rounds);
      for (const { value, reason } of figuresIn(summary))
        expect(value === null ? typeof reason : Number.isFinite(value)).toBe(
          value === null ? 'string' : true,
        );
    }
  });

  it('makes no candidates where none are asked for', async () => {
    const synthesis = { ...fakeSettings().synthesis, gaps: 0, paths: 0, adversaries: 0 };
    const { summary } = await finish(fakeSettings({ synthesis }), fakePerformer());
    expect(summary.rounds.flatMap(({ candidates }) => candidates)).toEqual([]);
  });
});

describe('what a round looks at', () => {
  const settings = fakeSettings({
    rounds: 3,
    probe: { ...fakeSettings().probe, replies: 8 },
    acceptance: { delta: 0.05, alpha: 0.05, powerTrials: 10 },
  });

  it('has the per-turn error of the population, which a collapse brings to 0, and no round without replies has', async () => {
    const epsilons = ({ rounds }: RunSummary) => rounds.map(({ look }) => look.epsilon);
    const { summary } = await finish(settings, fakePerformer());
    for (const { value, low, high, n, method } of epsilons(summary)) {
      expect(value).toBeGreaterThan(0.1);
      expect(low).toBeLessThan(value!);
      expect(high).toBeGreaterThan(value!);
      expect(n).toBe(8 * settings.probe.contexts);
      expect(method).toMatch(/jackknife/);
    }
    const collapsed = await finish({ ...settings, rounds: 2 }, collapsing(fakePerformer(), 2));
    expect(epsilons(collapsed.summary)[1]!.value).toBe(0);
    const none = await finish(fakeSettings(), fakePerformer());
    expect(epsilons(none.summary)[0]).toMatchObject({ value: null, reason: 'replies were not drawn again' });
  });

  it('tells before the first proposal, and once, how often the rule lets a population pass', async () => {
    const { summary, events } = await finish(settings, fakePerformer());
    const at = events.findIndex(({ kind }) => kind === 'power');
    const proposal = events.findIndex((event) => event.kind === 'ask' && /accept/.test(event.request.id));
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(proposal);
    expect(events.filter(({ kind }) => kind === 'power')).toHaveLength(1);
    const [power, ...later] = summary.rounds.map((round) => round.power);
    expect(power!.equal.shared.bounds).toMatchObject({ n: 10, value: 1 });
    expect(power!.better.shared.accepted.method).toContain('simulated, seed=1');
    expect(later).toEqual([null, null]);
  });

  it('is no figure where replies or a figure of them are garbage', async () => {
    const broken = (change: object): Performer =>
      probesAs(fakePerformer(), (answer) => ({ ...answer, ...change }) as LoopAnswer);
    const garbage = [
      { replied: 'many' },
      {
        replied: [
          null,
          { context: 1, replies: [] },
          { context: 'a', replies: [{ simulator: 'x', kind: 0 }] },
        ],
      },
      { replied: [{ context: 'a', replies: [{ simulator: 'ash', kind: -1 }, null] }] },
      { replied: [], epsilon: { value: 7, low: 0, high: 1, n: 3, method: 'own' } },
    ];
    for (const change of garbage) {
      const { summary } = await finish({ ...settings, rounds: 1 }, broken(change));
      expect(summary.rounds[0]!.look.epsilon).toMatchObject({ value: null, reason: expect.any(String) });
    }
    const own = { value: 0.3, low: 0.2, high: 0.4, n: 30, method: 'own' };
    const { summary } = await finish({ ...settings, rounds: 1 }, broken({ replied: [], epsilon: own }));
    expect(summary.rounds[0]!.look.epsilon).toEqual(own);
  });
});

describe('a collapse', () => {
  it('is red in its round, pauses training until the population is varied anew, and is over by the end', async () => {
    const settings = fakeSettings({ rounds: 4 });
    const { summary, requests } = await finish(settings, collapsing(fakePerformer(), 2));
    const [, second] = summary.rounds;
    expect(second!.breaker.before).not.toBe('red');
    expect(second!.breaker.notes.join('\n')).toMatch(/-> red/);
    expect(second!.acceptance!.accepted).toBe(true);
    expect(summary.rounds.map(({ breaker }) => breaker.after)).toEqual([
      'green',
      'red',
      'half-open',
      'green',
    ]);
    for (const { round, breaker, training } of summary.rounds) {
      const stopped = breaker.after === 'red' || breaker.after === 'half-open';
      expect(breaker.training).toBe(stopped ? 'paused' : 'run');
      expect(training === null).toBe(stopped);
      expect(requests.some(({ id }) => id === `round-${round}/train`)).toBe(!stopped);
    }
    const gates = requests.flatMap((one) => (one.kind === 'gate' ? [`${one.level} ${one.training}`] : []));
    expect(gates[0]).toBe('red paused');
    expect(gates.at(-1)).toMatch(/ run$/);
  });

  it('is looked over where the breaker is left out', async () => {
    const parts = { ...fakeSettings().parts, breaker: false };
    const { summary } = await finish(fakeSettings({ rounds: 3, parts }), collapsing(fakePerformer(), 2));
    expect(summary.rounds.every(({ training }) => training !== null)).toBe(true);
  });
});

/** Changes rewards of exams, by the request that they answer. */
const examsAs = (
  performer: Performer,
  reward: (request: LoopRequest & { kind: 'exam' }, own: number) => number,
): Performer => ({
  ...performer,
  perform: async (request, context) => {
    const answer = await performer.perform(request, context);
    if (request.kind !== 'exam' || answer.kind !== 'exam') return answer;
    return {
      ...answer,
      rows: answer.rows.map((row) => ({ ...row, reward: reward(request, row.reward ?? 0) })),
    };
  },
});

describe('exams', () => {
  it('leave a policy that training made worse unselected', async () => {
    const worse = examsAs(fakePerformer(), ({ checkpoint }) => (checkpoint === 'step 0' ? 0.9 : 0.1));
    const { summary } = await finish(fakeSettings(), worse);
    expect(summary.selected).toEqual({ round: 0, checkpoint: 'step 0' });
    expect(summary.final.gain.value).toBe(0);
    const better = examsAs(fakePerformer(), ({ checkpoint }) => (checkpoint === 'step 0' ? 0.1 : 0.9));
    expect((await finish(fakeSettings(), better)).summary.selected.round).toBe(1);
  });

  it('are taken anew while training is paused: two clean looks never count one exam twice', async () => {
    // After its first training the policy overfits, until its third exam: only dialogues differ by then.
    const overfit = examsAs(fakePerformer(), ({ id, checkpoint, panel }, own) => {
      if (checkpoint === 'step 0') return own;
      const round = Number(/^round-(\d+)/.exec(id)![1]);
      return round >= 3 ? own : panel === 'population' ? 1 : 0;
    });
    const { summary, requests } = await finish(fakeSettings({ rounds: 6 }), overfit);
    const levels = summary.rounds.map(({ breaker }) => breaker.after);
    expect(levels.slice(0, 3)).toEqual(['green', 'red', 'red']);
    // The exam of round 3 is looked at in round 4, that of round 4 in round 5.
    expect(levels.slice(3, 5)).toEqual(['half-open', 'green']);
    const lucks = requests.flatMap((one) =>
      one.kind === 'exam' && one.panel === 'selection' && one.checkpoint !== 'step 0'
        ? [one.luck ?? 'the same']
        : [],
    );
    expect(lucks.slice(0, 4)).toEqual(['the same', 'round-2', 'round-3', 'round-4']);
  });
});

describe('members to be learned from', () => {
  it('are played with the policy as it is, beside their audition with the one before training', async () => {
    const { requests } = await finish(fakeSettings({ rounds: 3 }), fakePerformer());
    const probes = requests.flatMap((one) => (one.kind === 'probe' ? [one] : []));
    const checkpointOf = (id: string) => probes.find((one) => one.id === id)?.checkpoint;
    expect(checkpointOf('round-2/audition')).toBe('step 0');
    expect(checkpointOf('round-2/adversaries')).toBe('step 5');
    expect(checkpointOf('round-3/adversaries')).toBe('step 10');
    // Before any training the two policies are one.
    expect(checkpointOf('round-1/adversaries')).toBeUndefined();
    const asked = probes.find(({ id }) => id === 'round-2/adversaries')!;
    for (const { member } of asked.population) expect(member.id).toMatch(/^r2-.*adversary/);
  });
});

describe('members that nothing comes from', () => {
  const dead = (id: string, reason: string | null): Performer =>
    probesAs(fakePerformer(), (answer) => {
      const own = answer.rows.filter(({ simulator }) => simulator === id);
      return {
        ...answer,
        rows: answer.rows.filter(({ simulator }) => simulator !== id),
        lost: own.length === 0 || reason === null ? [] : [{ simulator: id, reason, count: own.length }],
      };
    });

  it('are dropped with a reason, and the run goes on', async () => {
    for (const reason of ['the endpoint is gone', null]) {
      const { summary } = await finish(fakeSettings(), dead('birch', reason));
      const record = summary.members.find(({ member }) => member.id === 'birch')!;
      expect(record.kept).toBe(false);
      expect(record.reason).toContain(reason ?? 'nothing came back');
      expect(summary.rounds.at(-1)!.population.map(({ member }) => member)).not.toContain('birch');
    }
  });

  it('may be all of them: then nothing is proposed, and every figure is null with a reason', async () => {
    const silent = probesAs(fakePerformer(), (answer) => ({ ...answer, rows: [] }));
    const { summary } = await finish(fakeSettings(), silent);
    expect(summary.rounds.map(({ acceptance }) => acceptance)).toEqual([null, null]);
    for (const { look } of summary.rounds) {
      expect(look.scd2.value).toBeNull();
      expect(look.realism.value).toBeNull();
    }
    for (const { kept } of summary.members) expect(kept).toBe(false);
  });

  it('are those whose rows are garbage, too', async () => {
    const broken = [
      { cell: 99 },
      { cell: 0.5 },
      { cell: -1 },
      { cell: null },
      { outside: 'yes' },
      { turns: null },
    ];
    const garbage = probesAs(fakePerformer(), (answer) => ({
      ...answer,
      rows: answer.rows.map((row, at) =>
        row.simulator === 'cedar' ? ({ ...row, ...broken[at % broken.length]! } as typeof row) : row,
      ),
    }));
    const { summary } = await finish(fakeSettings(), garbage);
    const record = summary.members.find(({ member }) => member.id === 'cedar')!;
    expect(record).toMatchObject({ kept: false });
    expect(record.reason).toContain('its mode is no whole number below 8');
  });

  it('are no zeros where rewards are out of range, and no members where nobody asked for them', async () => {
    const odd = probesAs(fakePerformer(), (answer) => ({
      ...answer,
      rows: answer.rows.flatMap((row, at) => [
        { ...row, reward: at % 3 === 0 ? 17 : row.reward },
        { ...row, simulator: 'stranger' },
      ]),
    }));
    const { summary } = await finish(fakeSettings(), odd);
    expect(summary.members.map(({ member }) => member.id)).not.toContain('stranger');
    const plain = await finish(fakeSettings(), fakePerformer());
    expect(summary.rounds[0]!.look.scd2).toEqual(plain.summary.rounds[0]!.look.scd2);
  });
});
