import type { Random } from '../../math/index.ts';
import { countActs, lawOf, type Smoothing } from './act-law.ts';
import { fitTypes, logLawsOf, typeOf } from './act-mixture.ts';
import type { Fold } from './held-out.ts';

/** A mixture that was tried, with the held-out log-likelihood of every dialogue by its id. */
export interface TriedMixture {
  readonly types: number;
  readonly shrink: number;
  readonly values: ReadonlyMap<string, number>;
  readonly total: number;
}

export interface TriedOptions {
  /** Numbers of types, ascending. */
  readonly types: readonly number[];
  readonly shrinks: readonly number[];
  readonly starts: number;
}

/** Every number of types with every shrinkage, fitted with its base law on each fold and tested on the rest. */
export function tryMixtures(
  folds: readonly Fold[],
  smoothing: Smoothing,
  { types, shrinks, starts }: TriedOptions,
  random: Random,
): TriedMixture[] {
  const based = folds.map(({ fit, test }) => ({ fit, test, base: lawOf(countActs(fit), 'both', smoothing) }));
  return types.flatMap((count) =>
    shrinks.map((shrink) => {
      const values = new Map<string, number>();
      based.forEach(({ fit, test, base }, i) => {
        const stream = random.fork(`types ${count}, shrink ${shrink}, fold ${i}`);
        const fitted = fitTypes(fit, base, { types: count, starts, shrink }, stream);
        const logLaws = logLawsOf(base, fitted);
        for (const dialogue of test) values.set(dialogue.id, typeOf(dialogue, fitted.shares, logLaws).value);
      });
      return { types: count, shrink, values, total: [...values.values()].reduce((a, b) => a + b, 0) };
    }),
  );
}

/** The highest held-out likelihood; of equals the fewest types. */
export function bestMixture(tried: readonly TriedMixture[]): TriedMixture {
  return tried.reduce((best, one) => (one.total > best.total ? one : best));
}
