import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/index.ts';
import { type Dialogue, everyDialogue, lawOf } from './dialogue-laws.ts';
import { totalVariation } from './divergence.ts';
import { printFigure } from './printed-figure.ts';
import { AT_THE_MODE, anyLaws, anyShares, mixedUser, TabularPolicy, toyWorld } from './toy-dialogues.ts';

const ROUNDING = 1e-10;
const WORLDS = 30;
/** Places of the users in `everyDialogue`: not collapsed, every reply the mode, in between. */
const [REFERENCE, MODE, PARTIAL] = [0, 1, 2];

/** A toy world, a policy, and a user who is collapsed at every history: their dialogues and the score of each. */
function anyCollapse(seed: number, horizon = 3) {
  const random = seeded(`gradient/${seed}`);
  const world = toyWorld(anyLaws(random), horizon);
  const policy = new TabularPolicy(random.fork('policy'));
  const shares = anyShares(random);
  const gamma = 1 + 6 * random.next();
  const dialogues = everyDialogue(world, world.setting(0, seed), policy.chances, () => [
    mixedUser(shares),
    mixedUser(shares, AT_THE_MODE),
    mixedUser(shares, gamma),
  ]);
  return { world, policy, dialogues, scores: dialogues.map((dialogue) => scoreOf(dialogue, policy)) };
}

/** grad log P(agent's acts) by the logits, 4 numbers a row of the policy. */
function scoreOf({ steps }: Dialogue, policy: TabularPolicy): Float64Array {
  const rows = [...policy.rows];
  const score = new Float64Array(4 * rows.length);
  let turn = 0;
  steps.forEach(({ side, act }, at) => {
    if (side === 'user') return;
    const key = `${turn}/${steps[at - 1]?.act ?? 'none'}`;
    const row = rows.findIndex(([name]) => name === key);
    const raw = rows[row]![1].map((logit) => Math.exp(logit));
    const total = raw.reduce((sum, x) => sum + x, 0);
    for (let other = 0; other < 4; other++)
      score[4 * row + other]! += (other === act ? 1 : 0) - raw[other]! / total;
    turn += 1;
  });
  return score;
}

const norm = (vector: Float64Array) => Math.hypot(...vector);
const minus = (a: Float64Array, b: Float64Array) => a.map((x, i) => x - b[i]!);

/** The policy gradient, exactly: the sum over dialogues of chance * reward * score. */
function gradient(
  law: Float64Array,
  reward: (dialogue: number) => number,
  scores: readonly Float64Array[],
): Float64Array {
  const sum = new Float64Array(scores[0]!.length);
  law.forEach((chance, d) => {
    const factor = chance * reward(d);
    scores[d]!.forEach((x, at) => {
      sum[at]! += factor * x;
    });
  });
  return sum;
}

/** E over dialogues of the sum over user turns of what is looked at there. */
const perTurn = (
  dialogues: readonly Dialogue[],
  law: Float64Array,
  of: (here: readonly Float64Array[]) => number,
) => dialogues.reduce((sum, { laws }, d) => sum + law[d]! * laws.reduce((all, here) => all + of(here), 0), 0);

/** 1 - P(mode | history) of the user that is not collapsed. */
const epsilonAt = (here: readonly Float64Array[]) => 1 - Math.max(...here[REFERENCE]!);

