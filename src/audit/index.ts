export { type Audit, type AuditInput, type AuditNaming, audit, auditProfile } from './audit.ts';
export {
  type Compared,
  type CompareInput,
  type CompareNaming,
  compare,
  compareProfiles,
  policyConfound,
  sideOf,
} from './compare.ts';
export * from './compare-data.ts';
export type { Labels } from './compare-sides.ts';
export {
  comparisonHeadline,
  type FigureKey,
  type Pair,
  populationFigures,
  simulatorFigures,
} from './compare-words.ts';
export { type Evidence, embedderOf, type Fitted, fit } from './fit.ts';
export { GATE_SCHEMA, type Gate, gateOf } from './gate.ts';
export { type Measured, measure } from './measure.ts';
export { type EpsilonTables, epsilonTables } from './measure-epsilon.ts';
export {
  MONITOR_SCHEMA,
  type MonitorPlan,
  type MonitorRow,
  type MonitorState,
  newMonitor,
  observeProbe,
  observeStep,
  type ProbeLook,
  type ProbeRows,
  type StepRows,
  shownLevel,
  steerMonitor,
} from './monitor.ts';
export { type StepFigures, stepFigures } from './monitor-figures.ts';
export type { GapBase } from './monitor-gap.ts';
export { type MonitorOptions, planMonitor } from './monitor-plan.ts';
export type { AuditOptions, Records, Stage } from './options.ts';
export { pageData } from './page-data.ts';
export { place } from './place.ts';
export * from './report-data.ts';
export { type Scan, scan } from './scan.ts';
