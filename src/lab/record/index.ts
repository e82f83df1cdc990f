export { LAB_BENCHMARK, type PlayedEpisode, recordEpisode } from './episode-record.ts';
export { askMember, askPopulation, type Probe, type ProbedReply } from './probe.ts';
export { type ProbeOptions, type ProbePlan, planProbes } from './probe-plan.ts';
export { ProbingWitness, type WitnessedEpisode, type WitnessOptions } from './probing-witness.ts';
export { type PopulationMember, type StandIn, standInsAt } from './stand-ins.ts';
