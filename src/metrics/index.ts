export * from './bdi.ts';
export * from './bdi-mass.ts';
export * from './figure.ts';
export {
  bound,
  holmFamily,
  type IntervalOptions,
  LEAST_UNITS,
  meanFigure,
  pValue,
  type UnitNoun,
} from './interval.ts';
export * from './mci.ts';
export type { PopulationOptions, Weights } from './population.ts';
export { type PairCollapse, pairCollapse } from './scd-pairs.ts';
export { entropyOf, type PooledCollapse, pooledCollapse } from './scd-pooled.ts';
export { type CellRows, insideRegime, mergeTallies, type Tally, tallyOf } from './tally.ts';
