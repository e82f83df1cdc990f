import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import { COMPARISON, METHODS, methodOf } from '../../../src/lab/methods/index.ts';
import { study } from './steps.ts';

const fault = (id: string) => {
  try {
    methodOf(id);
  } catch (error) {
    if (error instanceof CollapseAwareError) return error;
    throw error;
  }
  throw new Error(`"${id}" is a method`);
};

describe('the methods', () => {
  it('are found by name, each once', () => {
    const ids = METHODS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const method of METHODS) expect(methodOf(method.id)).toBe(method);
    expect(methodOf(COMPARISON).id).toBe('population-co-training-5');
  });

  it.each([
    ['co-trainning', 'co-training'],
    ['vs-porb', 'vs-prob'],
    ['ensemble-4', 'ensemble-3'],
    ['population-co-training-50', 'population-co-training-5'],
  ])('take "%s" for a slip of "%s"', (id, near) => {
    const { code, message, todo } = fault(id);
    expect(code).toBe('CA_USAGE');
    expect(message).toBe(`unknown method "${id}"`);
    expect(todo).toContain(`Did you mean "${near}"? Methods: base, single,`);
  });

  it.each(['', 'quite something else', '__proto__', 'constructor'])('guess nothing from "%s"', (id) => {
    const { todo } = fault(id);
    expect(todo).not.toContain('Did you mean');
    for (const method of METHODS) expect(todo).toContain(method.id);
  });

  it('say of themselves what people are told', () => {
    expect(new Set(METHODS.map(({ title }) => title)).size).toBe(METHODS.length);
    for (const { title, model } of METHODS) expect(Math.min(title.length, model.length)).toBeGreaterThan(3);
    expect(METHODS.filter(({ usesPeople }) => usesPeople).map(({ id }) => id)).toEqual([
      'human-fitted',
      'curation',
      'collapse-aware',
      'collapse-aware-no-gate',
      'collapse-aware-no-weights',
      'collapse-aware-no-gaps',
      'collapse-aware-no-paths',
      'collapse-aware-no-adversary',
      'collapse-aware-no-breaker',
      'collapse-aware-no-consistency',
    ]);
    expect(METHODS.filter(({ trains }) => !trains).map(({ id }) => id)).toEqual(['base']);
  });

  it.each(METHODS.map((method) => [method.id, method] as const))(
    '%s casts the same user for the same group when asked twice, one of its population',
    (_, method) => {
      const run = method.start(study());
      const members = run.population();
      expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
      for (const step of [0, 3])
        for (let group = 0; group < 6; group++) {
          const cast = run.cast(step, group);
          expect(run.cast(step, group)).toBe(cast);
          expect(members).toContain(cast);
        }
    },
  );

  it.each([
    ['single', ['alder']],
    ['persona', ['alder-persona']],
    ['ensemble-3', ['alder', 'birch', 'cedar']],
    ['vs-prob', ['alder-vs-prob']],
    ['vs-random', ['alder-vs-random']],
    ['co-training', ['alder-trained']],
    ['population-co-training-5', ['alder-step-0']],
    ['domain-randomisation', ['anyone']],
    ['human-fitted', ['human-fitted']],
  ])('%s trains against %j at first', (id, members) => {
    expect(
      methodOf(id)
        .start(study())
        .population()
        .map((member) => member.id),
    ).toEqual(members);
  });
});
