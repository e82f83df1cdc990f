import { expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import * as loop from '../../src/loop/index.ts';
import { readMember } from '../../src/population/index.ts';
import * as synthesis from '../../src/synthesis/index.ts';
import { exampleSettings } from '../loop/run-example.ts';

// As they come from callers without types.
const NONSENSE: readonly unknown[] = [
  undefined,
  null,
  0,
  Number.NaN,
  '',
  'x',
  [],
  [null],
  {},
  { id: 'a', recipe: { kind: 'direct' } },
  () => {},
];
type Call = (...values: readonly unknown[]) => unknown;
const member = readMember({ id: 'a', family: 'f', model: 'm' });
const space = { bases: ['a'], numbers: ['x'] };
const state = synthesis.newSearch(space, 1);
const path = synthesis.planPath({
  a: member,
  b: readMember({ id: 'b', family: 'f', model: 'other' }),
  how: 'mixture',
});

/** Every function, with one argument after the other replaced by nonsense. */
const CALLS: readonly (readonly [name: string, call: unknown, sound: readonly unknown[]])[] = [
  ['planPath', synthesis.planPath, [{}]],
  ['planPath a', (a: unknown) => synthesis.planPath({ a, b: member, how: 'mixture' } as never), [1]],
  ['planPath how', (how: unknown) => synthesis.planPath({ a: member, b: member, how } as never), [1]],
  ['planGaps', synthesis.planGaps, [{}]],
  [
    'planGaps bases',
    (bases: unknown) => synthesis.planGaps({ gaps: [], bases, drafts: () => [] } as never),
    [1],
  ],
  ['newSearch', synthesis.newSearch, [space]],
  ['propose', (from: unknown) => synthesis.propose(from as never, 2), [1]],
  ['tell', (from: unknown) => synthesis.tell(from as never, [], 0.5), [1]],
  ['learnability', (rows: unknown) => synthesis.learnability(rows as never, [0, 1]), [1]],
  ['verifyPath plan', (plan: unknown) => synthesis.verifyPath(plan as never, [], 4), [1]],
  ['verifyPath rows', (rows: unknown) => synthesis.verifyPath(path, rows as never, 4), [1]],
  ['verifyGap', (target: unknown) => synthesis.verifyGap(target as never, [], { realismFloor: 0.5 }), [1]],
  ['runStudy', (settings: unknown) => loop.runStudy(settings as never, { kind: 'x' }), [1]],
  ['runStudy stage', (stage: unknown) => loop.runStudy(exampleSettings(), stage as never), [1]],
  ['evolve', (settings: unknown) => loop.evolve(settings as never).next(), [1]],
];

it.each(CALLS)('%s says what is no argument, in words', (_, call, sound) => {
  for (const at of sound.keys())
    for (const nonsense of NONSENSE) {
      let found: unknown = null;
      try {
        (call as Call)(...sound.map((one, place) => (place === at ? nonsense : one)));
      } catch (error) {
        found = error;
      }
      // A list of nothing is a list, and rows of nobody are no fault.
      if (found !== null || !Array.isArray(nonsense) || nonsense.length > 0) {
        expect(found, String(nonsense)).toBeInstanceOf(CollapseAwareError);
        expect((found as CollapseAwareError).exit).toBe(2);
        expect((found as CollapseAwareError).todo).toBeTruthy();
      }
    }
});

it('asks for no more candidates than can be held, and for no share of one', () => {
  for (const n of [-1, 1.5, Number.NaN, 1e9, Number.POSITIVE_INFINITY])
    expect(() => synthesis.propose(state, n)).toThrow(expect.objectContaining({ code: 'CA_USAGE' }));
});

it.each([
  ['seed', { seed: 1.5 }],
  ['rounds', { rounds: Number.POSITIVE_INFINITY }],
  ['members', { members: [] }],
  ['members', { members: [{ id: 1 }] }],
  ['probe.rollouts', { probe: { contexts: 1, rollouts: -1, audition: 1 } }],
  ['acceptance.alpha', { acceptance: { delta: 0.1, alpha: 2 } }],
  ['synthesis.share', { synthesis: { ...exampleSettings().synthesis, share: '0.3' } }],
  ['parts.breaker', { parts: { ...exampleSettings().parts, breaker: 'no' } }],
  ['exam.people', { exam: { ...exampleSettings().exam, people: undefined } }],
  ['bars', { bars: 'mine' }],
])('names the setting of a run that it cannot go by: %s', (name, change) => {
  expect(() => loop.runStudy({ ...exampleSettings(), ...change } as never, { kind: 'x' })).toThrow(
    `settings.${name} of a run is`,
  );
});

it('has no run without a name', () => {
  for (const name of [undefined, null, 7, '', ' '])
    for (const place of [
      () => loop.runDirectory(name as never),
      () => loop.postgresRun('postgresql://x/y', name as never),
    ])
      expect(place).toThrow(expect.objectContaining({ code: 'CA_USAGE' }));
});
