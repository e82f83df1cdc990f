import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/math/index.ts';
import type { Figure } from '../../src/metrics/index.ts';
import {
  newSearch,
  propose,
  type ScoredCandidate,
  type SearchCandidate,
  type SearchState,
  tell,
} from '../../src/synthesis/index.ts';

const space = { bases: ['plain', 'odd', 'dull'], numbers: ['patience', 'trust'] };
const FLOOR = 0.7;

const realismOf = (share: number, n = 60): Figure => {
  const inside = Math.round(share * n);
  const [low, high] = clopperPearson(inside, n);
  return { value: inside / n, low, high, n, method: 'clopper-pearson' };
};

/** Most is learnt near (0.3, 0.6) of `odd`; the impatient refuse everything, off support: the raw loss is highest there. */
const play = (candidate: SearchCandidate): ScoredCandidate & { loss: number } => {
  const { patience, trust } = candidate.numbers as { patience: number; trust: number };
  const distance = (patience - 0.3) ** 2 + (trust - 0.6) ** 2;
  const real = patience < 0.15 ? 0.2 : 0.97;
  const score = (candidate.base === 'odd' ? 1 : 0.6) * Math.exp(-8 * distance) + (real < FLOOR ? 5 : 0);
  return { candidate, score, realism: realismOf(real), loss: 1 - patience };
};

const run = (generations: number, n = 24, from = newSearch(space, 1)): SearchState => {
  let state = from;
  for (let g = 0; g < generations; g++) state = tell(state, propose(state, n).map(play), FLOOR);
  return state;
};

describe('the search for adversaries', () => {
  it('finds the planted best of a mixed space', () => {
    const { best, shares, centre, history } = run(8);
    expect(best!.candidate.base).toBe('odd');
    expect(best!.candidate.numbers.patience!).toBeCloseTo(0.3, 1);
    expect(best!.candidate.numbers.trust!).toBeCloseTo(0.6, 1);
    expect(shares[1]!).toBeGreaterThan(0.8);
    expect(centre[0]!).toBeCloseTo(0.3, 1);
    expect(history).toHaveLength(8);
    expect(history.at(-1)!.elite!).toBeGreaterThan(history[0]!.elite!);
  });

  it('never takes who is off support, whatever the policy loses there', () => {
    const { best, history, centre } = run(8);
    expect(best!.candidate.numbers.patience!).toBeGreaterThan(0.15);
    expect(best!.score).toBeLessThanOrEqual(1);
    expect(history[0]!.belowFloor).toBeGreaterThan(0);
    expect(history.every(({ realismFloor }) => realismFloor === FLOOR)).toBe(true);
    expect(centre[0]!).toBeGreaterThan(0.2);
  });

  it('takes nobody whose realism is not shown: few episodes, or none', () => {
    const state = newSearch(space, 1);
    const few = propose(state, 8).map((candidate) => ({ candidate, score: 1, realism: realismOf(1, 3) }));
    const none = propose(state, 8).map((candidate) => ({
      candidate,
      score: 1,
      realism: { value: null, low: null, high: null, n: 0, method: 'none', reason: 'no rows' },
    }));
    for (const told of [few, none]) {
      const next = tell(state, told, FLOOR);
      expect(next).toMatchObject({ best: null, generation: 1, history: [{ belowFloor: 8, elite: null }] });
      expect(next.centre).toEqual(state.centre);
    }
  });

  it('goes on from its JSON as if it had not stopped, and whatever the order of what it is told', () => {
    const half = JSON.parse(JSON.stringify(run(3))) as SearchState;
    expect(run(3, 24, half)).toEqual(run(6));
    const state = newSearch(space, 1);
    const told = propose(state, 24).map(play);
    expect(tell(state, [...told].reverse(), FLOOR)).toEqual(tell(state, told, FLOOR));
  });

  it('proposes the same from one state, others from the next, and always inside the space', () => {
    const state = run(2);
    expect(propose(state, 5)).toEqual(propose(state, 9).slice(0, 5));
    for (const { numbers, base, generation } of propose(state, 200)) {
      expect(space.bases).toContain(base);
      expect(generation).toBe(3);
      for (const value of Object.values(numbers)) expect(value >= 0 && value <= 1).toBe(true);
    }
    expect(propose(newSearch(space, 2), 3)).not.toEqual(propose(newSearch(space, 1), 3));
  });

  it('loses no base for good', () => {
    expect(Math.min(...run(12).shares)).toBeGreaterThan(0.01);
  });

  it('skips candidates without a score', () => {
    const state = newSearch(space, 1);
    const told = propose(state, 6).map((candidate, i) => ({
      candidate,
      score: i < 3 ? null : i === 3 ? Number.NaN : 0.1 * i,
      realism: realismOf(1),
    }));
    expect(tell(state, told, FLOOR).history[0]).toMatchObject({ unscored: 4, best: 0.5 });
    expect(tell(state, [], FLOOR)).toMatchObject({ generation: 1, best: null });
  });

  it.each([
    ['a stranger', (c: SearchCandidate) => [{ ...c, base: 'other' }]],
    ['a candidate of another generation', (c: SearchCandidate) => [{ ...c, generation: 7 }]],
    ['a candidate twice', (c: SearchCandidate) => [c, c]],
  ])('refuses %s', (_, wrong) => {
    const state = newSearch(space, 1);
    const told = wrong(propose(state, 1)[0]!).map((candidate) => ({
      candidate,
      score: 1,
      realism: realismOf(1),
    }));
    expect(() => tell(state, told, FLOOR)).toThrow(/not proposed/);
  });

  it('needs a floor, a base and different names', () => {
    const state = newSearch(space, 1);
    expect(() => tell(state, [], Number.NaN)).toThrow(/floor/);
    expect(() => newSearch({ bases: [], numbers: [] }, 1)).toThrow(/no base/);
    expect(() => newSearch({ bases: ['a', 'a'], numbers: [] }, 1)).toThrow(/twice/);
    expect(() => newSearch({ bases: ['a'], numbers: ['x', 'x'] }, 1)).toThrow(/twice/);
  });
});
