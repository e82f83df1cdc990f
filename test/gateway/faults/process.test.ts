import { afterEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { isBuilt, settingsFolder, startChild, tidyChildren } from './child-gateway.ts';
import { errorOf, payloads, UPSTREAM_KEY } from './stage.ts';

const open: { upstream: FakeUpstream; folder: string }[] = [];
afterEach(async () => {
  await tidyChildren(...open.map(({ folder }) => folder));
  for (const { upstream } of open.splice(0)) await upstream.close();
});

async function scene(script: Parameters<typeof fakeUpstream>[0], more = '') {
  const upstream = await fakeUpstream(script, { key: UPSTREAM_KEY });
  const { folder, file } = settingsFolder(upstream.url, more);
  open.push({ upstream, folder });
  return { upstream, file };
}

describe.skipIf(!isBuilt)('a gateway process (of the built command: npm run build)', () => {
  it('does not start on a store that another one holds', async () => {
    const { file } = await scene({});
    const first = await startChild(file);
    const second = await startChild(file);
    expect(await second.ended).toEqual([3, null]);
    expect(second.stderr).toContain('CA_STORE_LOCKED');
    expect(second.stderr).toContain(String(first.process.pid));
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  });

  it('drains on SIGTERM: a stream ends, what is new is refused, and its status is 0', async () => {
    const { file } = await scene({ text: 'One two three four five six seven eight.', chunkMs: 100 });
    const gateway = await startChild(file);
    const body = { model: 'population', messages: [{ role: 'user', content: 'Hello.' }] };
    const stream = await gateway.chat({ ...body, stream: true });
    gateway.process.kill('SIGTERM');
    for (;;) {
      const came = await gateway.chat({ ...body, messages: [{ role: 'user', content: 'New.' }] });
      if (came.status === 200) continue;
      expect((await errorOf(came)).error.code).toBe('stopping');
      break;
    }
    expect(payloads(await stream.text()).at(-1)).toBe('[DONE]');
    expect(await gateway.ended).toEqual([0, null]);
  });

  it('ends at once at a second signal', async () => {
    const { upstream, file } = await scene({ fault: 'hang' });
    const gateway = await startChild(file);
    const held = gateway
      .chat({ model: 'population', messages: [{ role: 'user', content: 'Hello.' }] })
      .catch(() => null);
    await upstream.arrived(1);
    gateway.process.kill('SIGINT');
    while (!gateway.stderr.includes('no new sessions')) await new Promise((done) => setTimeout(done, 10));
    gateway.process.kill('SIGINT');
    expect(await gateway.ended).toEqual([130, null]);
    await held;
  });

  it('outlives a rejection that nobody handles, and says so', async () => {
    const { file } = await scene({});
    const stray = "process.on('SIGUSR2', () => void Promise.reject(new Error('stray')))";
    const gateway = await startChild(file, `--import=data:text/javascript,${encodeURIComponent(stray)}`);
    gateway.process.kill('SIGUSR2');
    while (!gateway.stderr.includes('stray')) await new Promise((done) => setTimeout(done, 10));
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect(gateway.stderr).toContain('CA_INTERNAL: stray');
  });
});
