export { composeTrajectory, type EpisodeDraft } from './compose.ts';
export {
  type ContextFacts,
  contentHash,
  contextIdentity,
  fingerprint,
  hashText,
  normaliseScenario,
  simulatorFacts,
} from './identity.ts';
export { explainTrajectory, trajectoryJsonSchema, trajectorySchema } from './schema.ts';
export type { TrainingSignals } from './training-signals.ts';
export {
  type Candidate,
  type Resample,
  type Role,
  type SimulatorFacts,
  type SimulatorKind,
  type Split,
  type ToolCall,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type Turn,
} from './trajectory.ts';
