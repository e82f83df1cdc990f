import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../../src/embedding/behaviour.ts';
import { seeded } from '../../src/math/index.ts';
import {
  assignAll,
  type BehaviourSpace,
  compareView,
  fitSpace,
  ProfileBuilder,
} from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES, withFacts } from './synthetic.ts';

const spaceOf = (behaviours: Behaviour[], reference: Behaviour[] = []) =>
  fitSpace({ behaviours, reference, embedder: EMBEDDER, features: FEATURES }, { seed: 4 });

function profileOf(space: BehaviourSpace, rows: Behaviour[], reference: Behaviour[] = []) {
  const builder = new ProfileBuilder(space.id, { seed: space.seed });
  builder.addPlaced(assignAll(space, rows));
  builder.addPlaced(assignAll(space, reference, { reference: true }));
  return builder.build();
}

const crossed = episodes({ simulators: ['a', 'b', 'c'], contexts: 12, perCell: 4, topic: 0.5 });
const people = episodes({
  simulators: ['people'],
  contexts: 12,
  perCell: 8,
  topic: 0.5,
  kind: 'human',
  person: (_, context, copy) => `p${context}-${copy % 4}`,
});
const alone = (name: string, perCell = 4) =>
  episodes({ simulators: [name], contexts: 10, perCell, topic: 0.5, contextName: (c) => `${name}-${c}` });

describe('compareView', () => {
  it('controls for context where simulators share contexts', () => {
    const space = spaceOf(crossed, people);
    const view = compareView(profileOf(space, crossed, people), space);
    expect(view.control).toBe('context');
    expect(view.codebook).toBe('episode');
    expect(view.unit).toBe('context');
    expect(view.rows.size).toBe(144);
    expect(view.simulators).toEqual(['a', 'b', 'c']);
    expect(view.people!.fit + view.people!.mass.size + view.people!.ceiling.size).toBe(96);
    expect(view.k).toBe(space.k);
  });

  it('leaves ineligible rows out and counts them', () => {
    const rows = [...crossed, ...alone('c', 2)];
    const space = spaceOf(rows);
    const view = compareView(profileOf(space, rows), space);
    expect(view.control).toBe('context');
    expect(view.rows.size).toBe(144);
    expect(view.shares.used).toBeCloseTo(144 / 164, 10);
    expect(view.shares.simulators.find(({ simulator }) => simulator === 'c')!.eligible).toBeCloseTo(
      48 / 68,
      10,
    );
  });

  it('compares all rows in the interaction block where one simulator has under half its rows eligible', () => {
    const rows = [...crossed, ...alone('d')];
    const space = spaceOf(rows);
    const view = compareView(profileOf(space, rows), space);
    expect(view.control).toBe('interaction');
    expect(view.reason).toContain('d 0 %');
    expect(view.rows.size).toBe(184);
    const without = compareView(profileOf(space, rows), space, { simulators: ['a', 'b', 'c'] });
    expect(without.control).toBe('context');
  });

  it('compares in the interaction block where wording alone puts a simulator outside', () => {
    const odd = episodes({ simulators: ['odd'], contexts: 12, perCell: 4, topic: 0.5 }).map((row) => ({
      ...row,
      semantic: row.semantic.map((x, j) => x + (j % 3 === 0 ? 6 : 0)),
    }));
    const space = spaceOf([...crossed, ...odd], people);
    const view = compareView(profileOf(space, [...crossed, ...odd], people), space);
    expect(view.control).toBe('interaction');
    expect(view.reason).toMatch(/^style: .*odd 100 %/);
    expect(view.shares.simulators.find(({ simulator }) => simulator === 'odd')!.outside.semantic).toBe(1);
  });

  it('uses z as it is in a single context, and then the person as unit where most rows have one', () => {
    const one = (name: string, person: boolean) =>
      episodes({
        simulators: [name],
        contexts: 1,
        perCell: 60,
        person: (_, __, copy) => (person ? `${name}-${copy % 20}` : null),
      });
    const space = spaceOf([...one('a', false), ...one('b', false)]);
    const bare = compareView(profileOf(space, [...one('a', false), ...one('b', false)]), space);
    expect(bare.control).toBe('none');
    expect(bare.unit).toBe('episode');
    expect(bare.unitReason).toContain('one context holds 100 %');
    expect(bare.units).toHaveLength(120);
    const persons = compareView(profileOf(space, [...one('a', true), ...one('b', true)]), space);
    expect(persons.unit).toBe('person');
    expect(persons.units).toHaveLength(40);
  });

  it('compares rows of other contexts in the interaction block of a space fitted in one', () => {
    const one = episodes({ simulators: ['a', 'b'], contexts: 1, perCell: 40 });
    const space = spaceOf(one);
    const view = compareView(profileOf(space, crossed), space);
    expect(view.control).toBe('interaction');
    expect(view.reason).toContain('12');
  });

  it('takes the episode as unit where contexts do not repeat', () => {
    const rows = ['a', 'b'].flatMap((name) =>
      episodes({ simulators: [name], contexts: 40, perCell: 1, contextName: (c) => `${name}-${c}` }),
    );
    const space = spaceOf(rows);
    const view = compareView(profileOf(space, rows), space);
    expect(view.control).toBe('interaction');
    expect(view.unit).toBe('episode');
    expect(view.unitReason).toContain('contexts do not repeat');
  });

  it('numbers contexts and units by content, so that renaming moves nothing but names', () => {
    const renamed = seeded('x')
      .shuffle([...crossed])
      .map((row) =>
        withFacts(row, {
          simulator: { a: 'z', b: 'y', c: 'x' }[row.facts.simulator]!,
          context: `${99 - Number(row.facts.contextLabel)}`,
        }),
      );
    const [s1, s2] = [spaceOf(crossed), spaceOf(renamed)];
    const [v1, v2] = [compareView(profileOf(s1, crossed), s1), compareView(profileOf(s2, renamed), s2)];
    expect(v2.rows.cell).toEqual(v1.rows.cell);
    expect(v2.rows.unit).toEqual(v1.rows.unit);
    expect(v2.rows.context).toEqual(v1.rows.context);
    expect(v2.rows.outside).toEqual(v1.rows.outside);
    const ordered = (view: typeof v1) => view.simulatorOrder.map((i) => view.simulators[i]!);
    expect(ordered(v2)).toEqual(ordered(v1).map((name) => ({ a: 'z', b: 'y', c: 'x' })[name]));
  });

  it('takes annotated acts as cells when asked, without the rows that have none', () => {
    const acted = crossed.map((row, i) => withFacts(row, { acts: i % 3 === 0 ? null : [[`act${i % 3}`]] }));
    const space = spaceOf(crossed);
    const view = compareView(profileOf(space, acted), space, { classes: 'act' });
    expect(view.codebook).toBe('acts');
    expect(view.classes).toEqual(['act1', 'act2']);
    expect(view.k).toBe(2);
    expect(view.rows.size).toBe(96);
    expect(() => compareView(profileOf(space, crossed), space, { classes: 'act' })).toThrow(
      expect.objectContaining({ code: 'CA_INPUT_EMPTY' }),
    );
  });

  it('merges profiles of one space and refuses those of another', () => {
    const space = spaceOf(crossed);
    const parts = [profileOf(space, crossed.slice(0, 70)), profileOf(space, crossed.slice(50))];
    expect(compareView(parts, space).rows).toMatchObject({
      cell: compareView(profileOf(space, crossed), space).rows.cell,
    });
    const other = spaceOf(crossed, people);
    expect(() => compareView(profileOf(space, crossed), other)).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }),
    );
  });
});
