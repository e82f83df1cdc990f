export {
  CHECK_LEVEL,
  CHECK_SCHEMA,
  type Check,
  type CheckVerdict,
  type Claim,
  type LabCheck,
} from './check-result.ts';
export { type LabCheckOptions, labCheckSteps, labChecks } from './lab-checks.ts';
export { FULL_RUNS, QUICK_RUNS } from './repetitions.ts';
