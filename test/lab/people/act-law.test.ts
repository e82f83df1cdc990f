import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActDialogue,
  actDialogue,
  CONTEXTS,
  chooseSmoothing,
  countActs,
  countThirds,
  foldsByPerson,
  labelsOfPersuadee,
  labelsOfPersuader,
  lawOf,
  logLikelihood,
  MODELS,
  PERSUADEE_ACTS,
  PERSUADER_ACTS,
  persuadeeAct,
  persuaderAct,
  perTurn,
  USERS,
} from '../../../src/lab/people/index.ts';
import { seeded } from '../../../src/math/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

const step = fc.tuple(fc.nat(CONTEXTS - 1), fc.nat(USERS - 1));
const dialogue = fc
  .tuple(fc.uuid(), fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.array(step, { minLength: 1 }))
  .map(
    ([id, person, steps]): ActDialogue => ({
      id,
      person,
      contexts: steps.map(([context]) => context),
      acts: steps.map(([, act]) => act),
    }),
  );

describe('acts', () => {
  it('stand for disjoint sets of labels', () => {
    for (const labels of [
      PERSUADEE_ACTS.flatMap(labelsOfPersuadee),
      PERSUADER_ACTS.flatMap(labelsOfPersuader),
    ])
      expect(new Set(labels).size).toBe(labels.length);
  });

  it('of a turn are the most committing one, whatever the order and the case of its labels', () => {
    const refuse = PERSUADEE_ACTS.indexOf('refuse');
    expect(persuadeeAct(['thank', 'disagree-donation', 'other'])).toBe(refuse);
    expect(persuadeeAct(['other', 'disagree-donation', 'thank'])).toBe(refuse);
    expect(persuaderAct(['non-personal-Task-related-inquiry'])).toBe(PERSUADER_ACTS.indexOf('inquire'));
    expect(persuadeeAct(['no such label'])).toBe(-1);
  });

  it('follow what both sides did last', () => {
    const turns = [
      { role: 'user', text: 'x', acts: ['greeting'] },
      { role: 'agent', text: 'x', acts: ['logical-appeal'] },
      { role: 'user', text: 'x', acts: ['no such label'] },
      { role: 'user', text: 'x', acts: ['agree-donation'] },
    ];
    const read = actDialogue({ id: 'd', simulator: { person: null }, turns } as unknown as Trajectory);
    const [greet, agree] = [PERSUADEE_ACTS.indexOf('greet'), PERSUADEE_ACTS.indexOf('agree')];
    const logic = PERSUADER_ACTS.indexOf('logic');
    expect(read).toEqual({
      id: 'd',
      person: 'd',
      acts: [greet, agree],
      contexts: [CONTEXTS - 1, logic * (USERS + 1) + greet],
    });
  });

  it('are counted by third, each turn once', () => {
    const thirds = countThirds([{ id: 'd', person: 'p', contexts: [0, 0, 0, 0], acts: [0, 1, 2, 3] }]);
    expect(thirds.map((third) => third.slice(0, 4))).toEqual([
      [1, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
  });
});

describe('a law', () => {
  it('is a distribution over acts in every context, seen or not, with no act impossible', () => {
    fc.assert(
      fc.property(
        fc.array(dialogue, { maxLength: 8 }),
        fc.constantFrom(...MODELS),
        fc.double({ min: 0.5, max: 256, noNaN: true }),
        (dialogues, model, s) => {
          const law = lawOf(countActs(dialogues), model, { user: s, agent: s, both: s });
          for (let row = 0; row < law.length; row += USERS) {
            const values = [...law.subarray(row, row + USERS)];
            expect(values.reduce((a, b) => a + b)).toBeCloseTo(1, 10);
            expect(Math.min(...values)).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('that is uniform gives -log(acts) a turn', () => {
    const one = { id: 'd', person: 'p', contexts: [0, 5, 7], acts: [1, 2, 3] };
    const law = lawOf(countActs([]), 'uniform', { user: 1, agent: 1, both: 1 });
    expect(logLikelihood(one, law)).toBeCloseTo(-3 * Math.log(USERS), 10);
  });
});

describe('folds', () => {
  it('part people, test every dialogue once, and do not depend on the order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(dialogue, { selector: ({ id }) => id, maxLength: 12 }), (dialogues) => {
        const folds = foldsByPerson(dialogues, 3, seeded('f'));
        expect(folds.flatMap(({ test }) => test.map(({ id }) => id)).sort()).toEqual(
          dialogues.map(({ id }) => id).sort(),
        );
        for (const { fit, test } of folds)
          for (const { person } of test) expect(fit.map((one) => one.person)).not.toContain(person);
        const other = foldsByPerson([...dialogues].reverse(), 3, seeded('f'));
        expect(other.map(({ test }) => test.map(({ id }) => id).sort())).toEqual(
          folds.map(({ test }) => test.map(({ id }) => id).sort()),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('ask for much smoothing where acts follow nothing, for little where they follow the persuader', () => {
    const random = seeded('smoothing');
    const simulated = (obeys: boolean) =>
      Array.from({ length: 60 }, (_, d): ActDialogue => {
        const contexts = Array.from({ length: 10 }, () => random.integer(CONTEXTS));
        const acts = contexts.map((context) =>
          obeys ? Math.floor(context / (USERS + 1)) : random.integer(USERS),
        );
        return { id: `d${d}`, person: `p${d}`, contexts, acts };
      });
    const strength = (obeys: boolean) =>
      chooseSmoothing(foldsByPerson(simulated(obeys), 5, seeded('folds'))).agent;
    expect(strength(false)).toBeGreaterThanOrEqual(64);
    expect(strength(true)).toBeLessThanOrEqual(1);
  });

  it('give a mean over turns, with an interval over people', () => {
    const one = (id: string, person: string, turns: number): ActDialogue => ({
      id,
      person,
      contexts: new Array<number>(turns).fill(0),
      acts: new Array<number>(turns).fill(0),
    });
    const dialogues = [one('x', 'a', 1), one('y', 'b', 3), one('z', 'b', 2)];
    const mean = perTurn(dialogues, new Map([...'xyz'].map((id, i) => [id, -[1, 6, 5][i]!])));
    expect(mean).toMatchObject({ estimate: -2, groups: 2 });
    expect(mean.se).toBeCloseTo(Math.sqrt(0.5 * 2 * ((11 / 5 - 1) / 2) ** 2), 10);
  });
});
