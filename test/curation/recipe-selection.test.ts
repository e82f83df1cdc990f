import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import { writtenRecipe } from '../../src/curation/written-recipe.ts';

const read = (text: string) => readRecipe(parse(text));

describe('a recipe with a selection', () => {
  it.each(['selection: true', 'selection: {keep: 2}', 'selection: true\nadvantage: true'])(
    'in %j writes advantages with pair weights, not divided by a deviation',
    (text) => {
      expect(read(text).advantage).toEqual({ baseline: 'weighted', normalise: false, consistency: null });
    },
  );

  it('writes none where the recipe says so, and none without a selection', () => {
    expect(read('selection: true\nadvantage: false').advantage).toBeNull();
    expect(read('selection: false').advantage).toBeNull();
  });

  it.each([
    ['selection: true', true, true, 'none'],
    ['selection: true\nbatches: {size: 64}', true, true, 'none'],
    ['selection: true\nbatches: true\nweights: true', true, true, 'none'],
    ['selection: true\nbatches: {balance: mode}', false, false, 'mode'],
    ['selection: true\ngradient: true', false, false, 'none'],
    ['selection: true\nweights: {coverage: true, concentration: false}', false, true, 'none'],
    ['selection: true\nbatches: false', true, true, undefined],
    ['selection: false', false, false, 'mode'],
  ])(
    'of %j corrects by weights: %s, with boost: %s, batches: %s',
    (text, concentration, coverage, balance) => {
      const { weights, batches } = read(text);
      expect(weights).toMatchObject({ concentration, coverage });
      expect(batches?.balance).toBe(balance);
    },
  );

  it('corrects nothing where weights are off, too', () => {
    const { weights, batches, gradient } = read('selection: true\nweights: false');
    expect([weights, batches?.balance, gradient]).toEqual([null, 'none', null]);
  });

  it.each([
    'selection: true',
    'selection: true\nadvantage: false',
    'selection: true\nbatches: {balance: mode}',
  ])('of %j written down reads back as itself', (text) => {
    expect(readRecipe(writtenRecipe(read(text)))).toEqual(read(text));
  });
});
