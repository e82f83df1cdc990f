import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import { memberFingerprint, readMember } from '../../src/population/index.ts';
import { member } from './members.ts';

const print = (value: unknown) => memberFingerprint(readMember(value));
const faultOf = (value: unknown, members: unknown[] = []) => {
  try {
    readMember(value, { members });
  } catch (error) {
    expect(error).toBeInstanceOf(CollapseAwareError);
    expect((error as CollapseAwareError).code).toBe('CA_CONFIG_INVALID');
    return (error as CollapseAwareError).message;
  }
  throw new Error('nothing was refused');
};

const recipes = [
  { kind: 'direct' },
  { kind: 'persona', text: 'You are curt.' },
  { kind: 'persona', bank: ['You are curt.', 'You are kind.'] },
  { kind: 'verbalized' },
  { kind: 'verbalized', mode: 'cot' },
  { kind: 'verbalized', draw: 'random' },
  { kind: 'verbalized', candidates: 6 },
  { kind: 'verbalized', tail: 0.1 },
  { kind: 'verbalized', persona: 'You are cross.' },
  { kind: 'verbalized', exemplars: ['short turns', 'asks a lot'] },
  { kind: 'verbalized', exemplars: ['asks a lot', 'short turns'] },
  { kind: 'pool' },
  { kind: 'pool', size: 3 },
  { kind: 'interpolate', a: member('x'), b: member('y'), lambda: 0.5, how: 'mixture' },
  { kind: 'interpolate', a: member('y'), b: member('x'), lambda: 0.5, how: 'mixture' },
  { kind: 'interpolate', a: member('x'), b: member('y'), lambda: 0.25, how: 'mixture' },
  { kind: 'ensemble', members: [member('x'), member('y')] },
];

describe('a member', () => {
  it('has every default filled in', () => {
    expect(readMember({ id: 'a', family: 'f' })).toEqual({
      id: 'a',
      family: 'f',
      model: null,
      recipe: { kind: 'direct' },
      checkpoint: null,
      sampling: null,
    });
    expect(readMember(member('a', { recipe: { kind: 'verbalized' } })).recipe).toEqual({
      kind: 'verbalized',
      mode: 'standard',
      draw: 'prob',
      candidates: 5,
      tail: null,
      persona: null,
      exemplars: [],
    });
    expect(readMember(member('a', { recipe: { kind: 'pool' } })).recipe).toEqual({
      kind: 'pool',
      size: 5,
      every: 4,
      order: 'fifo',
    });
    expect(readMember({ id: 'a', family: 'curt', recipe: { kind: 'scripted' } }).recipe).toEqual({
      kind: 'scripted',
      family: 'curt',
    });
  });

  it('has the members that its recipe names by id', () => {
    const whole = readMember(
      member('mix', { model: null, recipe: { kind: 'ensemble', members: ['y', member('x')] } }),
      { members: [member('y')] },
    );
    expect(whole.recipe).toMatchObject({ members: [{ id: 'x' }, { id: 'y' }] });
  });
});

describe('the fingerprint of a member', () => {
  it('tells recipes, models, checkpoints, sampling apart', () => {
    const all = recipes.map((recipe) =>
      print(member('a', { recipe, ...(/inter|ens/.test(recipe.kind) ? { model: null } : {}) })),
    );
    all.push(
      print(member('a', { model: 'other' })),
      print(member('a', { checkpoint: '4' })),
      print(member('a', { sampling: { temperature: 1 } })),
      print(member('a', { sampling: { topP: 1 } })),
    );
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is that of what answers, not of its names, the order of keys or of a bank', () => {
    const own = { kind: 'persona', bank: ['one', 'two'] };
    expect(print({ id: 'b', family: 'g', model: 'm', recipe: own })).toBe(
      print({ recipe: { bank: ['two', 'one'], kind: 'persona' }, model: 'm', family: 'f', id: 'a' }),
    );
    expect(print(member('a', { sampling: {} }))).toBe(print(member('a')));
  });

  it('stays that of a verbalized member from before such members had personas', () => {
    const made = (recipe: object) => print({ id: 'a', family: 'f', model: 'm', recipe });
    expect(made({ kind: 'verbalized' })).toBe('2bc57759eb00a33b');
    expect(made({ kind: 'verbalized', persona: null, exemplars: [] })).toBe('2bc57759eb00a33b');
    expect(made({ kind: 'verbalized', mode: 'cot', tail: 0.1 })).toBe('8ec9ba32fef7e1ac');
  });

  it('of an ensemble does not depend on names or order inside', () => {
    const of = (...members: object[]) =>
      print({ id: 'e', family: 'f', recipe: { kind: 'ensemble', members } });
    expect(of(member('x'), member('y'))).toBe(of({ ...member('y'), id: 'q' }, member('x')));
  });

  it('has the family where there is no model, and the id of a person', () => {
    expect(print({ id: 'a', family: 'curt' })).not.toBe(print({ id: 'a', family: 'kind' }));
    const person = (id: string) => print({ id, family: 'people', recipe: { kind: 'human' } });
    expect(person('one')).not.toBe(person('two'));
  });
});

