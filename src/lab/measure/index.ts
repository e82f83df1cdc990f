export { asOne, MIXTURE } from './as-one.ts';
export { measurePopulation } from './measure-population.ts';
export type { Measure, Measures } from './measures.ts';
export { type ExactErrors, MeasuringWitness, type ProbingOptions } from './measuring-witness.ts';
export {
  type MeasuredRun,
  PROBE,
  type ProbeEpisodes,
  type ProbeSettings,
  peopleEpisodes,
  populationEpisodes,
} from './probe-episodes.ts';
export { PEOPLE, type ReferenceOptions, referenceDialogues } from './reference-dialogues.ts';
export { type WorldSpace, worldSpace } from './world-space.ts';
