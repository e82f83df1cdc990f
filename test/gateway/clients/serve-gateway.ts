import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { type FakeScript, type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';

export const CLIENT_KEY = 'client-key-of-the-test';
export const ADMIN_KEY = 'admin-key-of-the-test';
const UPSTREAM_KEY = 'upstream-key-of-the-test';

export interface Served {
  /** Root of the gateway. */
  readonly url: string;
  readonly upstream: FakeUpstream;
  close(): Promise<void>;
}

/**
 * A gateway with keys before a fake upstream: one member that asks it directly, one in the panel of selection, and one
 * by rules that never asks anybody.
 */
export async function serveGateway(
  script: FakeScript = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Served> {
  const upstream = await fakeUpstream(script, { key: UPSTREAM_KEY });
  const store = mkdtempSync(join(tmpdir(), 'ca-gateway-clients-'));
  const environment = { CA_CLIENT: CLIENT_KEY, CA_ADMIN: ADMIN_KEY, CA_UPSTREAM: UPSTREAM_KEY };
  const settings = readSettings(
    {
      schema: GATEWAY_SCHEMA,
      listen: { port: 0 },
      store,
      keys: { clientEnv: 'CA_CLIENT', adminEnv: 'CA_ADMIN' },
      upstreams: { fake: { baseUrl: upstream.url, apiKeyEnv: 'CA_UPSTREAM', retries: 0, tripAfter: 1000 } },
      population: {
        members: [
          { id: 'plain', family: 'alder', model: 'alder-4b', upstream: 'fake' },
          { id: 'held-out', family: 'birch', model: 'birch-8b', upstream: 'fake' },
        ],
        seen: ['plain'],
        selection: ['held-out'],
      },
      ...more,
    },
    { environment },
  );
  const gateway = await startGateway(settings, { environment, log: 'silent', folder: store });
  return {
    url: gateway.url,
    upstream,
    close: async () => {
      await gateway.stop('test');
      await upstream.close();
      rmSync(store, { recursive: true, force: true });
    },
  };
}
