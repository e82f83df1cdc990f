export * from './nested.ts';
export { probeRequest, upstreamSeed } from './probe-request.ts';
export { openProber, type Prober } from './prober.ts';
export type { DropReason, ProbeRecord, ProberServices, StandIn } from './prober-services.ts';
export { type Law, lawsAt, sessionProbes, type VisitedHistory } from './visited-history.ts';
