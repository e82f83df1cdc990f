import { describe, expect, it } from 'vitest';
import { methodOf } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import { type RunPlan, TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import type { LoopAnswer } from '../../../src/loop/index.ts';

const STEPS = 60;
const EPISODES = 128;

const planOf = (method: string, steps = STEPS): RunPlan => ({
  world: worldOf('persuasion', 4),
  method: methodOf(method),
  seen: DEFAULT_FAMILIES.seen,
  selection: DEFAULT_FAMILIES.selection.slice(0, 2),
  seed: 1,
  settings: trainingSettings({
    ...{ steps, groups: 16, groupSize: 8, hidden: [4], trainingSettings: 8 },
    ...{ evaluateEvery: 30, selectionDialogues: 4, referencePeople: 60 },
  }),
});

interface Kept {
  readonly answers: readonly LoopAnswer[];
  readonly over: boolean;
}
const kept = (run: TrainingRun) => run.methodRun.save() as Kept;

/** What was played beside training, as the run says. */
const probedOf = (run: TrainingRun) => (JSON.parse(run.save()) as { probed?: number }).probed ?? 0;

describe.each(['collapse-aware', 'collapse-aware-no-people'])('a run of %s', (method) => {
  const plan = planOf(method);

  it('counts its probes among its episodes, asks for no test panel, and goes on with the same bits wherever it was saved', () => {
    const whole = new TrainingRun(plan);
    const texts = new Map<number, string>();
    while (!whole.done) {
      // Before the first round, within its training, where a training is answered, and after the last round.
      if ([0, 1, 14, 15, 16].includes(whole.step)) texts.set(whole.step, whole.save());
      whole.advance();
    }
    const end = whole.save();
    expect(whole.diverged).toBeNull();
    const { answers, over } = kept(whole);
    expect(over).toBe(true);
    const beside = answers.reduce((sum, answer) => {
      if (answer.kind === 'exam') return sum + answer.rows.length;
      if (answer.kind !== 'probe') return sum;
      return sum + answer.rows.length + answer.lost.reduce((lost, { count }) => lost + count, 0);
    }, 0);
    expect(beside).toBeGreaterThan(500);
    expect(probedOf(whole)).toBeGreaterThanOrEqual(beside);
    expect(whole.step).toBeLessThan(STEPS);
    expect(whole.step * EPISODES + probedOf(whole)).toBeLessThanOrEqual(STEPS * EPISODES);
    expect((whole.step + 1) * EPISODES + probedOf(whole)).toBeGreaterThan(STEPS * EPISODES);
    // Whoever was examined is of the selection panel, or a member.
    const test = new Set(DEFAULT_FAMILIES.test.map(({ id }) => id));
    for (const answer of answers)
      if (answer.kind === 'exam' || answer.kind === 'probe')
        for (const { simulator } of answer.rows) expect(test.has(simulator)).toBe(false);
    expect(texts.size).toBe(5);
    for (const text of texts.values()) {
      const again = new TrainingRun(plan);
      again.load(text);
      expect(again.save()).toBe(text);
      while (!again.done) again.advance();
      expect(again.save()).toBe(end);
    }
  });
});

describe('a run that has no episodes for a first round', () => {
  it('trains against those given, and plays nothing beside', () => {
    const run = new TrainingRun(planOf('collapse-aware', 4));
    while (!run.done) run.advance();
    expect(run.step).toBe(4);
    expect(kept(run)).toMatchObject({ answers: [], over: true });
    expect(probedOf(run)).toBe(0);
  });
});
