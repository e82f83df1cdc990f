import { expect, it } from 'vitest';
import type { StreamedReply } from '../../../src/gateway/speakers/speaker.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import { memberFingerprint } from '../../../src/population/index.ts';
import type { FakeAnswer } from '../fake-upstream.ts';
import { heard, KEY, MESSAGES, says, stage, turn } from './stage.ts';

const DIRECT = { kind: 'direct' };
const failure = (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => Promise.reject(new Error('it was answered')),
    (cause: unknown) => {
      expect(cause).toBeInstanceOf(ApiError);
      return cause as ApiError;
    },
  );

it('passes on what the client sent, with the model and sampling of the member', async () => {
  const at = await stage({ text: '  I want my money back. ###STOP###' });
  const speaker = at.speaker(DIRECT, { sampling: { temperature: 0.3 } });
  const body = {
    temperature: 1,
    top_p: 0.9,
    seed: 5,
    logprobs: true,
    tools: [{ type: 'function', function: { name: 'f' } }],
    tool_choice: 'auto',
    response_format: { type: 'text' },
    own_field: { deep: [1, null] },
  };
  const reply = await speaker.open('s').reply(turn(body));
  expect(at.fake.requests[0]!.body).toEqual({ ...body, messages: MESSAGES, model: 'm', temperature: 0.3 });
  expect(reply).toMatchObject({ kind: 'whole', completion: { object: 'chat.completion', model: 'm' } });
  expect((await heard(reply)).said).toEqual({
    text: '  I want my money back. ###STOP###',
    toolCalls: [],
    finishReason: 'stop',
    answeredBy: { id: 'one', fingerprint: memberFingerprint(speaker.member), model: 'm' },
    fallback: null,
    attempts: 1,
    upstreamMs: expect.any(Number),
    usage: { promptTokens: expect.any(Number), completionTokens: 6 },
  });
});

it('notes of a stream what it notes of a whole reply, and shows usage to those who asked', async () => {
  const at = await stage({ text: null, toolCalls: [{ name: 'pay', arguments: '{"sum": 12, "why": "é"}' }] });
  const speaker = at.speaker(DIRECT);
  const whole = await says(speaker, turn());
  for (const asked of [false, true]) {
    const reply = await speaker
      .open('s')
      .reply(turn({ stream: true, ...(asked ? { stream_options: { include_usage: true } } : {}) }));
    const { said, chunks } = await heard(reply);
    expect({ ...said, upstreamMs: 0, toolCalls: [] }).toEqual({ ...whole, upstreamMs: 0, toolCalls: [] });
    expect(said.toolCalls.map((call) => call.function)).toEqual(whole.toolCalls.map((call) => call.function));
    expect(said.usage.completionTokens).toBeGreaterThan(0);
    expect(chunks!.some((chunk) => JSON.parse(chunk).choices.length === 0)).toBe(asked);
  }
});

it('has no text where there are calls alone, and the refusal where that is all', async () => {
  const at = await stage();
  const speaker = at.speaker(DIRECT);
  for (const stream of [false, true]) {
    at.fake.answer({ text: '', toolCalls: [{ name: 'pay', arguments: '{}' }] });
    expect(await says(speaker, turn({ stream }))).toMatchObject({ text: null, finishReason: 'tool_calls' });
    at.fake.answer({ text: '' });
    expect(await says(speaker, turn({ stream }))).toMatchObject({ text: '', toolCalls: [] });
  }
  const message = { role: 'assistant', content: null, refusal: 'No.' };
  at.fake.answer({ raw: [JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })] });
  expect(await says(speaker, turn())).toMatchObject({ text: 'No.', usage: { promptTokens: null } });
});

it('does without fields that a server refuses, and remembers it', async () => {
  const at = await stage(({ body }) =>
    'stream_options' in body ? { status: 400, message: 'unknown field stream_options' } : { text: 'yes' },
  );
  const speaker = at.speaker(DIRECT);
  expect(await says(speaker, turn({ stream: true }))).toMatchObject({ text: 'yes', attempts: 2 });
  expect(await says(speaker, turn({ stream: true }))).toMatchObject({ text: 'yes', attempts: 1 });
});

