export { type RaisedWeights, raisedWeights } from './anti-collapse.ts';
export type { ClosedSession } from './closed-session.ts';
export type { EpochState } from './epoch-clock.ts';
export { type GateChange, GateKeeper, type OverrideRequest } from './gate-keeper.ts';
export type * from './live.ts';
export { LiveHistory, type RestoredLive } from './live-history.ts';
export { type LevelNotice, WEBHOOK_SCHEMA } from './notifier.ts';
export { type Live, type LiveOptions, type SessionSource, startLive } from './start-live.ts';
