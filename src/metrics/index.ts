export * from './bdi.ts';
export {
  behaviouralDiversity,
  behaviouralMass,
  diversityDifference,
  type EqualSize,
  equalSize,
  massDifference,
  massTrend,
  relativeGrowth,
} from './bdi-mass.ts';
export * from './checkpoint-matrix.ts';
export * from './collapse-curve.ts';
export * from './consistency.ts';
export * from './effective-rank.ts';
export * from './epsilon.ts';
export * from './figure.ts';
export * from './figure-difference.ts';
export * from './group-exposure.ts';
export {
  bound,
  holmFamily,
  type IntervalOptions,
  LEAST_UNITS,
  meanFigure,
  pValue,
  type UnitNoun,
} from './interval.ts';
export * from './knn-coverage.ts';
export * from './mass-value.ts';
export * from './mci.ts';
export {
  checkPanels,
  type OverfittingOptions,
  type PanelDesign,
  type PanelRewards,
} from './panel-gaps.ts';
export {
  contextInformation,
  type FlatEpisodes,
  type PermutationOptions,
  type PolicyEpisodes,
  policyEntropy,
} from './policy-behaviour.ts';
export type { PopulationOptions, Weights } from './population.ts';
export * from './population-difference.ts';
export * from './psod.ts';
export * from './psod-headline.ts';
export * from './psod-rise.ts';
export type { RewardRange, RewardRows } from './rewards.ts';
export * from './scd-conditional.ts';
export * from './scd-joint.ts';
export * from './scd-kernel.ts';
export * from './scd-named.ts';
export { type PairCollapse, pairCollapse, pairCollapseAt } from './scd-pairs.ts';
export { entropyOf, type PooledCollapse, pooledCollapse } from './scd-pooled.ts';
export * from './slope.ts';
export * from './spread.ts';
export * from './standardised-difference.ts';
export { type CellRows, insideRegime, mergeTallies, type Tally, tallyOf } from './tally.ts';
export * from './variance-split.ts';
export { firstRows, type VectorRows } from './vectors.ts';
export * from './vendi.ts';
export * from './within-context.ts';
export * from './zero-variance.ts';