it('asks a probe behind clients, and whole', async () => {
  const at = await stage();
  const speaker = at.speaker(DIRECT);
  await says(speaker, turn({ seed: 1, stream: true }, { probe: true }));
  const bodies = at.fake.requests.map(({ body }) => body);
  expect(bodies.some((body) => 'stream' in body || 'stream_options' in body)).toBe(false);
  // The prober gives every reply a seed of its own.
  expect(bodies[0]!.seed).toBe(1);
});

it.each<[string, FakeAnswer, object]>([
  ['a bad request', { status: 400, message: 'too long' }, { status: 400, message: 'too long' }],
  ['a body it cannot process', { status: 422, message: 'bad tool' }, { status: 422, message: 'bad tool' }],
  ['an unknown model', { status: 404, message: 'no such model' }, { status: 502 }],
  ['a refused key', { status: 401, message: `wrong key ${KEY}` }, { status: 502, code: 'upstream_access' }],
  ['a limit', { status: 429, retryAfter: '7' }, { status: 429, retryAfter: 7 }],
  ['a limit without a time', { status: 429 }, { status: 429, retryAfter: 1 }],
  ['a fault of the server', { status: 503 }, { status: 502 }],
  ['garbage', { fault: 'garbage' }, { status: 502, code: 'upstream_reply' }],
  ['half a reply', { fault: 'half' }, { status: 502 }],
  ['a cut socket', { fault: 'reset' }, { status: 503, code: 'upstream_unreached' }],
  ['silence', { fault: 'hang' }, { status: 504 }],
])('answers %s with a status that tells whose fault it is', async (_, answer, expected) => {
  const at = await stage(answer, { firstByteMs: 80 });
  const speaker = at.speaker(DIRECT);
  const error = await failure(speaker.open('s').reply(turn()));
  expect(error).toMatchObject(expected);
  expect(JSON.stringify([error.body, error.message, error.stack, String(error.cause)])).not.toContain(KEY);
});

it.each<FakeAnswer>([
  { fault: 'reset-mid' },
  { fault: 'half' },
  { fault: 'stall' },
  { fault: 'error-event' },
])('breaks a stream off with an error and never silently: %j', async (answer) => {
  const at = await stage({ text: 'one two three', ...answer }, { idleMs: 80 });
  const reply = await at
    .speaker(DIRECT)
    .open('s')
    .reply(turn({ stream: true }));
  expect((await failure(heard(reply))).status).toBeGreaterThanOrEqual(502);
  expect((reply as StreamedReply).said().text).not.toBe('one two three');
});

it.each([
  ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n', 'data: {oops\n\n'],
  ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'],
])('holds a stream without an end, or with what is no chunk, for broken', async (...raw) => {
  const at = await stage({ raw });
  const reply = await at
    .speaker(DIRECT)
    .open('s')
    .reply(turn({ stream: true }));
  expect((await failure(heard(reply))).status).toBe(502);
});

it('cancels the upstream when the client goes: by leaving the stream, or by the signal', async () => {
  const at = await stage({ fault: 'stall' });
  const speaker = at.speaker(DIRECT);
  const left = (await speaker.open('s').reply(turn({ stream: true }))) as StreamedReply;
  for await (const _ of left.chunks) break;
  await at.fake.arrived(1, 'cancelled');
  const stop = new AbortController();
  at.fake.answer({ fault: 'hang' });
  const asked = speaker.open('s').reply(turn({}, { signal: stop.signal }));
  await at.fake.arrived(2);
  stop.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  await at.fake.arrived(2, 'cancelled');
});

it('is no speaker without a model', async () => {
  const at = await stage();
  expect(() => at.speaker(DIRECT, { model: null })).toThrow(/names no model/);
  expect(at.speaker(DIRECT, { checkpoint: 'step-40' })).toMatchObject({ kind: 'trained' });
  await says(at.speaker(DIRECT, { checkpoint: 'step-40' }), turn());
  expect(at.fake.requests[0]!.body.model).toBe('step-40');
});
