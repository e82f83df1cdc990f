import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../../src/embedding/behaviour.ts';
import {
  assignAll,
  type BehaviourSpace,
  compareRuns,
  compareView,
  fitSpace,
  ProfileBuilder,
} from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES } from './synthetic.ts';

const crossed = episodes({ simulators: ['a', 'b', 'c'], contexts: 12, perCell: 4, topic: 0.5 });
const people = episodes({
  simulators: ['people'],
  contexts: 12,
  perCell: 8,
  topic: 0.5,
  kind: 'human',
  person: (_, context, copy) => `p${context}-${copy % 4}`,
});
const alone = episodes({
  simulators: ['a'],
  contexts: 10,
  perCell: 4,
  topic: 0.5,
  contextName: (context) => `own-${context}`,
});
const space = fitSpace(
  { behaviours: crossed, reference: people, embedder: EMBEDDER, features: FEATURES },
  { seed: 4 },
);

function profileOf(rows: Behaviour[], reference: Behaviour[] = [], at: BehaviourSpace = space) {
  const builder = new ProfileBuilder(at.id, { seed: at.seed });
  builder.addPlaced(assignAll(at, rows));
  builder.addPlaced(assignAll(at, reference, { reference: true }));
  return builder.build();
}

describe('compareRuns', () => {
  it('gives one run the view it has by itself', () => {
    const profile = profileOf(crossed, people);
    expect(compareRuns([profile], space)).toEqual([compareView(profile, space)]);
  });

  it('keeps equal rows of two runs apart, with the same unit numbers', () => {
    const [a, b] = compareRuns([profileOf(crossed), profileOf(crossed)], space);
    expect(a!.rows.size).toBe(b!.rows.size);
    expect(b!.rows.unit).toEqual(a!.rows.unit);
    expect(b!.units).toEqual(a!.units);
  });

  it('numbers contexts and units alike, whichever run comes first', () => {
    const [first, second] = [crossed.filter((_, at) => at % 2 === 0), crossed.filter((_, at) => at % 3 > 0)];
    const forth = compareRuns([profileOf(first), profileOf(second)], space);
    const back = compareRuns([profileOf(second), profileOf(first)], space);
    expect(back[0]!.units).toEqual(forth[1]!.units);
    expect(back[0]!.rows).toEqual(forth[1]!.rows);
    expect(back[1]!.rows).toEqual(forth[0]!.rows);
  });

  it('lets one run alone decide the control of both, and names it', () => {
    expect(compareView(profileOf(crossed), space).control).toBe('context');
    for (const view of compareRuns([profileOf(crossed), profileOf(alone)], space)) {
      expect(view.control).toBe('interaction');
      expect(view.reason).toContain('context: a 0 %');
    }
  });

  it('gives the people of either profile to both runs, each person once', () => {
    const [a, b] = compareRuns([profileOf(crossed, people), profileOf(crossed)], space);
    const [both] = compareRuns([profileOf(crossed, people), profileOf(crossed, people)], space);
    expect(a!.people!.mass.size).toBeGreaterThan(0);
    expect(b!.people!.mass.unit).toEqual(a!.people!.mass.unit);
    expect(b!.people!.fit).toBe(a!.people!.fit);
    expect(both!.people!.ceiling.size).toBe(a!.people!.ceiling.size);
    expect(b!.profile.reservoir.some(({ part }) => part === 'mass')).toBe(true);
  });

  it('does not take the context as the unit where it holds most rows of one run only', () => {
    const narrow = crossed.filter(({ facts }) => facts.context === crossed[0]!.facts.context);
    const [view] = compareRuns([profileOf(crossed), profileOf(narrow)], space);
    expect(view!.unit).toBe('episode');
    expect(view!.unitReason).toContain('100 % of the rows');
  });

  it('refuses a run without rows, and one of another space', () => {
    const other = fitSpace(
      { behaviours: crossed, reference: [], embedder: EMBEDDER, features: FEATURES },
      { seed: 9 },
    );
    expect(() => compareRuns([profileOf(crossed), profileOf([], people)], space)).toThrow(
      expect.objectContaining({ code: 'CA_INPUT_EMPTY' }),
    );
    expect(() => compareRuns([profileOf(crossed), profileOf(crossed, [], other)], space)).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }),
    );
  });
});
