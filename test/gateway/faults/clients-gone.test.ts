import { afterEach, describe, expect, it } from 'vitest';
import {
  ADMIN_KEY,
  ask,
  CLIENT_KEY,
  errorOf,
  eventually,
  metric,
  payloads,
  RawClient,
  stageOf,
  tidyStages,
} from './stage.ts';

afterEach(tidyStages);

/** Reads the first piece of a stream, and leaves. */
async function leaveAfterFirst(response: Response, client: AbortController): Promise<void> {
  const reader = response.body!.getReader();
  await reader.read();
  client.abort();
  await reader.closed.catch(() => {});
}

describe('a client that goes away', () => {
  it('in the middle of a stream cancels the upstream, and its retry gets the same turn', async () => {
    const stage = await stageOf({ fault: 'stall', after: 2 });
    const client = new AbortController();
    const body = ask('Hello.', { stream: true });
    const first = await stage.chat(body, { signal: client.signal });
    const session = first.headers.get('x-session-id')!;
    await leaveAfterFirst(first, client);
    await stage.upstream.arrived(1, 'cancelled');
    await eventually(
      async () => (await metric(stage, 'collapse_aware_requests_total{status="499",stream="true"}')) === 1,
      'counted as left',
    );
    expect(await metric(stage, 'collapse_aware_requests_running')).toBe(0);
    stage.upstream.answer({ text: 'Now all of it.' });
    const again = await stage.chat(body, { headers: { 'x-stainless-retry-count': '1' } });
    expect(payloads(await again.text()).at(-1)).toBe('[DONE]');
    expect(again.headers.get('x-session-id')).toBe(session);
    expect(again.headers.get('x-ca-turn')).toBe('0');
    expect(await stage.turns(session)).toEqual(['Hello.', 'Now all of it.']);
    // Nobody failed but the client.
    expect(await metric(stage, 'collapse_aware_turn_failures_total{member="plain"}')).toBeNull();
  });

  it('before its reply cancels the upstream, and leaves nothing that was said', async () => {
    const stage = await stageOf({ fault: 'hang' });
    const client = new AbortController();
    const left = stage
      .chat(ask('Hello.'), { signal: client.signal, headers: { 'x-session-id': 's-1' } })
      .catch((error: Error) => error.name);
    await stage.upstream.arrived(1);
    client.abort();
    expect(await left).toBe('AbortError');
    await stage.upstream.arrived(1, 'cancelled');
    await eventually(
      async () => (await metric(stage, 'collapse_aware_requests_running')) === 0,
      'nothing runs',
    );
    expect(await stage.turns('s-1')).toEqual([]);
    stage.upstream.answer({ text: 'Here.' });
    await (await stage.chat(ask('Hello.'), { headers: { 'x-session-id': 's-1' } })).text();
    expect(await stage.turns('s-1')).toEqual(['Hello.', 'Here.']);
  });

  it('after the last words and before the end takes its turn off the record', async () => {
    // The upstream has said it all but [DONE]: the client leaves there.
    const stage = await stageOf({ text: 'Two words.', chunkMs: 20 });
    for (let round = 0; round < 5; round++) {
      const client = new AbortController();
      const session = `s-${round}`;
      const came = await stage.chat(ask('Hello.', { stream: true }), {
        signal: client.signal,
        headers: { 'x-session-id': session },
      });
      const reader = came.body!.getReader();
      let text = '';
      while (!text.includes('words.')) text += new TextDecoder().decode((await reader.read()).value);
      client.abort();
      await reader.closed.catch(() => {});
      await eventually(
        async () => (await metric(stage, 'collapse_aware_requests_running')) === 0,
        'nothing runs',
      );
      const whole = text.includes('[DONE]');
      const turns = await stage.turns(session);
      if (!whole) expect([[], ['Hello.', 'Two words.']]).toContainEqual(turns);
      const again = await stage.chat(ask('Hello.'), { headers: { 'x-session-id': session } });
      expect(again.status).toBe(200);
      expect(again.headers.get('x-ca-turn')).toBe('0');
    }
  });

  it('in a crowd leaves the others be', async () => {
    const stage = await stageOf({ chunkMs: 2, text: 'One two three four five six seven eight.' });
    const results = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const client = new AbortController();
        const came = await stage.chat(ask(`Number ${at}.`, { stream: true }), { signal: client.signal });
        if (at % 2 === 0) {
          await leaveAfterFirst(came, client);
          return null;
        }
        return payloads(await came.text()).at(-1);
      }),
    );
    expect(results.filter((one) => one === '[DONE]')).toHaveLength(20);
    await eventually(
      async () => (await metric(stage, 'collapse_aware_requests_running')) === 0,
      'nothing runs',
    );
    expect(stage.upstream.running()).toBe(0);
  });

  it('that takes nothing of its stream is not waited for without end', async () => {
    const chunk = JSON.stringify({ choices: [{ index: 0, delta: { content: 'word '.repeat(40_000) } }] });
    const raw = Array.from({ length: 150 }, () => `data: ${chunk}\n\n`);
    const stage = await stageOf({ raw }, { settings: { limits: { requestSeconds: 1 } } });
    const client = new RawClient(stage.port);
    client.socket.pause();
    const body = JSON.stringify(ask('Tell me all.', { stream: true }));
    client.send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${CLIENT_KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await stage.upstream.arrived(1);
    await eventually(
      async () => (await metric(stage, 'collapse_aware_requests_total{status="499",stream="true"}')) === 1,
      'the gateway let go',
    );
    expect(await metric(stage, 'collapse_aware_requests_running')).toBe(0);
    client.socket.resume();
    await client.closed;
    expect(client.text).not.toContain('[DONE]');
    expect((await errorOf(stage.chat({}))).status).toBe(400);
  });

  it('in the middle of an export, or while it waits for the gate, leaves nothing behind', async () => {
    const stage = await stageOf({ text: 'A reply.' });
    for (let at = 0; at < 40; at++)
      await (
        await stage.chat(ask('x'.repeat(100_000)), { headers: { 'x-session-id': `s-${at}` } })
      ).arrayBuffer();
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    for (const path of ['/api/trajectories?of=all', '/api/gate?after=1000000&wait=60'])
      for (let round = 0; round < 3; round++) {
        const client = new AbortController();
        const came = fetch(`${stage.url}${path}`, { headers, signal: client.signal });
        if (path.includes('trajectories')) await leaveAfterFirst(await came, client);
        else {
          await new Promise((done) => setTimeout(done, 20));
          client.abort();
          await came.catch(() => {});
        }
      }
    const whole = await (await stage.api('/api/trajectories?of=all')).text();
    expect(whole.trim().split('\n')).toHaveLength(40);
    // Were somebody still waited for, this would take its time-out.
    await stage.gateway.stop('test');
  });
});
