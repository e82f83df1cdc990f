import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import { seeded } from '../../src/math/random.ts';
import { readPanels } from '../../src/population/index.ts';
import { ids, member, panels } from './members.ts';

const refused = (value: unknown) => {
  try {
    readPanels(value, { file: 'panels.json' });
  } catch (error) {
    expect(error).toBeInstanceOf(CollapseAwareError);
    return (error as CollapseAwareError).line;
  }
  throw new Error('nothing was refused');
};
const ensemble = (id: string, ...members: unknown[]) => ({
  id,
  family: `family-${id}`,
  recipe: { kind: 'ensemble', members },
});
const person = (id: string) => ({ id, family: 'people', recipe: { kind: 'human' } });

describe('panels', () => {
  it('hold members in the order of ids, whatever the order of the file', () => {
    fc.assert(
      fc.property(ids(3), fc.string(), (names, seed) => {
        const list = names.map((id, i) => member(id, { family: `f${i}` }));
        const [b, c, ...a] = list;
        const read = (shuffle: boolean) => {
          const random = seeded(seed);
          const some = shuffle ? random.shuffle([...a]) : a;
          return readPanels(panels({ seen: some, selection: [b], test: [c] }));
        };
        expect(read(true)).toEqual(read(false));
        expect(read(true).notes).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('take members by id, from the catalogue or from one another', () => {
    const read = readPanels(
      panels({
        members: [member('x'), member('y')],
        seen: ['x', member('a')],
        test: [ensemble('e', 'y', member('z'))],
      }),
    );
    expect(read.seen.map(({ id }) => id)).toEqual(['a', 'x']);
    expect(read.test[0]!.recipe).toMatchObject({ members: [{ id: 'y' }, { id: 'z' }] });
  });

  it('say which are empty', () => {
    const { notes } = readPanels(panels({ selection: [], test: [] }));
    expect(notes.map(({ kind, panels: of }) => [kind, ...of])).toEqual([
      ['empty', 'selection'],
      ['empty', 'test'],
    ]);
    expect(refused(panels({ seen: [], selection: [], test: [] }))).toContain('found three empty panels');
  });

  it('share no family, unless asked for members alone, and then say so', () => {
    const shared = { seen: [member('a', { family: 'Qwen' })], test: [member('c', { family: ' qwen' })] };
    expect(refused(panels(shared))).toMatch(
      /^CA_PANEL_OVERLAP: panels.json: family 'Qwen' stands in seen and test - /,
    );
    expect(readPanels(panels({ ...shared, disjoint: 'members' })).notes).toMatchObject([
      { kind: 'shared-family', panels: ['seen', 'test'], family: 'Qwen' },
    ]);
  });

  it('find a family inside a recipe', () => {
    expect(
      refused(panels({ test: [ensemble('e', member('x', { family: 'family-a' }), member('y'))] })),
    ).toContain("family 'family-a' stands in seen and test");
  });

  it('split people by person, and say so', () => {
    const { notes } = readPanels(panels({ seen: [person('p1'), person('p2')], test: [person('p3')] }));
    expect(notes).toMatchObject([{ kind: 'people', panels: ['seen', 'test'], family: 'people' }]);
    expect(refused(panels({ seen: [person('p1')], test: [person('p1')] }))).toContain(
      "'p1' of seen and 'p1' of test are one simulator (the same id)",
    );
  });
});

describe('a member in two panels', () => {
  const both = { disjoint: 'members' };
  it.each([
    [
      'by id',
      { test: [member('a', { model: 'other' })] },
      "'a' of seen and 'a' of test are one simulator (the same id)",
    ],
    [
      'by content under another name',
      { test: [{ ...member('a'), id: 'stranger', family: 'far' }] },
      "'a' of seen and 'stranger' of test are one simulator (the same fingerprint)",
    ],
    [
      'inside an ensemble',
      { test: [ensemble('e', member('z'), { ...member('a'), id: 'q' })] },
      "'a' of seen and 'q' (inside 'e') of test are one simulator (the same fingerprint)",
    ],
    [
      'inside two interpolations',
      {
        seen: [
          {
            id: 'i',
            family: 'f',
            recipe: { kind: 'interpolate', a: member('x'), b: member('y'), lambda: 0, how: 'mixture' },
          },
        ],
        selection: [
          {
            id: 'j',
            family: 'g',
            recipe: { kind: 'interpolate', a: member('z'), b: member('y'), lambda: 1, how: 'mixture' },
          },
        ],
      },
      "'y' (inside 'i') of seen and 'y' (inside 'j') of selection are one simulator (the same id)",
    ],
  ])('is found %s, and both are named', (_, more, text) => {
    const line = refused(panels({ ...both, ...more }));
    expect(line).toMatch(/^CA_PANEL_OVERLAP: panels.json: /);
    expect(line).toContain(text);
  });

  it('named by id in both is one too', () => {
    expect(refused(panels({ ...both, members: [member('x')], seen: ['x'], test: ['x'] }))).toContain(
      'CA_PANEL_OVERLAP',
    );
  });
});

describe('panels that cannot be', () => {
  it.each([
    [null, 'the panels: found nothing, expected a mapping with schema, seen, selection, test'],
    [panels({ schema: 'collapse-aware/panels@2' }), "expected 'collapse-aware/panels@1'"],
    [panels({ tset: [] }), "found the key 'tset', expected 'test', or another of"],
    [panels({ test: undefined }), 'test: found nothing, expected a list'],
    [panels({ test: [3] }), 'test[0]: found 3, expected the id of a member, or a mapping'],
    [panels({ test: ['nobody'] }), "test[0]: found 'nobody', expected the id of a member"],
    [panels({ test: ['__proto__'] }), "test[0]: found '__proto__', expected the id of a member"],
    [
      panels({ test: [member('c', { recipe: { kind: 'verbalized', candidates: 99 } })] }),
      'test[0].recipe.candidates: found 99',
    ],
    [panels({ disjoint: 'none' }), "disjoint: found 'none', expected one of families, members"],
    [panels({ seen: [member('a'), member('a')] }), "seen: found 'a' twice, expected every simulator once"],
    [panels({ seen: [member('a'), { ...member('a'), id: 'q' }] }), "seen: found 'q' and 'a', one simulator"],
    [panels({ members: [member('x'), member('x')] }), "members[1].id: found 'x', expected an id of its own"],
    [
      panels({ members: [member('a')] }),
      "seen[0].id: found 'a', expected an id that `members` does not have",
    ],
    [panels({ members: [{ ...member('x'), recipe: { kind: 'human' } }] }), "members[0].model: found 'm-x'"],
    [
      panels({ seen: [member('a'), ensemble('e', member('a', { model: 'else' }), member('y'))] }),
      "seen: found 'a' inside 'e' and another simulator of that id",
    ],
  ])('%#: %s', (value, text) => {
    const line = refused(value);
    expect(line).toMatch(/^CA_CONFIG_INVALID: panels.json: /);
    expect(line).toContain(text);
  });

  it('are never taken for anything but an error with a code', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('seen', 'members', 'disjoint', 'test'), (value, key) => {
        try {
          readPanels(panels({ [key]: value }));
        } catch (error) {
          expect(error).toBeInstanceOf(CollapseAwareError);
        }
      }),
    );
  });
});
