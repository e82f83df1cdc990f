export { decideGroups } from './decide.ts';
export { decideGroup, type GroupAsked, type SessionVerdict } from './decide-group.ts';
export { readForeign } from './record.ts';
export type { FoundSession, SessionSource } from './session-source.ts';
export { openSteering, type Steering, type SteeringServices } from './steering.ts';
export type { Ground, WindowConcentration } from './weigh-batch.ts';
