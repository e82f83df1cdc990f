export { inWords, lowerBound, pValue, upperBound } from './bound.ts';
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
