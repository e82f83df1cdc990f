import fc from 'fast-check';
import { EXPORTS } from '../../src/curation/recipe-schema.ts';

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Ways to say where concentration is corrected. */
const PLACES = {
  default: (size: number) => ({ batches: { size } }),
  weights: (size: number, weights: object) => ({
    batches: { size },
    weights: { ...weights, concentration: true, coverage: false },
  }),
  coverage: (size: number, weights: object) => ({
    batches: { size },
    weights: { ...weights, concentration: false, coverage: true },
  }),
  unbalanced: (size: number) => ({ batches: size % 2 === 0 ? false : { size, balance: 'none' } }),
  batches: (size: number) => ({ batches: { size, balance: 'mode' } }),
  gradient: (size: number) => ({ batches: { size }, gradient: true }),
  none: (size: number, weights: object) => ({
    batches: { size, balance: 'none' },
    weights: { ...weights, concentration: false, coverage: false },
  }),
} as const;

/** Recipes as people may write them. */
export const recipeInputs = fc
  .record({
    seed: maybe(fc.nat()),
    gate: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          profile: fc.constantFrom('lenient', 'standard', 'strict'),
          checks: fc.dictionary(
            fc.constantFrom(
              'leak',
              'duplicate',
              'premature-stop',
              'judge:out-of-role',
              'judge:contradicts-task',
            ),
            fc.constantFrom('drop', 'flag', 'off'),
          ),
          rewardRange: fc.constantFrom(null, [0, 1], [-1, 2]),
          unchecked: fc.constantFrom('drop', 'keep'),
          judge: fc.constantFrom(false, { url: 'http://a/v1', model: 'm', votes: 5, keyEnv: 'KEY' }),
        },
        { requiredKeys: [] },
      ),
    ),
    weights: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          alpha: finite(0, 10),
          neighbours: fc.integer({ min: 1, max: 50 }),
          bounds: fc.tuple(finite(0.01, 0.99), finite(1.01, 9)),
          ess: finite(0.01, 1),
        },
        { requiredKeys: [] },
      ),
    ),
    where: fc.constantFrom('default', 'weights', 'coverage', 'unbalanced', 'batches', 'gradient', 'none'),
    size: fc.integer({ min: 2, max: 999 }),
    advantage: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          baseline: fc.constantFrom('weighted', 'simulator'),
          normalise: fc.boolean(),
          consistency: fc.oneof(fc.boolean(), fc.constant({ rule: 'group-dro', base: 'p' })),
        },
        { requiredKeys: [] },
      ),
    ),
    selection: fc.oneof(fc.boolean(), fc.record({ keep: fc.integer({ min: 2, max: 64 }) })),
    allocation: fc.oneof(fc.boolean(), fc.record({ budget: fc.integer({ min: 8, max: 9999 }) })),
    export: fc.subarray([...EXPORTS]),
  })
  .map(({ where, size, ...rest }) => ({
    ...rest,
    ...PLACES[where](size, typeof rest.weights === 'object' ? rest.weights : {}),
    // A selection with normalised advantages is refused.
    ...(rest.selection !== false && typeof rest.advantage === 'object'
      ? { advantage: { ...rest.advantage, normalise: false } }
      : {}),
  }));
