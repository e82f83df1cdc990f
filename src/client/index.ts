export type * from '../gateway/api/control.ts';
export { CollapseAwareClient, type GateReply, type SessionQuery, type TrajectoryQuery } from './client.ts';
export { ClientError } from './client-error.ts';
export type { ClientOptions } from './client-options.ts';
export { flatMetrics } from './flat-metrics.ts';
export type { Candidate, GroupToDecide } from './stand-in.ts';
