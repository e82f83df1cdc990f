import { describe, expect, it } from 'vitest';
import {
  type DrawFacts,
  drawMember,
  memberShares,
  routeNames,
  routeOf,
  weightsAtGreen,
} from '../../../src/gateway/cast/index.ts';
import { raisedWeights } from '../../../src/gateway/live/index.ts';
import { readPopulation } from '../../../src/gateway/settings/read-population.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';

const scripted = (id: string) => ({ id, family: id, recipe: { kind: 'scripted' } });
const POPULATION = readPopulation(
  {
    members: ['a', 'b', 'c', 's', 't', 'u'].map(scripted),
    seen: ['a', 'b', 'c'],
    selection: ['s'],
    test: ['t', 'u'],
    aliases: { 'gpt-4.1': 'population', strict: 'population/b' },
  },
  { upstreams: [] },
);
const FACTS: DrawFacts = {
  session: 's1',
  group: null,
  seed: '0',
  weights: new Map(),
  raised: new Set(),
  resting: new Set(),
  coverage: null,
};
const draw = (model: string, facts: Partial<DrawFacts> = {}) =>
  drawMember(POPULATION, routeOf(POPULATION, model), { ...FACTS, ...facts }).id;

describe('a model name', () => {
  it('stands for the population, one of its members, or a panel', () => {
    expect(routeNames(POPULATION)).toEqual([
      'population',
      'population/a',
      'population/b',
      'population/c',
      'panel/selection',
      'panel/selection/s',
      'panel/test',
      'panel/test/t',
      'panel/test/u',
      'probe/population',
      'gpt-4.1',
      'strict',
    ]);
    for (const name of routeNames(POPULATION)) expect(() => routeOf(POPULATION, name)).not.toThrow();
    expect(draw('strict')).toBe('b');
    expect(draw('openai/population/c')).toBe('c');
  });

  it.each(['population/s', 'panel/seen', 'panel/selection/t', 'gpt-4', '__proto__', 'constructor', ''])(
    'is not found: %s',
    (name) => {
      expect(() => routeOf(POPULATION, name)).toThrow(ApiError);
      try {
        routeOf(POPULATION, name);
      } catch (error) {
        expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
      }
    },
  );
});

