import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import {
  DEFAULT_FAMILIES,
  familyShares,
  labPanelsHash,
  readLabPanels,
  writtenLabPanels,
} from '../../../src/lab/simulators/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ids } from '../../population/members.ts';

const family = (id: string, more: object = {}) => ({ id, kappa: 0.5, gamma: 4, lean: 0.5, ...more });
const panels = (more: object = {}) => ({
  schema: 'collapse-aware/lab-panels@1',
  families: ['a', 'b', 'c'].map((id) => family(id)),
  seen: ['a'],
  selection: ['b'],
  test: ['c'],
  ...more,
});
const refused = (value: unknown) => {
  try {
    readLabPanels(value, { file: 'panels.json' });
  } catch (error) {
    expect(error).toBeInstanceOf(CollapseAwareError);
    return (error as CollapseAwareError).line;
  }
  throw new Error('nothing was refused');
};

/** Families of any ids, shared out over three panels; capitals and spaces make no other family. */
const anyPanels = fc
  .record({
    names: ids(3).filter(
      (names) => new Set(names.map((id) => id.normalize('NFKC').toLowerCase().trim())).size === names.length,
    ),
    knobs: fc.array(
      fc.record({
        kappa: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
        gamma: fc.double({ min: 1, max: 64, noNaN: true }),
        lean: fc.double({ min: 0, max: 0.99, noNaN: true }),
      }),
      { minLength: 8, maxLength: 8 },
    ),
    seat: fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
  })
  .map(({ names, knobs, seat }) => {
    const of = (panel: number) => names.filter((_, i) => (i < 3 ? i : seat[i]) === panel);
    return {
      schema: 'collapse-aware/lab-panels@1',
      families: names.map((id, i) => ({ id, ...knobs[i]! })),
      seen: of(0),
      selection: of(1),
      test: of(2),
    };
  });

