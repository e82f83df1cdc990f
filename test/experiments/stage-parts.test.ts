import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { EXPERIMENTS, script } from './stage.ts';

type Design = { level: number; power: number; contextShare: number; correlation: number };
interface SampleSize {
  twoProportions(p1: number, p2: number, design: Pick<Design, 'level' | 'power'>): number;
  differenceVariance(p1: number, p2: number, rewards: number, design: Design): number;
  detectable(variance: number, contexts: number, design: Design): number;
  contextsNeeded(p1: number, p2: number, rewards: number, design: Design): number | null;
  trialsNeeded(
    p1: number,
    p2: number,
    options: Design & { contexts: number; simulators: number },
  ): number | null;
}

const sizes = (await import(script('stage/sample-size.mjs'))) as SampleSize;
const { chosenCheckpoint } = (await import(script('stage/chosen-checkpoint.mjs'))) as {
  chosenCheckpoint(sessions: readonly Partial<Trajectory>[]): {
    checkpoint: string;
    scores: { name: string; mean: number; contexts: number }[];
  };
};

describe('sample sizes', () => {
  const design: Design = { level: 0.05, power: 0.8, contextShare: 0, correlation: 0 };

  it('of two proportions are those of the textbook formula', () => {
    // Fleiss, Levin & Paik: .5 against .6 at two-sided .05 and power .8 takes 388 a group.
    expect(sizes.twoProportions(0.5, 0.6, design)).toBe(388);
    expect(sizes.twoProportions(0.6, 0.5, design)).toBe(388);
  });

  it('of the paired design are those of two samples where contexts share nothing', () => {
    const paired = sizes.contextsNeeded(0.5, 0.6, 1, design)!;
    expect(Math.abs(paired - 388)).toBeLessThan(8);
  });

  it('need nothing but luck averaged out where contexts shift both arms alike', () => {
    const alike = { ...design, contextShare: 1, correlation: 1 };
    expect(sizes.differenceVariance(0.5, 0.5, 1, alike)).toBeCloseTo(0, 12);
    expect(sizes.trialsNeeded(0.5, 0.6, { ...alike, contexts: 8, simulators: 1 })).toBe(1);
  });

  it('end where contexts differ in what the arms gain: no number of trials is enough', () => {
    const apart = { ...design, contextShare: 0.5, correlation: 0 };
    expect(sizes.trialsNeeded(0.5, 0.55, { ...apart, contexts: 20, simulators: 6 })).toBeNull();
  });

  it('are the least that reach the effect', () => {
    const some = { level: 0.01, power: 0.8, contextShare: 0.3, correlation: 0.8 };
    const contexts = sizes.contextsNeeded(0.508, 0.558, 6, some)!;
    const reach = (count: number) =>
      sizes.detectable(sizes.differenceVariance(0.508, 0.558, 6, some), count, some);
    expect(reach(contexts)).toBeLessThanOrEqual(0.05);
    expect(reach(contexts - 1)).toBeGreaterThan(0.05);
  });
});

describe('the checkpoint that the selection panel chooses', () => {
  const session = (
    checkpoint: string,
    context: string,
    reward: number | null,
    split: Trajectory['split'] = 'selection',
  ) => ({
    policy: { id: 'policy', checkpoint },
    context,
    reward,
    split,
  });

  it('has the highest mean over contexts, whatever the test panel says', () => {
    const { checkpoint, scores } = chosenCheckpoint([
      session('step-24', 'a', 1),
      session('step-24', 'b', 0),
      session('step-48', 'a', 1),
      session('step-48', 'a', 1),
      session('step-48', 'a', 1),
      session('step-48', 'b', 0.5),
      session('step-72', 'a', 1, 'test'),
      session('step-24', 'b', null),
    ]);
    expect(checkpoint).toBe('step-48');
    expect(scores).toEqual([
      { name: 'step-24', mean: 0.5, contexts: 2 },
      { name: 'step-48', mean: 0.75, contexts: 2 },
    ]);
  });

  it('is the earlier one of two that are equal, by number', () => {
    expect(chosenCheckpoint([session('step-120', 'a', 1), session('step-24', 'a', 1)]).checkpoint).toBe(
      'step-24',
    );
  });

  it('does not exist without a reward', () => {
    expect(() => chosenCheckpoint([session('step-1', 'a', null)])).toThrow(
      /no session with the selection panel/,
    );
  });
});

it('a co-trained simulator is rewarded for groups that the policy half satisfies', () => {
  const program = `
import sys, json
sys.path.insert(0, ${JSON.stringify(join(EXPERIMENTS, 'trainers'))})
sys.dont_write_bytecode = True
from simulator_reward import advantages, curriculum
rows = [dict(id=one, group=group, reward=reward) for one, group, reward in
        [("a", "g", 1), ("b", "g", 0), ("c", "h", 1), ("d", "h", 1), ("e", None, 1), ("f", "i", 1)]]
print(json.dumps([curriculum([1, 0]), curriculum([0, 0, 0, 0]), curriculum([1]), curriculum([1, 0, None]), advantages(rows)]))
`;
  const [half, none, one, lost, given] = JSON.parse(
    execFileSync(process.env.CA_PYTHON ?? 'python3', ['-c', program], { encoding: 'utf8' }),
  ) as [number, number, null, number, Record<string, number>];
  expect(half).toBe(1);
  expect(none).toBeCloseTo(Math.exp(-(0.25 ** 2) / 0.02), 12);
  expect(one).toBeNull();
  expect(lost).toBe(1);
  expect(Object.keys(given).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(given.a! + given.c!).toBeCloseTo(0, 12);
  expect(given.a).toBe(given.b);
});