describe('a draw', () => {
  it('gives one group one member, and other groups others', () => {
    const of = (group: string) =>
      new Set(Array.from({ length: 20 }, (_, i) => draw('population', { group, session: `s${i}` })));
    const groups = Array.from({ length: 60 }, (_, i) => of(`g${i}`));
    expect(groups.every((members) => members.size === 1)).toBe(true);
    expect(new Set(groups.flatMap((members) => [...members]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('keeps the member of a group while weights change, and has it wait where that one rests', () => {
    const facts = {
      group: 'g',
      groupMember: { id: 'b', member: POPULATION.panels.seen[1]! },
      weights: new Map([
        ['a', 1],
        ['b', 0],
        ['c', 0],
      ]),
    };
    expect(draw('population', facts)).toBe('b');
    expect(() => draw('population', { ...facts, resting: new Set(['b']) })).toThrow(/of this group/);
    expect(draw('population', { ...facts, groupMember: null })).toBe('a');
    expect(draw('population/c', facts)).toBe('c');
    expect(draw('panel/selection', facts)).toBe('s');
  });

  it('goes on with a member of a group that was removed, and waits for one that cannot be had', () => {
    const [former] = readPopulation({ members: [scripted('former')], seen: ['former'] }, { upstreams: [] })
      .panels.seen;
    const facts = { group: 'g', groupMember: { id: 'former', member: former! } };
    expect(draw('population', facts)).toBe('former');
    expect(() => draw('population', { ...facts, groupMember: { id: 'former', member: null } })).toThrow(
      /can no longer be had/,
    );
  });

  it('follows the weights over groups', () => {
    const weights = new Map([
      ['a', 8],
      ['b', 1],
      ['c', 1],
    ]);
    const n = 4000;
    const drawn = Array.from({ length: n }, (_, i) => draw('population', { group: `g${i}`, weights }));
    const share = drawn.filter((id) => id === 'a').length / n;
    // Binomial: six standard deviations.
    expect(Math.abs(share - 0.8)).toBeLessThan(6 * Math.sqrt((0.8 * 0.2) / n));
    expect(memberShares(POPULATION, 'seen', { ...FACTS, weights }).get('a')).toBeCloseTo(0.8, 12);
  });

  it('is each alike under uniform, and follows what a level raises there too', () => {
    const uniform = { ...POPULATION, draw: 'uniform' as const, weights: { a: 9, b: 1, c: 0 } };
    const drawn = (weights: ReadonlyMap<string, number>) => {
      const route = routeOf(uniform, 'population');
      const ids = Array.from(
        { length: 2000 },
        (_, i) => drawMember(uniform, route, { ...FACTS, weights, session: `s${i}` }).id,
      );
      return (id: string) => ids.filter((one) => one === id).length / ids.length;
    };
    const green = drawn(weightsAtGreen(uniform));
    expect(green('a')).toBeCloseTo(0.5, 1);
    expect(green('c')).toBe(0);
    const yellow = drawn(raisedWeights(weightsAtGreen(uniform), ['b'], 'yellow').weights);
    expect(yellow('b')).toBeCloseTo(0.75, 1);
    expect(weightsAtGreen({ ...uniform, draw: 'group' }).get('a')).toBe(9);
  });

  it('gives half of the others groups to anti-collapse members where coverage decides, as the shares say', () => {
    const covering = {
      ...POPULATION,
      draw: 'least-covered' as const,
      weights: { a: 1, b: 1, c: 1 },
    };
    const route = routeOf(covering, 'population');
    const n = 3000;
    const check = (facts: Partial<DrawFacts>, expected: Readonly<Record<string, number>>) => {
      const all = { ...FACTS, ...facts };
      const ids = Array.from(
        { length: n },
        (_, i) => drawMember(covering, route, { ...all, group: `g${i}`, session: `s${i}` }).id,
      );
      const shares = memberShares(covering, 'seen', all);
      for (const [id, share] of Object.entries(expected)) {
        expect(shares.get(id), id).toBeCloseTo(share, 12);
        const found = ids.filter((one) => one === id).length / n;
        // Binomial: six standard deviations.
        expect(Math.abs(found - share), id).toBeLessThanOrEqual(6 * Math.sqrt((share * (1 - share)) / n));
      }
    };
    const reach = (rows: Readonly<Record<string, readonly number[]>>) => ({
      target: [0.5, 0.5],
      covered: [0, 0.5],
      reach: new Map(Object.entries(rows)),
    });
    // `a` and `b` add as much, `c` adds less.
    const coverage = reach({ a: [1, 0], b: [1, 0], c: [0, 1] });
    check({ coverage }, { a: 1 / 2, b: 1 / 2, c: 0 });
    check({ coverage, raised: new Set(['c']) }, { a: 1 / 4, b: 1 / 4, c: 1 / 2 });
    check({ coverage, raised: new Set(['b']) }, { a: 1 / 4, b: 3 / 4, c: 0 });
    check({ coverage, raised: new Set(['b', 'c']) }, { a: 1 / 4, b: 3 / 4, c: 0 });
    check({ coverage, raised: new Set(['c']), resting: new Set(['c']) }, { a: 1 / 2, b: 1 / 2, c: 0 });
    check({ coverage, raised: new Set(['b']), weights: new Map([['b', 0]]) }, { a: 1, b: 0, c: 0 });
    // Before anything is known, by the weights.
    const { weights } = raisedWeights(weightsAtGreen(covering), ['c'], 'yellow');
    check({ weights, raised: new Set(['c']) }, { a: 1 / 6, b: 1 / 6, c: 2 / 3 });
  });

  it('moves no group of an anti-collapse member to another when they are raised', () => {
    const covering = { ...POPULATION, draw: 'least-covered' as const };
    const route = routeOf(covering, 'population');
    const coverage = {
      target: [1],
      covered: [0],
      reach: new Map([
        ['a', [1]],
        ['b', [1]],
        ['c', [1]],
      ]),
    };
    for (let i = 0; i < 100; i++) {
      const facts = { ...FACTS, coverage, group: `g${i}` };
      const green = drawMember(covering, route, facts).id;
      const yellow = drawMember(covering, route, { ...facts, raised: new Set(['b']) }).id;
      if (green === 'b') expect(yellow).toBe('b');
      else expect([green, 'b']).toContain(yellow);
    }
  });

  it('passes over members that rest and moves only their groups', () => {
    for (let i = 0; i < 50; i++) {
      const before = draw('population', { group: `g${i}` });
      const after = draw('population', { group: `g${i}`, resting: new Set(['a']) });
      if (before === 'a') expect(['b', 'c']).toContain(after);
      else expect(after).toBe(before);
    }
  });

  it('says 503 where everybody rests, or the one that was asked for', () => {
    const resting = new Set(['a', 'b', 'c']);
    expect(() => draw('population', { resting })).toThrow(/rests/);
    expect(() => draw('population/b', { resting: new Set(['b']) })).toThrow(/'b'/);
  });

  it('takes panels a session at a time', () => {
    const drawn = new Set(
      Array.from({ length: 40 }, (_, i) => draw('panel/test', { session: `s${i}`, group: 'one' })),
    );
    expect(drawn).toEqual(new Set(['t', 'u']));
  });
});
