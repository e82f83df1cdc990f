import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { learnability, realistic } from '../../src/synthesis/index.ts';
import { disguised, plant } from './rows.ts';

const LAW = [0.5, 0.5];
const member = (simulator: string, p: (context: number) => number, more: object = {}) =>
  plant({ simulator, law: LAW, contexts: 60, each: 8, reward: p, ...more });

const rows = [
  ...member('even', () => 0.5),
  ...member('hard', () => 0.1),
  ...member('wall', () => 0, { outside: 0.9 }),
  ...member('split', (context) => (context % 2 === 0 ? 1 : 0)),
];

describe('what can still be learnt on a simulator', () => {
  const ranked = learnability(rows, [0, 1]);
  const of = (id: string) => ranked.find(({ simulator }) => simulator === id)!;

  it('is 4 p (1 - p) inside contexts, and ranks by it', () => {
    expect(ranked.map(({ simulator }) => simulator).slice(0, 2)).toEqual(['even', 'hard']);
    for (const [id, truth] of [
      ['even', 1],
      ['hard', 0.36],
      ['split', 0],
      ['wall', 0],
    ] as const) {
      const { low, high } = of(id).learnability;
      expect(low!).toBeLessThanOrEqual(truth);
      expect(high!).toBeGreaterThanOrEqual(truth);
    }
  });

  it('is not what the policy loses most on: that one cannot be won', () => {
    expect(of('wall').loss.value).toBe(1);
    expect(of('wall').learnability.value).toBe(0);
    expect(realistic(ranked, 0.5).map(({ simulator }) => simulator)).not.toContain('wall');
  });

  it('has the best that is known of the context beside it', () => {
    expect(of('wall').regret!.value).toBeCloseTo(1, 1);
    expect(of('split').regret!.value!).toBeCloseTo(0.5, 1);
    const alone = learnability(
      member('even', () => 0.5),
      [0, 1],
    );
    expect(alone[0]!.regret).toBeNull();
    const best = new Map(Array.from({ length: 60 }, (_, c) => [`c${c}`, 1]));
    expect(
      learnability(
        member('even', () => 0.5),
        [0, 1],
        { best },
      )[0]!.regret!.value!,
    ).toBeCloseTo(0.5, 1);
  });

  it('is in units of the reward range', () => {
    const scaled = rows.map((row) => ({ ...row, reward: row.reward! * 4 - 1 }));
    for (const [i, one] of learnability(scaled, [-1, 3]).entries()) {
      expect(one.learnability.value!).toBeCloseTo(ranked[i]!.learnability.value!, 12);
      expect(one.loss.value!).toBeCloseTo(ranked[i]!.loss.value!, 12);
    }
  });

  it('is missing without two rewards of a context', () => {
    const once = plant({ simulator: 'once', law: LAW, contexts: 30, each: 1, reward: () => 0.5 });
    expect(learnability(once, [0, 1])[0]!.learnability).toMatchObject({
      value: null,
      reason: 'no context with two rewards',
    });
    const none = plant({ simulator: 'none', law: LAW, contexts: 30, each: 2 });
    expect(learnability(none, [0, 1])[0]).toMatchObject({
      learnability: { value: null, reason: 'no rewards' },
      loss: { value: null },
      regret: null,
      realism: { value: 1 },
    });
    expect(learnability([], [0, 1])).toEqual([]);
  });

  it('hangs on no order, no name of a context or row, and no duplicate', () => {
    expect(learnability(disguised(rows, seeded(7)), [0, 1])).toEqual(ranked);
  });

  it('takes equal dialogues for copies of one, unless it is told that each was played', () => {
    // Twenty contexts, two dialogues each: in eighteen the same refusal twice, in two one success.
    const twice = Array.from({ length: 20 }, (_, c) =>
      [0, 1].map((r) => ({
        ...rows[0]!,
        id: `${c}/${r}`,
        context: `c${c}`,
        hash: c < 18 ? `${c}` : `${c}/${r}`,
        reward: c < 18 ? 0 : r,
      })),
    ).flat();
    // 4 x the variance of 0 and 1 is 2 in two contexts of twenty.
    expect(learnability(twice, [0, 1], { played: true })[0]!.learnability.value).toBeCloseTo(0.2, 12);
    expect(learnability(twice, [0, 1])[0]!.learnability.value).toBe(2);
    const again = [...twice, ...twice];
    expect(learnability(again, [0, 1], { played: true })).toEqual(
      learnability(twice, [0, 1], { played: true }),
    );
  });

  it('refuses rewards outside their range', () => {
    expect(() => learnability(rows, [0, 0.5])).toThrow(/outside 0 \.\. 0\.5/);
    expect(() => learnability(rows, [1, 1])).toThrow(/range/);
  });
});
