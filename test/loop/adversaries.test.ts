import { describe, expect, it } from 'vitest';
import { adversaryCandidates, newAdversarySearch } from '../../src/loop/adversaries.ts';
import { contentOf } from '../../src/loop/candidates.ts';
import { readMember } from '../../src/population/index.ts';

const bases = ['ash', 'birch'].map((id) => readMember({ id, family: id }));
const personas = ['calm', 'hurried'].map((text) => ({ mode: null, text, exemplars: [] }));
const synthesis = { adversaries: 4, realismFloor: 0.5 };
const search = newAdversarySearch(bases, personas, 1)!;

describe('candidates of the search for adversaries', () => {
  it('are others where a generation has nobody whom the run has not met', () => {
    const first = adversaryCandidates(search, bases, personas, synthesis, 1, new Set());
    expect(first.search.state.generation).toBe(0);
    const known = new Set(first.candidates.map(({ member }) => contentOf(member)));
    const second = adversaryCandidates(search, bases, personas, synthesis, 2, known);
    expect(second.candidates.length).toBeGreaterThan(0);
    for (const { member } of second.candidates) expect(known).not.toContain(contentOf(member));
    // The law of the draws has not moved: nothing was told of those who are known.
    expect(second.search.state.shares).toEqual(search.state.shares);
    expect(second.search.state.history.every(({ told }) => told === 0)).toBe(true);
  });

  it('are none, after a bounded search, where everybody is known or nobody is wanted', () => {
    const everybody = new Set<string>();
    let state = search;
    for (let round = 1; round <= 40; round++) {
      const { candidates, search: next } = adversaryCandidates(
        { ...state, open: new Map() },
        bases,
        personas,
        synthesis,
        round,
        everybody,
      );
      for (const { member } of candidates) everybody.add(contentOf(member));
      state = next;
    }
    // Two bases, two texts, each as a persona and as a list.
    expect(everybody.size).toBe(8);
    const none = adversaryCandidates(state, bases, personas, synthesis, 41, everybody);
    expect(none.candidates).toEqual([]);
    expect(none.search.open.size).toBe(0);
    const unwanted = { ...synthesis, adversaries: 0 };
    expect(adversaryCandidates(search, bases, personas, unwanted, 1, new Set()).search.state).toBe(
      search.state,
    );
  });
});
