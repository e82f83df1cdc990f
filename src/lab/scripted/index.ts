export { type LabContext, labContext } from './context.ts';
export { type DemoStudy, demoStudy } from './demo-study.ts';
export { FAMILIES, type Family } from './family.ts';
export {
  type PeopleOptions,
  type RolloutOptions,
  scriptedEpisodes,
  scriptedPeople,
} from './scripted-episodes.ts';
export { SYNTHETIC, syntheticRollout } from './synthetic-rollout.ts';
