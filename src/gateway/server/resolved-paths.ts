import { resolve } from 'node:path';
import type { GatewaySettings } from '../settings/settings.ts';

/** Settings whose relative paths are taken from this folder. */
export function resolvedPaths(settings: GatewaySettings, folder: string): GatewaySettings {
  const { live, store } = settings;
  return {
    ...settings,
    store: resolve(folder, store),
    live: {
      ...live,
      space: live.space === null ? null : resolve(folder, live.space),
      reference: live.reference.map((path) => resolve(folder, path)),
    },
  };
}
