export type * from './api/control.ts';
export type * from './live/live.ts';
export { type GatewayOptions, type RunningGateway, startGateway } from './server/gateway.ts';
export type { LogLevel } from './server/log.ts';
export { describeSettings } from './settings/describe-settings.ts';
export { type ReadSettingsOptions, readSettings } from './settings/read-settings.ts';
export type * from './settings/settings.ts';
export { gatewayJsonSchema } from './settings/settings-schema.ts';
