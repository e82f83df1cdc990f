import type { BreakerGatewaySettings, LiveSettings } from '../../../src/gateway/settings/settings.ts';

export const LIVE: LiveSettings = {
  space: null,
  reference: [],
  warmUp: 56,
  epochs: { by: 'sessions', every: 56 },
  window: 1,
  rewardRange: null,
};

export const BREAKER: BreakerGatewaySettings = {
  enabled: true,
  bars: 'proposed',
  plannedEpochs: 50,
  baseline: 20,
  timeLimit: null,
  holdSeconds: 60,
  psodEvery: 10,
};
