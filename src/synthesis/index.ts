export * from './adversary-search.ts';
export { behaviourInWords } from './behaviour-words.ts';
export * from './exemplar-description.ts';
export * from './gap-plan.ts';
export {
  type GapRefusal,
  type GapVerification,
  type GapVerificationOptions,
  type LandedCost,
  verifyGap,
} from './gap-verification.ts';
export * from './learnability.ts';
export type { Origin } from './origin.ts';
export * from './path-plan.ts';
export {
  isBetween,
  type PathPoint,
  type PathVerification,
  type PathVerificationOptions,
  verifyPath,
} from './path-verification.ts';
export type { PlacedRow } from './placed-row.ts';
export * from './recipe-vector.ts';
export { lowerEnd, reaches } from './row-share.ts';
export { QUOTED_WORDS, RunsOf } from './shared-runs.ts';
