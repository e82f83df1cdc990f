export { LAB_BENCHMARK, type PlayedEpisode, recordEpisode } from './episode-record.ts';
export { firstReplies } from './first-replies.ts';
export { askMember, askPopulation, type Probe, type ProbedReply, type StandIn } from './probe.ts';
export { type ProbeOptions, type ProbePlan, planProbes } from './probe-plan.ts';
