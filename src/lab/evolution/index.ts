export { labPerformer } from './lab-performer.ts';
export { type LabStage, labStage, readLabStage } from './lab-stage.ts';