describe('gradient of a policy that trains with a collapsed user', () => {
  it('is computed as the derivative of the expected reward', () => {
    const random = seeded('derivative');
    const world = toyWorld(anyLaws(random));
    const policy = new TabularPolicy(random);
    const shares = anyShares(random);
    const step = 1e-5;
    for (const gamma of [1, 4]) {
      const all = () =>
        everyDialogue(world, world.setting(0, 0), policy.chances, () => [mixedUser(shares, gamma)]);
      const expected = () => {
        const dialogues = all();
        return lawOf(dialogues, 0).reduce((sum, p, d) => sum + p * dialogues[d]!.reward, 0);
      };
      const dialogues = all();
      const scores = dialogues.map((dialogue) => scoreOf(dialogue, policy));
      const exact = gradient(lawOf(dialogues, 0), (d) => dialogues[d]!.reward, scores);
      expect(norm(exact)).toBeGreaterThan(0.01);
      [...policy.rows.values()].forEach((row, place) => {
        for (const act of [0, 1, 3]) {
          if (row[act] === Number.NEGATIVE_INFINITY) continue;
          row[act]! += step;
          const above = expected();
          row[act]! -= 2 * step;
          const below = expected();
          row[act]! += step;
          expect((above - below) / (2 * step)).toBeCloseTo(exact[4 * place + act]!, 7);
        }
      });
    }
  });

  it('is off by at most 2 B R_max E sum epsilon, epsilon being of the law that collapsed', () => {
    let closest = 0;
    for (let seed = 0; seed < WORLDS; seed++) {
      const { dialogues, scores } = anyCollapse(seed);
      const largest = Math.max(...scores.map(norm));
      for (const collapsed of [MODE, PARTIAL]) {
        const [p, q] = [lawOf(dialogues, REFERENCE), lawOf(dialogues, collapsed)];
        const reward = (d: number) => dialogues[d]!.reward;
        const bias = norm(minus(gradient(q, reward, scores), gradient(p, reward, scores)));
        // Histories as either of the two users leads to them.
        for (const law of [p, q]) {
          const errors = perTurn(dialogues, law, epsilonAt);
          expect(bias).toBeLessThanOrEqual(2 * largest * errors + ROUNDING);
          // Half of it, since rewards less the middle of their range have the same gradient.
          expect(bias).toBeLessThanOrEqual(largest * errors + ROUNDING);
          closest = Math.max(closest, bias / (2 * largest * errors));
        }
      }
    }
    printFigure(
      'gradient bias',
      `at most ${closest.toFixed(2)} of 2 B R_max E sum epsilon in ${WORLDS} toy worlds`,
    );
  });

  it('is off by no more for any reward of that range, and by B R_max TV at most', () => {
    for (let seed = 0; seed < WORLDS; seed++) {
      const { dialogues, scores } = anyCollapse(seed);
      const random = seeded(`reward/${seed}`);
      const rewards = dialogues.map(() => 5 * random.next() - 2);
      const [p, q] = [lawOf(dialogues, REFERENCE), lawOf(dialogues, MODE)];
      const bias = norm(
        minus(
          gradient(q, (d) => rewards[d]!, scores),
          gradient(p, (d) => rewards[d]!, scores),
        ),
      );
      expect(bias).toBeLessThanOrEqual(Math.max(...scores.map(norm)) * 5 * totalVariation(p, q) + ROUNDING);
    }
  });

  it('rests on dialogues whose TV is at most the expected sum over turns of the TV of replies', () => {
    for (let seed = 0; seed < WORLDS; seed++) {
      const { dialogues } = anyCollapse(seed);
      for (const collapsed of [MODE, PARTIAL]) {
        const [p, q] = [lawOf(dialogues, REFERENCE), lawOf(dialogues, collapsed)];
        const between = (here: readonly Float64Array[]) => totalVariation(here[REFERENCE]!, here[collapsed]!);
        for (const law of [p, q]) {
          const sum = perTurn(dialogues, law, between);
          expect(totalVariation(p, q)).toBeLessThanOrEqual(sum + ROUNDING);
          expect(sum).toBeLessThanOrEqual(perTurn(dialogues, law, epsilonAt) + ROUNDING);
        }
      }
    }
  });

  it('rests, at full collapse, on a TV of exactly 1 - E prod (1 - epsilon) over dialogues with the collapsed user', () => {
    for (let seed = 0; seed < WORLDS; seed++) {
      const { dialogues } = anyCollapse(seed);
      const [p, q] = [lawOf(dialogues, REFERENCE), lawOf(dialogues, MODE)];
      const agree = dialogues.reduce(
        (sum, { laws }, d) => sum + q[d]! * laws.reduce((all, here) => all * (1 - epsilonAt(here)), 1),
        0,
      );
      expect(totalVariation(p, q)).toBeCloseTo(1 - agree, 9);
    }
  });

  it('reaches B R_max E sum epsilon, half of the stated bound, in one turn of two acts', () => {
    for (const chanceOfMode of [0.5, 0.6, 0.9]) {
      const epsilon = 1 - chanceOfMode;
      const bias = norm(minus(choice(1), choice(chanceOfMode)));
      expect(bias).toBeCloseTo(LARGEST * epsilon, 12);
    }
  });

  it('is not bounded by what probing the collapsed user shows: its own epsilon is 0', () => {
    const { dialogues, scores } = anyCollapse(3);
    const [p, q] = [lawOf(dialogues, REFERENCE), lawOf(dialogues, MODE)];
    const reward = (d: number) => dialogues[d]!.reward;
    expect(perTurn(dialogues, q, (here) => 1 - Math.max(...here[MODE]!))).toBeLessThan(1e-9);
    expect(norm(minus(gradient(q, reward, scores), gradient(p, reward, scores)))).toBeGreaterThan(0.01);
  });

  it('is not bounded by epsilon where the kind of user is collapsed too: it can turn the gradient round', () => {
    // Kind 0, the most frequent, always gives the first reply; all others always give the second.
    const shares = [0.3, 0.25, 0.25, 0.2];
    expect(Math.max(...shares)).toBe(shares[0]);
    const epsilon = 1 - Math.max(shares[0]!, 1 - shares[0]!);
    const [exact, collapsed] = [choice(shares[0]!), choice(1)];
    const bias = norm(minus(collapsed, exact));
    expect(bias).toBeGreaterThan(2 * LARGEST * epsilon);
    expect(Math.sign(collapsed[0]!)).toBe(-Math.sign(exact[0]!));
    printFigure(
      'collapse over kinds, toy',
      `bias ${bias.toFixed(3)}, 2 B R_max epsilon ${(2 * LARGEST * epsilon).toFixed(3)}`,
    );
  });

  it('is not bounded by epsilon of classes where wordings collapse inside a class', () => {
    // One class of reply, so that its epsilon is 0; two wordings in it, of which the rarer one goes.
    const ofWordings = 0.4;
    const bias = norm(minus(choice(0), choice(ofWordings)));
    expect(bias).toBeGreaterThan(0.1);
    expect(bias).toBeLessThanOrEqual(2 * LARGEST * ofWordings);
  });
});

/**
 * Gradient where the policy does one of two things, each with chance 1/2, and the user gives one of two replies: the
 * first thing is paid 1 after the first reply, the second after the second.
 */
function choice(firstReply: number): Float64Array {
  const score = [Float64Array.of(0.5, -0.5), Float64Array.of(-0.5, 0.5)] as const;
  return score[0].map((x, i) => (firstReply * x + (1 - firstReply) * score[1][i]!) / 2);
}

/** B of that policy. */
const LARGEST = Math.SQRT1_2;
