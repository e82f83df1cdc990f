export {
  addDivergenceGradient,
  addEntropyGradient,
  addLogProbGradient,
  divergenceOf,
  drawAct,
  entropyOf,
  logSoftmaxRows,
} from './act-distribution.ts';
export { ADAM, Adam, type AdamSettings } from './adam.ts';
export { type RolloutAdvantages, rolloutAdvantages } from './group-advantages.ts';
export { Grpo, type GrpoDivergence, type GrpoUpdate } from './grpo.ts';
export { GRPO, type GrpoSettings, grpoSettings } from './grpo-settings.ts';
export { type NamedSlice, type NetworkShape, namedSlices } from './network-shape.ts';
export { decodeCheckpoint, encodeCheckpoint, type PolicyCheckpoint } from './policy-checkpoint.ts';
export { initialise, type PassBuffers, PolicyNetwork } from './policy-network.ts';
export type { RolloutBatch } from './rollout-batch.ts';
export { clippedSurrogate, k3, k3Slope, type SurrogateTerm } from './surrogate.ts';
