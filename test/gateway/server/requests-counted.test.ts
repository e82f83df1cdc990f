import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';

describe('requests_total', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const serve = async (upstream: FakeUpstream) => {
    const store = mkdtempSync(join(tmpdir(), 'ca-counted-'));
    const settings = readSettings({
      schema: GATEWAY_SCHEMA,
      listen: { port: 0 },
      store,
      upstreams: { fake: { baseUrl: upstream.url, retries: 0 } },
      population: { members: [{ id: 'plain', family: 'a', model: 'm', upstream: 'fake' }], seen: ['plain'] },
    });
    const gateway = await startGateway(settings, { environment: {}, folder: store, log: 'silent' });
    ends.push(async () => {
      await gateway.stop('test');
      await upstream.close();
      rmSync(store, { recursive: true, force: true });
    });
    return gateway.url;
  };

  const ask = async (url: string, body: object) => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'population', messages: [{ role: 'user', content: 'Hi.' }], ...body }),
    });
    await answer.text().catch(() => '');
  };

  const counted = async (url: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return text.match(/^collapse_aware_requests_total\{.*$/gm) ?? [];
  };

  it('counts a request once, under the status that it ended with', async () => {
    const url = await serve(await fakeUpstream());
    await ask(url, {});
    await ask(url, { stream: true });
    await ask(url, { model: 'nobody' });
    expect((await counted(url)).sort()).toEqual([
      'collapse_aware_requests_total{status="200",stream="false"} 1',
      'collapse_aware_requests_total{status="200",stream="true"} 1',
      'collapse_aware_requests_total{status="404",stream="false"} 1',
    ]);
  });

  it('counts a stream that broke off as what went wrong, not as 200', async () => {
    const url = await serve(await fakeUpstream({ fault: 'reset-mid', after: 2 }));
    await ask(url, { stream: true });
    const lines = await counted(url);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('status="200"');
  });
});
