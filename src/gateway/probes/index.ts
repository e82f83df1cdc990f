export * from './nested.ts';
export { probeRequest, upstreamSeed } from './probe-request.ts';
export {
  type DropReason,
  openProber,
  type ProbeRecord,
  type Prober,
  type ProberServices,
  type StandIn,
} from './prober.ts';
export { type Law, lawsAt, sessionProbes, type VisitedHistory } from './visited-history.ts';
