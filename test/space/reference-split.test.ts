import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/index.ts';
import { placeReference, splitReference } from '../../src/space/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';

const people = (persons: number, each: number) =>
  Array.from({ length: persons * each }, (_, i) => ({
    hash: hashText(`row ${i}`),
    person: `p${i % persons}`,
    simulator: 'people',
  }));

describe('splitReference', () => {
  it('gives half of the persons to fit and a quarter each to mass and ceiling', () => {
    const rows = people(40, 3);
    const parts = splitReference(rows, 1);
    const of = new Map(rows.map((row) => [row.person, parts.get(row.hash)]));
    const count = (part: string) => [...of.values()].filter((found) => found === part).length;
    expect([count('fit'), count('mass'), count('ceiling')]).toEqual([20, 10, 10]);
    expect(rows.every((row) => parts.get(row.hash) === of.get(row.person))).toBe(true);
  });

  it('does not depend on names, order or repeated rows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        (persons, each, seed) => {
          const rows = people(persons, each);
          const renamed = seeded(seed)
            .shuffle([...rows, ...rows.slice(0, 5)])
            .map((row) => ({ ...row, person: `other ${row.person}`, simulator: 'folk' }));
          expect([...splitReference(renamed, seed)].sort()).toEqual([...splitReference(rows, seed)].sort());
        },
      ),
      { numRuns: 40 },
    );
  });

  it('takes an episode without a person as a person, and persons who share an episode as one', () => {
    const alone = people(1, 40).map((row) => ({ ...row, person: null }));
    expect(new Set(splitReference(alone, 1).values()).size).toBe(3);
    const rows = people(20, 2);
    const shared = [...rows, { ...rows[0]!, person: 'p1' }];
    const parts = splitReference(shared, 1);
    const of = (person: string) => parts.get(rows.find((row) => row.person === person)!.hash);
    expect(of('p0')).toBe(of('p1'));
  });

  it('moves persons with the seed', () => {
    const rows = people(40, 1);
    const parts = (seed: number) => rows.map((row) => splitReference(rows, seed).get(row.hash));
    expect(parts(1)).not.toEqual(parts(2));
  });
});

describe('placeReference', () => {
  it('keeps known parts, lets a person follow a known episode, and never puts a stranger into fit', () => {
    const rows = people(30, 2);
    const known = splitReference(rows.slice(0, 30), 1);
    const parts = placeReference(rows, known, 1);
    for (const row of rows)
      expect(parts.get(row.hash)).toBe(known.get(rows.find((r) => r.person === row.person)!.hash));
    const strangers = placeReference(rows, new Map(), 1);
    expect(new Set(strangers.values())).toEqual(new Set(['mass', 'ceiling']));
  });
});