describe('panels of the lab', () => {
  it('are read from any valid file, through text too', () => {
    fc.assert(
      fc.property(anyPanels, (value) => {
        const read = readLabPanels(value);
        const byName = new Map(value.families.map((one) => [one.id, one]));
        expect(read.seen).toEqual(value.seen.map((id) => byName.get(id)));
        for (const panel of ['selection', 'test'] as const)
          expect(read[panel]).toEqual([...value[panel]].sort().map((id) => byName.get(id)));
        expect(readLabPanels(JSON.parse(JSON.stringify(value)))).toEqual(read);
        expect(readLabPanels(writtenLabPanels(read))).toEqual(read);
      }),
    );
  });

  it('hold the default families, without a note', () => {
    const { notes, ...read } = readLabPanels(writtenLabPanels(DEFAULT_FAMILIES));
    expect(read).toEqual(DEFAULT_FAMILIES);
    expect(notes).toEqual([]);
  });

  it('take families that nobody has seen: their ids seed a taste of their own', () => {
    const world = persuasion();
    const { seen, selection, test } = readLabPanels(
      panels({
        families: ['new one', 'neu', '新'].map((id) => family(id)),
        seen: ['new one'],
        selection: ['neu'],
        test: ['新'],
      }),
    );
    const shares = [seen, selection, test].map(([one]) => familyShares(world, one!));
    shares.forEach((own) => {
      const apart = world.types.reduce((sum, { share }, z) => sum + Math.abs(own[z]! - share), 0) / 2;
      expect(apart).toBeCloseTo(0.5, 9);
    });
    expect(shares[0]).not.toEqual(shares[1]);
    expect(shares[1]).not.toEqual(shares[2]);
  });

  it('have a hash that the order of families and of held-out panels does not move, and everything else does', () => {
    fc.assert(
      fc.property(anyPanels, fc.string(), (value, seed) => {
        const mixed = (list: readonly unknown[]) => seeded(seed).shuffle([...list]);
        const again = {
          ...value,
          families: mixed(value.families),
          selection: mixed(value.selection),
          test: mixed(value.test),
        };
        const hash = labPanelsHash(readLabPanels(value));
        expect(hash).toMatch(/^[0-9a-f]{32}$/);
        expect(labPanelsHash(readLabPanels(again))).toBe(hash);
      }),
      { numRuns: 50 },
    );
    const hash = (more: object) => labPanelsHash(readLabPanels(panels(more)));
    const others = [
      {},
      { seen: ['b'], selection: ['a'] },
      { families: [family('a', { gamma: 5 }), family('b'), family('c')] },
      { families: [family('a', { kappa: 0.4 }), family('b'), family('c')] },
      { families: [family('a', { lean: 0.4 }), family('b'), family('c')] },
      { families: [family('d'), family('b'), family('c')], seen: ['d'] },
    ].map(hash);
    const two = { families: ['a', 'b', 'c', 'd'].map((id) => family(id)) };
    others.push(hash({ ...two, seen: ['a', 'd'] }), hash({ ...two, seen: ['d', 'a'] }));
    expect(new Set(others).size).toBe(others.length);
  });

  it('say where there are too few, and who is left over', () => {
    const { notes } = readLabPanels(panels({ families: ['a', 'b', 'c', 'd'].map((id) => family(id)) }));
    expect(notes.map(({ kind }) => kind)).toEqual(['few-seen', 'few-tested', 'unused']);
    expect(notes[1]!.text).toBe(
      '1 family is in the test panel: with fewer than 6 nothing is claimed about other simulators',
    );
  });

  it('share no family, under one id or two', () => {
    expect(refused(panels({ test: ['a'] }))).toMatch(
      /^CA_PANEL_OVERLAP: panels.json: 'a' of seen and 'a' of test are one simulator .* take it out of all panels but one$/,
    );
    const spelt = [family('a'), family('b'), family(' A')];
    expect(refused(panels({ families: spelt, test: [' A'] }))).toContain(
      "CA_PANEL_OVERLAP: panels.json: family 'a'",
    );
    // Nothing of these hangs on their ids.
    for (const same of [{ kappa: 0 }, { lean: 1 }]) {
      const families = [family('a', same), family('b'), family('c', same)];
      expect(refused(panels({ families }))).toContain("'a' of seen and 'c' of test are one simulator");
      expect(refused(panels({ families, seen: ['a', 'c'], test: ['b'], selection: ['b'] }))).toContain(
        "found 'c' and 'a', one simulator",
      );
    }
  });

  it('name every fault of form at once, with the value and what is allowed', () => {
    const line = refused({
      schema: 'collapse-aware/panels@1',
      families: [
        family('a', { kappa: 0.95 }),
        family('b', { gamma: Number.NaN }),
        family('c', { lean: '0.5' }),
        { id: 'd', kapa: 0.1, gamma: 4, lean: 0 },
        family('', { gamma: 65 }),
        'e',
      ],
      seen: [],
      selectoin: ['b'],
      test: [1],
    });
    for (const told of [
      'CA_CONFIG_INVALID: panels.json: ',
      "schema: found 'collapse-aware/panels@1', expected 'collapse-aware/lab-panels@1'",
      'families[0].kappa: found 0.95, expected a number from 0 to 0.9',
      'families[1].gamma: found NaN, expected a number from 1 to 64',
      "families[2].lean: found '0.5', expected a number from 0 to 1",
      'families[3].kappa: found nothing',
      "families[3]: found the key 'kapa', expected 'kappa', or another of id, kappa, gamma, kindGamma, lean",
      "families[4].id: found ''",
      'families[4].gamma: found 65',
      "families[5]: found 'e', expected a mapping with id, kappa, gamma, lean",
      'seen: found a list of 0, expected a list of 1 to 1000 ids of families',
      'selection: found nothing',
      "found the key 'selectoin', expected 'selection', or another of schema, families, seen, selection, test",
      'test[0]: found 1',
      'docs/lab-panels.md',
    ])
      expect(line).toContain(told);
  });

  it('name every fault of names at once', () => {
    const line = refused(
      panels({
        families: [family('alder'), family('b'), family('c'), family('c'), family('people')],
        seen: ['adler', 'b', 'b'],
        test: ['nobody'],
      }),
    );
    for (const told of [
      "families[3].id: found 'c', expected an id of its own",
      "families[4].id: found 'people', expected an id other than people, ",
      "seen[0]: found 'adler', expected the id of a member (did you mean 'alder'?)",
      "seen[2]: found 'b' once more, expected every family once",
      "test[0]: found 'nobody', expected the id of a member",
    ])
      expect(line).toContain(told);
  });

  it('refuse what is no file of panels in words, whatever it is', () => {
    for (const value of [null, undefined, 3, 'seen', [], [family('a')], () => 1, Number.NaN])
      expect(refused(value)).toContain('CA_CONFIG_INVALID: panels.json: the panels of the lab: found ');
    for (const keys of ['{"__proto__": {"seen": ["a"]}}', '{"constructor": 1, "toString": []}'])
      expect(refused(JSON.parse(keys))).toContain('CA_CONFIG_INVALID');
    const text = JSON.stringify(panels()).replace('"id":"a"', '"id":"a","__proto__":{"kappa":0}');
    expect(refused(JSON.parse(text))).toContain("found the key '__proto__'");
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (families, seen) => {
        refused({ ...panels(), families, seen });
      }),
    );
  });

  it('refuse lists of a million before they look into them', () => {
    const line = refused(
      panels({ families: new Array(1e6).fill(family('a')), test: new Array(1e6).fill('c') }),
    );
    expect(line).toContain('families: found a list of 1000000, expected a list of 1 to 1000 families');
    expect(line).toContain('test: found a list of 1000000');
    const many = Array.from({ length: 1000 }, (_, i) => family(`f${i}`));
    const all = many.map(({ id }) => id);
    expect(
      readLabPanels(
        panels({
          families: many,
          seen: all.slice(0, 400),
          selection: all.slice(400, 500),
          test: all.slice(500),
        }),
      ).test,
    ).toHaveLength(500);
  });
});
