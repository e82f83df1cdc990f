export {
  type Curated,
  type CurateInput,
  type CurateOptions,
  curate,
} from './curate.ts';
export type { DroppedLine } from './dropped.ts';
export { hashFile } from './file-hash.ts';
export { type Judge, type JudgeOptions, type JudgeSpending, openJudge } from './judge.ts';
export { type JudgePlan, judgePlan } from './judge-plan.ts';
export { type ModelPlannerOptions, planWithModel } from './model-planner.ts';
export { OutputFolder, type OutputFolderOptions } from './output-folder.ts';
export type { CurateProgress, CurateStage } from './progress.ts';
export { type Sifted, sift, type Voter } from './sift.ts';
export { judgedAgain } from './verdicts.ts';
export { EXPORT_FILES, type WriteCurationOptions, writeCuration } from './write-curation.ts';
