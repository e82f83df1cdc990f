export * from './acceptance.ts';
export {
  type AcceptancePower,
  acceptancePower,
  type LuckFigures,
  type PowerFigures,
  type PowerInput,
} from './acceptance-power.ts';
export type * from './answer.ts';
export { firstDifference } from './canonical-json.ts';
export { collapsing } from './collapsing.ts';
export type { DataPlan } from './data-plan.ts';
export {
  type DriveEnd,
  type DriveEvent,
  type DriveOptions,
  drive,
  type RunProgram,
} from './drive.ts';
export { evolve } from './evolve.ts';
export { errorOf, type Fault, faultOf } from './fault.ts';
export { FORK_PARTS, FORK_SETTINGS, type ForkChanges, fork } from './fork.ts';
export type { MemberRecord } from './member-record.ts';
export type { PerformContext, Performer, PerformerMaker, Stage } from './performer.ts';
export { pooledPerformer } from './performer-pool.ts';
export type { LoopPopulation, Share } from './population.ts';
export { type Crew, type CrewOptions, joinCrew } from './postgres/crew.ts';
export { postgresRun } from './postgres/postgres-run.ts';
export type * from './request.ts';
export type { RoundCost, RoundFigures, RoundRecord } from './round-record.ts';
export { RUN_FILES, runDirectory } from './run-directory.ts';
export type { LoopRun, RunEvent } from './run-event.ts';
export type { ExamSettings, PartSettings, ProbeSettings, RunSettings } from './run-settings.ts';
export type { RunControl, RunEntry, RunPlace, RunStore, RunView } from './run-store.ts';
export { type EarlierSettings, type RunStudy, runStudy, STUDY_SCHEMA } from './run-study.ts';
export { type RunSummary, SUMMARY_SCHEMA } from './run-summary.ts';
export { drawnByShare } from './shares.ts';
