import { describe, expect, it } from 'vitest';
import { readMember, writtenMember } from '../../src/population/index.ts';
import { memberOfVector, newSearch, propose, RECIPE_NUMBERS } from '../../src/synthesis/index.ts';

const base = readMember({ id: 'plain', family: 'f', model: 'm', sampling: { topP: 0.9 } });
const at = (value: number) => ({
  id: 'adversary-1.1',
  generation: 1,
  base: 'plain',
  numbers: Object.fromEntries(RECIPE_NUMBERS.map((name) => [name, value])),
});

describe('a vector of a recipe', () => {
  it('is its base asked to be somebody, in words, at some temperature', () => {
    const [low, high] = [memberOfVector(at(0), [base]), memberOfVector(at(1), [base])];
    expect(low).toMatchObject({
      id: 'plain+adversary-1.1',
      family: 'f',
      model: 'm',
      sampling: { temperature: 0.3, topP: 0.9 },
      recipe: { kind: 'verbalized', persona: expect.stringMatching(/^You distrust .* You are rude\./) },
    });
    expect(high.sampling).toEqual({ temperature: 1.3, topP: 0.9 });
    expect(high.recipe).toMatchObject({ persona: expect.stringMatching(/You are very polite/) });
  });

  it('is a member that a file can hold, whatever is proposed', () => {
    const state = newSearch({ bases: ['plain'], numbers: RECIPE_NUMBERS }, 5);
    for (const candidate of propose(state, 50)) {
      const made = memberOfVector(candidate, [base]);
      expect(readMember(JSON.parse(JSON.stringify(writtenMember(made))))).toEqual(made);
    }
  });

  it('is refused with another base, or a number that is none', () => {
    expect(() => memberOfVector({ ...at(0.5), base: 'other' }, [base])).toThrow(/unknown base/);
    expect(() => memberOfVector(at(1.5), [base])).toThrow(/no trust from 0 to 1/);
    expect(() => memberOfVector({ ...at(0.5), numbers: {} }, [base])).toThrow(/no trust from 0 to 1/);
  });
});
