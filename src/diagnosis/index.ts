export { inWords, lowerBound, spreadOf, upperBound } from './bound.ts';
export {
  type BreakerActions,
  type BreakerEvent,
  type BreakerLevel,
  type BreakerState,
  type BreakerStep,
  breakerActions,
  newBreaker,
  type Override,
  stepBreaker,
} from './breaker.ts';
export { type ChangeState, simulateThreshold } from './breaker-change.ts';
export {
  type Bars,
  type BreakerOptions,
  type BreakerSettings,
  barsOverPeople,
  describeBreaker,
  type Measure,
  PROPOSED_BARS,
  planBreaker,
} from './breaker-settings.ts';
export { diagnose } from './diagnose.ts';
export {
  type DiagnosisInput,
  type JudgedSimulator,
  type PoolEvidence,
  poolConcentration,
  SIGNATURE,
  type SimulatorEvidence,
} from './evidence.ts';
export { headline } from './headline.ts';
export { readSimulator, type SimulatorReading, simulatorVerdict } from './style.ts';
export { type DiagnosisThresholds, THRESHOLDS } from './thresholds.ts';
export type { DiagnosisMode, SimulatorVerdict, Verdict } from './verdict.ts';
