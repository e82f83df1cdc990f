import { createRequire } from 'node:module';
import type { Pool } from 'undici';

const load = createRequire(import.meta.url);

/**
 * Connections to one server. The package takes 80 ms of processor to load, which a command that could ask a server and
 * does not is to be spared.
 */
export function openConnections(origin: string, options: Pool.Options): Pool {
  const undici: typeof import('undici') = load('undici');
  return new undici.Pool(origin, options);
}
