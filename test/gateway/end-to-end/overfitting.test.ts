import { afterEach, expect, it } from 'vitest';
import type { LiveMetrics, Look } from '../../../src/gateway/live/live.ts';
import { seeded } from '../../../src/math/random.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { stand, until } from './stand.ts';
import { playStyled, type StyledSession, styledMember, styledUpstream } from './styles.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const [TASKS, TRIALS, EPOCHS] = [24, 4, 3];
const SEEN = ['terse', 'long', 'asking'] as const;
const SELECTION = ['polite', 'numbers'] as const;

it('tells PSOD and its rise with one member to a group, and trips where the policy overfits', async () => {
  const upstream = await fakeUpstream(styledUpstream);
  open.push(upstream);
  const gateway = await stand({
    settings: {
      seed: 'overfitting',
      upstreams: { fake: { baseUrl: upstream.url, concurrency: 64 } },
      population: {
        members: [...SEEN, ...SELECTION].map((style) => styledMember(style)),
        seen: [...SEEN],
        selection: [...SELECTION],
      },
      live: {
        window: EPOCHS,
        warmUp: TASKS * TRIALS,
        epochs: { by: 'sessions', every: TASKS * TRIALS },
        rewardRange: [0, 1],
      },
      breaker: { bars: { yellow: 0.98, red: 0.99 }, plannedEpochs: EPOCHS, psodEvery: 1 },
    },
  });
  open.push(gateway);
  // Tasks are hard or easy for everybody, and training lifts the reward with those trained against alone.
  const random = seeded('r2');
  const ease = Array.from({ length: TASKS }, () => 0.2 * random.next());
  const reward =
    (rise: number) =>
    ({ task, model }: StyledSession) =>
      0.3 + ease[task]! + (model === undefined ? rise : -rise / 4) + 0.1 * random.next();
  const session = (name: string, task: number, model?: string): StyledSession => ({
    id: `${name}-${task}`,
    task,
    label: `task-${task}`,
    ...(model === undefined ? {} : { model }),
  });
  const looks = async () =>
    ((await gateway.api('GET', '/api/looks')).body as { looks: readonly Look[] }).looks;

  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rewardOf = reward(0.16 * epoch);
    const train = (tasks: readonly number[], trial: number) =>
      playStyled(
        gateway,
        tasks.map((task) => session(`e${epoch}-${trial}`, task)),
        rewardOf,
      );
    const all = Array.from({ length: TASKS }, (_, task) => task);
    for (let trial = 0; trial < TRIALS - 1; trial++) await train(all, trial);
    // The gate says that the panel is due, and what training sessions of this epoch played.
    const { psod } = await until(async () => {
      const gate = await gateway.gate();
      return gate.psod.contexts.length === TASKS && gate.psod.contextsEpoch === epoch ? gate : null;
    }, 'the contexts');
    expect(psod.due).toBe(true);
    const tasks = psod.contexts.map((label) => Number(/^task-(\d+)$/.exec(label)![1]));
    expect([...tasks].sort((a, b) => a - b)).toEqual(all);
    await playStyled(
      gateway,
      tasks.map((task) => session(`panel-${epoch}`, task, 'panel/selection')),
      rewardOf,
    );
    await until(async () => !(await gateway.gate()).psod.due, 'the panel');
    await train(all, TRIALS - 1);
    await until(async () => (await looks()).length > epoch, 'the look');
  }

  const [base, , last] = (await looks()) as [Look, Look, Look];
  for (const { psod } of await looks()) {
    expect(psod.method).toBe(`paired-t-context(G=${TASKS}, drawn members)`);
    expect(psod.low).not.toBeNull();
    expect(psod.reason).toMatch(
      /^of members as they were drawn; .* no context was played by every simulator/,
    );
  }
  expect(base.psodRise.reason).toContain('measured from');
  expect(Math.abs(base.psod.value!)).toBeLessThan(0.05);
  // .32 for those trained against, -.08 for the others.
  expect(last.psodRise.method).toBe(`paired-t-context(G=${TASKS}, drawn members)`);
  expect(last.psodRise.low!).toBeLessThan(0.4);
  expect(last.psodRise.high!).toBeGreaterThan(0.4);
  expect((await looks()).map(({ level }) => level)).toEqual(['green', 'yellow', 'red']);
  const gate = await gateway.gate();
  expect(gate.training).toBe('hold');
  expect(gate.reasons.join()).toContain('PSOD');

  const { report } = (await gateway.api('GET', '/api/metrics')).body as LiveMetrics;
  expect(report!.psod.rise.value).toBeCloseTo(last.psodRise.value!, 10);
  const verdict = report!.diagnosis.find(({ mode }) => mode === 'co-adaptation')!;
  expect(verdict.level).toBe('present');
  expect(verdict.evidence.join(' ')).toContain('as they were drawn');

  const { contexts } = gate.psod;
  await gateway.restart();
  expect((await gateway.gate()).psod).toEqual(gate.psod);
  expect(contexts).toHaveLength(TASKS);
});
