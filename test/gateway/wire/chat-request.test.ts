import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import { messageText, readChatRequest } from '../../../src/gateway/wire/chat-request.ts';

const LIMITS = { messages: 50, depth: 20 };
const BODY = { model: 'population', messages: [{ role: 'user', content: 'Hi' }] };
const read = (body: unknown) => readChatRequest(body, LIMITS);

function refusal(body: unknown): ApiError {
  try {
    read(body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('was taken');
}

describe('a chat request', () => {
  it('keeps the whole body, so that fields the gateway does not know go on', () => {
    const body = { ...BODY, logit_bias: { 50256: -100 }, made_up: [1, 2] };
    expect(read(body).body).toEqual(body);
  });

  it('takes null where clients send null for nothing', () => {
    const nothing = { stream: null, seed: null, tools: null, user: null, metadata: null, n: null };
    expect(read({ ...BODY, ...nothing, stream_options: null })).toMatchObject({ stream: false, seed: null });
  });

  it('takes an assistant turn that is tool calls alone, and text in parts', () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ];
    const request = read({ ...BODY, messages });
    expect(request.messages).toEqual(messages);
    expect(messageText(request.messages[0]!)).toBe('a\nb');
  });

  it.each([
    ['no model', { ...BODY, model: '' }, 'model'],
    ['no messages', { ...BODY, messages: [] }, 'messages'],
    ['an unknown role', { ...BODY, messages: [{ role: 'narrator', content: 'x' }] }, 'messages[0]'],
    ['a message without content', { ...BODY, messages: [{ role: 'user' }] }, 'messages[0]'],
    ['calls that are none', { ...BODY, messages: [{ role: 'assistant', tool_calls: [{}] }] }, 'messages[0]'],
    ['several replies at once', { ...BODY, n: 2 }, 'n'],
    ['a seed that is no whole number', { ...BODY, seed: 0.5 }, 'seed'],
    ['tools that are no list', { ...BODY, tools: {} }, 'tools'],
    ['metadata that is no text', { ...BODY, metadata: { a: 1 } }, 'metadata'],
  ])('refuses %s and names the parameter', (_, body, param) => {
    expect(refusal(body)).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
  });

  it('refuses too many messages and too deep a body', () => {
    const messages = Array.from({ length: 51 }, () => BODY.messages[0]);
    expect(refusal({ ...BODY, messages }).code).toBe('context_length_exceeded');
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = [deep];
    expect(refusal({ ...BODY, deep }).message).toContain('nested');
  });

  it('takes or refuses anything, and fails on nothing', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), fc.anything({ maxDepth: 4 }), (body, messages) => {
        for (const one of [body, { model: 'm', messages }, { ...BODY, stream_options: body }])
          try {
            read(one);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
          }
      }),
      { numRuns: 500 },
    );
  });
});