describe('a member that cannot be', () => {
  it.each([
    [null, 'the member: found nothing, expected a mapping'],
    [[], 'the member: found a list of 0, expected a mapping'],
    [{ id: '', family: 'f' }, "id: found '', expected a name of 1 to 200 characters"],
    [{ id: 'a\u0007', family: 'f' }, 'id: found'],
    [{ id: 'a' }, 'family: found nothing, expected a name'],
    [member('a', { modle: 1 }), "found the key 'modle', expected 'model', or another of id, family"],
    [member('a', { recipe: { kind: 'telepathy' } }), 'recipe.kind: found'],
    [member('a', { recipe: { kind: 'direct', k: 1 } }), "recipe: found the key 'k', expected kind"],
    [member('a', { recipe: 'direct' }), "recipe: found 'direct', expected a mapping whose kind is one of"],
    [member('a', { recipe: { kind: 'persona' } }), 'recipe: found neither, expected one of text and bank'],
    [
      member('a', { recipe: { kind: 'persona', text: 'x', bank: ['y'] } }),
      'recipe: found both, expected one of text and bank',
    ],
    [
      member('a', { recipe: { kind: 'persona', bank: ['y', 'y'] } }),
      "recipe.bank: found ['y', 'y'], expected a list of 1 to 10000 different texts",
    ],
    [
      member('a', { recipe: { kind: 'verbalized', candidates: 1 } }),
      'recipe.candidates: found 1, expected a whole number from 2 to 20',
    ],
    [
      member('a', { recipe: { kind: 'verbalized', persona: '' } }),
      "recipe.persona: found '', expected a text of 1 to 20000 characters",
    ],
    [
      member('a', { recipe: { kind: 'verbalized', exemplars: 'asks a lot' } }),
      "recipe.exemplars: found 'asks a lot', expected a list of at most 100 texts of 1 to 20000 characters",
    ],
    [
      member('a', { recipe: { kind: 'verbalized', tail: 0 } }),
      'recipe.tail: found 0, expected a number above 0 and below 1, or null',
    ],
    [
      member('a', { recipe: { kind: 'verbalized', draw: 'best' } }),
      "recipe.draw: found 'best', expected one of prob, random",
    ],
    [
      member('a', { recipe: { kind: 'pool', size: 0 } }),
      'recipe.size: found 0, expected a whole number from 1',
    ],
    [member('a', { recipe: { kind: 'pool', order: 'lifo' } }), "recipe.order: found 'lifo', expected fifo"],
    [member('a', { recipe: { kind: 'scripted' } }), "model: found 'm-a', expected null, since rules answer"],
    [member('a', { recipe: { kind: 'human' } }), "model: found 'm-a', expected null, since a person answers"],
    [
      { id: 'a', family: 'f', recipe: { kind: 'scripted', family: 'g' } },
      "recipe.family: found 'g', expected the member's family, 'f'",
    ],
    [
      member('a', { sampling: { temperature: Number.NaN } }),
      'sampling.temperature: found NaN, expected a number from 0 to 2, or null',
    ],
    [
      member('a', { sampling: { topP: 0 } }),
      'sampling.topP: found 0, expected a number above 0, at most 1, or null',
    ],
    [
      member('a', { sampling: { temperature: 2.1 } }),
      'sampling.temperature: found 2.1, expected a number from 0 to 2',
    ],
    [
      member('a', { sampling: { top_p: 1 } }),
      "sampling: found the key 'top_p', expected 'topP', or another of",
    ],
    [member('a', { model: '' }), "model: found '', expected a name of 1 to 200"],
  ])('%j: %s', (value, text) => {
    expect(faultOf(value)).toContain(text);
  });

  const between = (a: object, b: object, how = 'mixture', lambda: unknown = 0.5) => ({
    id: 'i',
    family: 'f',
    recipe: { kind: 'interpolate', a, b, lambda, how },
  });

  it('is told all its faults at once', () => {
    const text = faultOf(member('a', { checkpoint: 3, recipe: { kind: 'verbalized', mode: 'x', tail: 2 } }));
    expect(text).toMatch(/^3 faults\n/);
    for (const path of ['checkpoint', 'recipe.mode', 'recipe.tail'])
      expect(text).toContain(`  ${path}: found`);
  });

  it('interpolates outside 0 .. 1, or on a path that its ends do not have', () => {
    expect(faultOf(between(member('x'), member('y'), 'mixture', 1.1))).toContain(
      'recipe.lambda: found 1.1, expected a number from 0 to 1',
    );
    expect(faultOf(between(member('x'), member('y'), 'prompt'))).toContain(
      'recipe.how: found prompt, expected mixture',
    );
    const same = { model: 'm', family: 'g' };
    const hot = { ...same, id: 'hot', sampling: { temperature: 1 } };
    const cold = { ...same, id: 'cold', sampling: { temperature: 0 } };
    expect(readMember(between(hot, cold, 'sampling')).recipe.kind).toBe('interpolate');
    expect(readMember(between(hot, { ...cold, recipe: recipes[1] }, 'prompt')).recipe.kind).toBe(
      'interpolate',
    );
    expect(faultOf(between(hot, { ...cold, recipe: recipes[1] }, 'sampling'))).toContain(
      'more than sampling',
    );
    expect(faultOf(between(hot, { ...same, id: 'free' }, 'sampling'))).toContain(
      'in both of a and b or in neither',
    );
    expect(faultOf(between(hot, { ...hot, id: 'twin' }))).toContain(
      "found 'twin', the same simulator as 'hot'",
    );
  });

  it('holds members that hold members, or nobody', () => {
    const inner = { id: 'e', family: 'f', recipe: { kind: 'ensemble', members: [member('x'), member('y')] } };
    expect(
      faultOf({ id: 'o', family: 'f', recipe: { kind: 'ensemble', members: [member('z'), 'e'] } }, [inner]),
    ).toContain(
      "recipe.members[1]: found 'e', whose recipe is ensemble, expected a member whose recipe holds no other",
    );
    expect(
      faultOf({ id: 'o', family: 'f', recipe: { kind: 'ensemble', members: [member('z'), inner] } }),
    ).toContain('recipe.members[1].recipe.kind: found');
    expect(
      faultOf({ id: 'o', family: 'f', recipe: { kind: 'ensemble', members: ['alise', 'alice'] } }, [
        member('alice'),
      ]),
    ).toContain("recipe.members[0]: found 'alise', expected the id of a member (did you mean 'alice'?)");
    expect(
      faultOf(member('o', { recipe: { kind: 'ensemble', members: [member('y'), member('z')] } })),
    ).toContain("model: found 'm-o', expected nothing");
    expect(faultOf({ id: 'o', family: 'f', recipe: { kind: 'ensemble', members: ['o', 'p'] } })).toContain(
      "found 'o'",
    );
  });

  it('may hold itself, and is refused all the same', () => {
    const knot: Record<string, unknown> = { id: 'k', family: 'f' };
    knot.recipe = { kind: 'interpolate', a: knot, b: knot, lambda: 0, how: 'mixture' };
    expect(faultOf(knot)).toContain('recipe.a.recipe');
  });
});
