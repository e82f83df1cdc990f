import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, CLIENT_KEY, errorOf, eventually, payloads, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

describe('a gateway that is told to stop', () => {
  it('lets a stream under way end, refuses what is new, and says that it is not ready', async () => {
    const stage = await stageOf({ text: 'One two three four five six.', chunkMs: 100 });
    const stream = await stage.chat(ask('Hello.', { stream: true }), { headers: { 'x-session-id': 's' } });
    const stopped = stage.gateway.stop('test');
    const { status, error, retryAfter } = await errorOf(stage.chat(ask('Another.')));
    expect([status, error.code, retryAfter]).toEqual([503, 'stopping', '5']);
    expect((await fetch(`${stage.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${stage.url}/healthz`)).status).toBe(200);
    expect(payloads(await stream.text()).at(-1)).toBe('[DONE]');
    await stopped;
    const told = stage.log.map((line) => JSON.parse(line) as { level: string; code?: string });
    expect(told.filter(({ code }) => code === 'stopping').map(({ level }) => level)).toEqual(['warn']);
    expect(told.filter(({ level }) => level === 'error')).toEqual([]);
    await expect(fetch(stage.url)).rejects.toThrow();
    await stage.close(true);
    const again = await stageOf({}, { store: stage.store, before: stage.upstream });
    expect(await again.turns('s')).toEqual(['Hello.', 'One two three four five six.']);
  });

  it('waits for no connection on which nothing is asked any more', async () => {
    const stage = await stageOf();
    const agent = new Agent({ keepAlive: true });
    const body = JSON.stringify(ask('Hello.'));
    const asked = () =>
      new Promise<number>((done, fail) => {
        const call = request(
          `${stage.url}/v1/chat/completions`,
          {
            agent,
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${CLIENT_KEY}` },
          },
          (response) => response.resume().on('end', () => done(response.statusCode!)),
        );
        call.on('error', fail);
        call.end(body);
      });
    expect(await asked()).toBe(200);
    stage.upstream.answer({ latencyMs: 100 });
    const last = asked();
    await stage.upstream.arrived(2);
    await stage.gateway.stop('test');
    expect(await last).toBe(200);
    agent.destroy();
  });

  it('cuts what takes longer than it may, and has the turn off the record', async () => {
    const stage = await stageOf({ fault: 'stall', after: 2 });
    const stream = await stage.chat(ask('Hello.', { stream: true }), { headers: { 'x-session-id': 's' } });
    const text = stream.text().catch(() => '');
    await stage.gateway.stop('test', 100);
    expect(payloads(await text)).not.toContain('[DONE]');
    expect(stage.upstream.running()).toBe(0);
    await stage.close(true);
    const again = await stageOf({ text: 'Whole.' }, { store: stage.store, before: stage.upstream });
    expect(await again.turns('s')).toEqual([]);
    again.upstream.answer({ text: 'Whole.' });
    expect((await again.chat(ask('Hello.'), { headers: { 'x-session-id': 's' } })).status).toBe(200);
    expect(await again.turns('s')).toEqual(['Hello.', 'Whole.']);
  });

  it('lets trainers go who wait for the gate', async () => {
    const stage = await stageOf();
    const { revision } = (await (await stage.api('/api/gate')).json()) as { revision: number };
    const waiting = stage.api(`/api/gate?after=${revision}&wait=60`);
    await eventually(() => new Promise((done) => setTimeout(() => done(true), 50)), 'it waits');
    await stage.gateway.stop('test');
    expect((await waiting).status).toBe(200);
  });
});
