import { afterEach, describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../fake-upstream.ts';
import { ask, type ErrorReply, errorOf, metric, payloads, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const QUICK = {
  connectSeconds: 1,
  firstByteSeconds: 0.3,
  idleSeconds: 0.3,
  totalSeconds: 2,
  tripAfter: 1000,
};

describe('an upstream that fails before its first byte', () => {
  it.each<[string, FakeAnswer, number, string | null]>([
    ['resets the connection', { fault: 'reset' }, 503, 'upstream_unreached'],
    ['resets after its headers', { fault: 'reset-body' }, 502, 'upstream_reply'],
    ['answers garbage', { fault: 'garbage' }, 502, 'upstream_reply'],
    ['answers nothing', { fault: 'empty' }, 502, 'upstream_reply'],
    ['hangs', { fault: 'hang' }, 504, 'upstream_timeout'],
    ['answers 500', { status: 500 }, 502, 'upstream_failed'],
    ['answers 503', { status: 503, retryAfter: '7' }, 502, 'upstream_failed'],
    ['refuses the key', { status: 401 }, 502, 'upstream_access'],
    ['has no such model', { status: 404, message: 'The model does not exist' }, 502, 'upstream_failed'],
    ['times out itself', { status: 408 }, 504, 'upstream_timeout'],
    ['refuses what the client sent', { status: 400, message: 'too long' }, 400, null],
  ])('and %s is told with a status and a type, streaming or not', async (_, answer, status, code) => {
    const stage = await stageOf(answer, { upstream: QUICK });
    for (const stream of [false, true]) {
      const found = await errorOf(stage.chat(ask('Hello.', { stream })));
      expect([found.status, found.error.code]).toEqual([status, code]);
    }
    expect(await metric(stage, 'collapse_aware_requests_running')).toBe(0);
    // The dialogue goes on where it stands.
    stage.upstream.answer({ text: 'Back.' });
    expect((await stage.chat()).status).toBe(200);
  });

  it('by half of its JSON is a bad reply', async () => {
    const stage = await stageOf({ fault: 'half' }, { upstream: QUICK });
    for (const fault of ['half', 'reset-mid'] as const) {
      stage.upstream.answer({ fault });
      const { status, error } = await errorOf(stage.chat());
      expect([status, error.code]).toEqual([502, 'upstream_reply']);
    }
    stage.upstream.answer({ fault: 'stall' });
    expect((await errorOf(stage.chat())).status).toBe(504);
  });

  it('is asked once more where that is allowed, and the client sees no fault', async () => {
    const stage = await stageOf((_, number) => (number === 0 ? { fault: 'reset' } : { text: 'There.' }), {
      upstream: { ...QUICK, retries: 1 },
    });
    const came = await stage.chat();
    expect([came.status, came.headers.get('x-ca-attempts')]).toEqual([200, '2']);
  });
});

describe('an upstream that fails after its first byte', () => {
  it.each<[string, FakeAnswer, string]>([
    ['resets', { fault: 'reset-mid' }, 'upstream_reply'],
    ['stalls', { fault: 'stall' }, 'upstream_timeout'],
    ['ends inside an event', { fault: 'half' }, 'upstream_reply'],
    ['sends an error', { fault: 'error-event' }, 'upstream_reply'],
    ['sends what is no JSON', { raw: ['data: {"choices":[]}\n\n', 'data: {half\n\n'] }, 'upstream_reply'],
  ])('and %s ends the stream with one error and no [DONE]', async (_, answer, code) => {
    const stage = await stageOf(answer, { upstream: QUICK });
    const headers = { 'x-session-id': 's-1' };
    const body = ask('Hello.', { stream: true });
    const came = await stage.chat(body, { headers });
    expect(came.status).toBe(200);
    const events = payloads(await came.text());
    expect(events).not.toContain('[DONE]');
    const errors = events.filter((event) => event.startsWith('{"error"'));
    expect(errors).toEqual([events.at(-1)]);
    expect((JSON.parse(errors[0]!) as ErrorReply).error.code).toBe(code);
    expect(await stage.turns('s-1')).toEqual([]);
    expect(await metric(stage, 'collapse_aware_turn_failures_total{member="plain"}')).toBe(1);
    stage.upstream.answer({ text: 'All of it.' });
    const again = await stage.chat(body, { headers });
    expect(payloads(await again.text()).at(-1)).toBe('[DONE]');
    expect(await stage.turns('s-1')).toEqual(['Hello.', 'All of it.']);
  });

  it('but only to say [DONE] has said it all', async () => {
    const stage = await stageOf({ fault: 'no-done', text: 'Whole.' }, { upstream: QUICK });
    const events = payloads(await (await stage.chat(ask('Hello.', { stream: true }))).text());
    expect(events.at(-1)).toBe('[DONE]');
  });
});
