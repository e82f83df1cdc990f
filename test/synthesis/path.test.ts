import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { readMember } from '../../src/population/index.ts';
import { isBetween, planPath, verifyPath } from '../../src/synthesis/index.ts';
import { disguised, mixed, plant } from './rows.ts';

const persona = (id: string, text: string, more: object = {}) =>
  readMember({ id, family: 'f', model: 'm', recipe: { kind: 'persona', text }, ...more });
const a = persona('a', 'You are shy.');
const b = persona('b', 'You are loud.');
const plan = planPath({ a, b, how: 'mixture' });
const A = [0.7, 0.2, 0.1, 0, 0, 0];
const B = [0, 0, 0.1, 0.2, 0.3, 0.4];

/** Rows of every step, by the law that `at` gives it. */
const played = (at: (lambda: number) => number[], { contexts = 40, each = 4, seed = 'p' } = {}) =>
  plan.steps.flatMap(({ lambda, member }) =>
    plant({ simulator: member.id, law: at(lambda), contexts, each }, seeded(`${seed}/${member.id}`)),
  );

describe('the plan of a path', () => {
  it('has members between two, by a grid of lambda, and says where they come from', () => {
    expect(plan.steps.map(({ member }) => member.id)).toEqual([
      'a~b@0',
      'a~b@0.25',
      'a~b@0.5',
      'a~b@0.75',
      'a~b@1',
    ]);
    expect(plan.steps[1]!.member).toMatchObject({
      family: 'f',
      model: null,
      recipe: { kind: 'interpolate', lambda: 0.25, how: 'mixture', a: { id: 'a' }, b: { id: 'b' } },
    });
    expect(plan.steps[1]!.origin).toEqual({ kind: 'path', a: 'a', b: 'b', lambda: 0.25, how: 'mixture' });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('takes any grid, in order', () => {
    const { steps } = planPath({ a, b, how: 'prompt', lambdas: [0.9, 0.1] });
    expect(steps.map(({ lambda }) => lambda)).toEqual([0.1, 0.9]);
  });

  it('refuses what lies between no two members', () => {
    const other = persona('o', 'You are loud.', { model: 'other' });
    expect(() => planPath({ a, b: other, how: 'prompt' })).toThrow(/recipe\.how: found 'prompt'|recipe\.how/);
    expect(() => planPath({ a, b: { ...a, id: 'twin' }, how: 'mixture' })).toThrow(/the same simulator/);
    expect(() => planPath({ a, b: plan.steps[1]!.member, how: 'mixture' })).toThrow(
      /holds no other|interpolate/,
    );
  });

  it.each([[[]], [[0, 0]], [[-0.1]], [[Number.NaN]], [[1.1]]])('refuses the grid %j', (lambdas) => {
    expect(() => planPath({ a, b, how: 'mixture', lambdas })).toThrow(/CA_USAGE|no path/);
  });
});

describe('the verification of a path', () => {
  it('finds a planted mixture where it was planted, on the line', () => {
    const found = verifyPath(
      plan,
      played((lambda) => mixed(A, B, lambda), { contexts: 60, each: 6 }),
      6,
    );
    for (const { lambda, position, offLine, n } of found.steps) {
      expect(n).toBe(360);
      expect(position.low!).toBeLessThanOrEqual(lambda);
      expect(position.high!).toBeGreaterThanOrEqual(lambda);
      expect(position.value!).toBeCloseTo(lambda, 1);
      expect(Math.abs(offLine.value!)).toBeLessThan(0.03);
    }
    expect(found.steps.map(({ position }) => position.value)).toEqual(expect.arrayContaining([0, 1]));
    expect(found.slope.value!).toBeCloseTo(1, 1);
    expect(found.slope.method).toBe('jackknife-context(G=60, groups=50)');
    expect(found.verdict).toBe('monotone');
  });

  it('sees a step back', () => {
    const bent = (lambda: number) => mixed(A, B, [0, 0.8, 0.2, 0.6, 1][lambda * 4]!);
    const found = verifyPath(plan, played(bent), 6);
    expect(found.verdict).toBe('not monotone');
    expect(found.reason).toMatch(/lambda 0\.5 falls by 0\.[5-7]/);
  });

  it('sees a path that leaves the line', () => {
    const away = (lambda: number) => (lambda === 0.5 ? [0, 0, 1, 0, 0, 0] : mixed(A, B, lambda));
    const { steps } = verifyPath(plan, played(away), 6);
    expect(steps[2]!.offLine.low!).toBeGreaterThan(0.2);
  });

  it('does not claim a path between two that are alike', () => {
    let claimed = 0;
    for (let seed = 0; seed < 60; seed++) {
      const found = verifyPath(
        plan,
        played(() => A, { contexts: 20, each: 2, seed: String(seed) }),
        6,
      );
      if (found.verdict !== 'not told apart') claimed += 1;
      else
        for (const { position } of found.steps)
          expect(position).toMatchObject({ value: null, reason: 'a and b are not told apart' });
    }
    expect(claimed).toBeLessThanOrEqual(6);
  });

  it('claims nothing from few episodes', () => {
    const few = verifyPath(
      plan,
      played((lambda) => mixed(A, B, lambda), { contexts: 9, each: 2 }),
      6,
    );
    expect(few.verdict).toBe('not told apart');
    expect(verifyPath(plan, [], 6)).toMatchObject({
      verdict: 'not told apart',
      reason: 'no episode of a',
      distance: { value: null },
    });
    const fewer = verifyPath(
      plan,
      played((lambda) => mixed(A, B, lambda), { contexts: 6, each: 9 }),
      6,
    );
    expect(fewer.verdict).toBe('not told apart');
  });

  it('takes the ends from the members themselves, and leaves strangers aside', () => {
    const inner = planPath({ a, b, how: 'mixture', lambdas: [0.5] });
    const rows = [
      ...plant({ simulator: 'a', law: A, contexts: 40, each: 4 }),
      ...plant({ simulator: 'b', law: B, contexts: 40, each: 4 }),
      ...plant({ simulator: 'a~b@0.5', law: mixed(A, B, 0.5), contexts: 40, each: 4 }),
    ];
    const found = verifyPath(inner, rows, 6);
    expect(found.steps).toHaveLength(1);
    expect(found.steps[0]!.position.value!).toBeGreaterThan(0.4);
    expect(found.steps[0]!.position.value!).toBeLessThan(0.6);
    expect(found.slope).toMatchObject({ value: null, reason: 'fewer than two steps with episodes' });
    const stranger = plant({ simulator: 'x', law: B, contexts: 90, each: 1 });
    expect(verifyPath(inner, [...rows, ...stranger], 6)).toEqual(found);
  });

  it('takes the episode as its unit where there is one context', () => {
    const rows = played((lambda) => mixed(A, B, lambda), { contexts: 1, each: 200 });
    const found = verifyPath(plan, rows, 6);
    expect(found.slope.method).toMatch(/^jackknife-episode/);
    expect(found.steps[2]!.position.value!).toBeCloseTo(0.5, 1);
    expect(found.steps[2]!.outside).toMatchObject({
      value: 0,
      method: expect.stringMatching(/clopper-pearson-episode/),
    });
  });

  it('knows no position of who is off support, and no path to such an end', () => {
    const rows = played((lambda) => mixed(A, B, lambda)).map((row, i) =>
      row.simulator === 'a~b@0.5' ? { ...row, outside: i % 3 > 0 } : row,
    );
    const found = verifyPath(plan, rows, 6);
    expect(found.steps[2]).toMatchObject({ position: { value: null, reason: 'off support' }, n: 160 });
    expect(found).toMatchObject({ verdict: 'not told apart', reason: 'a step has no position' });
    expect(found.steps[3]!.rise!.value!).toBeGreaterThan(0.3);
    const end = rows.map((row) => (row.simulator === 'a~b@0' ? { ...row, outside: true } : row));
    expect(verifyPath(plan, end, 6)).toMatchObject({ verdict: 'not told apart', reason: 'a is off support' });
  });

  it('says who lies between the ends', () => {
    const { steps } = verifyPath(
      plan,
      played((lambda) => mixed(A, B, lambda)),
      6,
    );
    expect(steps.map(isBetween)).toEqual([false, true, true, true, false]);
    const held = verifyPath(
      plan,
      played((lambda) => (lambda < 1 ? A : B)),
      6,
    );
    expect(held.steps.map(isBetween)).toEqual([false, false, false, false, false]);
  });

  it('says which step has no episode', () => {
    const rows = played((lambda) => mixed(A, B, lambda)).filter(({ simulator }) => simulator !== 'a~b@0.5');
    const found = verifyPath(plan, rows, 6);
    expect(found.steps[2]).toMatchObject({ n: 0, position: { value: null, reason: 'no episode' } });
    expect(found).toMatchObject({ verdict: 'not told apart', reason: 'a step has no position' });
  });

  it('hangs on no order, no name and no duplicate', () => {
    const rows = played((lambda) => mixed(A, B, lambda));
    expect(verifyPath(plan, disguised(rows, seeded(3)), 6)).toEqual(verifyPath(plan, rows, 6));
  });

  it('covers the planted position', () => {
    let covered = 0;
    for (let seed = 0; seed < 120; seed++) {
      const rows = played((lambda) => mixed(A, B, lambda), { contexts: 50, each: 2, seed: `s${seed}` });
      const { low, high } = verifyPath(plan, rows, 6).steps[1]!.position;
      if (low! <= 0.25 && high! >= 0.25) covered += 1;
    }
    // 95 % of 120, and four standard errors.
    expect(covered).toBeGreaterThan(104);
  });
});
