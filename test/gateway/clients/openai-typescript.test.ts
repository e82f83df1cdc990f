import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeScript } from '../fake-upstream.ts';
import { CLIENT_KEY, type Served, serveGateway } from './serve-gateway.ts';

const open: Served[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function connected(script?: FakeScript, more?: Record<string, unknown>) {
  const gateway = await serveGateway(script, more);
  open.push(gateway);
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: CLIENT_KEY, maxRetries: 0 });
  return { ...gateway, client };
}
const messages = [
  { role: 'system' as const, content: '<scenario>You ordered a lamp.</scenario>' },
  { role: 'user' as const, content: 'Hi! How can I help you today?' },
];
const tools = [
  {
    type: 'function' as const,
    function: { name: 'toggle', parameters: { type: 'object', properties: { on: { type: 'boolean' } } } },
  },
];

describe('the openai SDK for TypeScript', () => {
  it('has a dialogue of several turns in one session, with its own ids and headers', async () => {
    const { client } = await connected((_, number) => ({ text: `Turn ${number}.` }));
    const first = await client.chat.completions.create({ model: 'population', messages }).withResponse();
    expect(first.data.choices[0]!.message.content).toBe('Turn 0.');
    expect(first.data.usage!.completion_tokens).toBeGreaterThan(0);
    expect(first.response.headers.get('x-ca-simulator')).toBe('plain');
    expect(first.request_id).toBe(first.response.headers.get('x-request-id'));
    expect(first.request_id).toBeTruthy();
    const next = await client.chat.completions
      .create({
        model: 'population',
        messages: [
          ...messages,
          { role: 'assistant', content: 'Turn 0.' },
          { role: 'user', content: 'What is wrong with it?' },
        ],
      })
      .withResponse();
    expect(next.data.choices[0]!.message.content).toBe('Turn 1.');
    expect(next.response.headers.get('x-session-id')).toBe(first.response.headers.get('x-session-id'));
    expect(next.response.headers.get('x-ca-turn')).toBe('1');
  });

  it('streams text, and usage where it asks for it', async () => {
    const text = 'One two three four five.';
    const { client } = await connected({ text });
    const stream = await client.chat.completions.create({
      model: 'population',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let said = '';
    let pieces = 0;
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      const piece = chunk.choices[0]?.delta.content ?? '';
      if (piece !== '') pieces += 1;
      said += piece;
      usage = chunk.usage ?? usage;
    }
    expect(said).toBe(text);
    expect(pieces).toBeGreaterThan(1);
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
    const without = await client.chat.completions.create({ model: 'population', messages, stream: true });
    for await (const chunk of without) expect(chunk.usage ?? null).toBeNull();
  });

  it('calls tools of the simulated user, streamed or not', async () => {
    const toolCalls = [{ name: 'toggle', arguments: '{"on":true}' }];
    const { client } = await connected({ toolCalls });
    const whole = await client.chat.completions.create({ model: 'population', messages, tools });
    expect(whole.choices[0]!.finish_reason).toBe('tool_calls');
    const [call] = whole.choices[0]!.message.tool_calls!;
    expect(call).toMatchObject({ type: 'function', function: toolCalls[0] });
    const runner = client.chat.completions.stream({ model: 'population', messages, tools });
    const final = await runner.finalChatCompletion();
    expect(final.choices[0]!.message.tool_calls![0]).toMatchObject({ function: toolCalls[0] });
  });

  it('lists models', async () => {
    const { client } = await connected();
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(expect.arrayContaining(['population', 'population/plain', 'panel/selection']));
  });

  it('gets errors of its own kinds', async () => {
    const { client, url } = await connected();
    const ask = (model: string, more = {}) => client.chat.completions.create({ model, messages, ...more });
    await expect(ask('nobody')).rejects.toMatchObject({
      constructor: OpenAI.NotFoundError,
      code: 'model_not_found',
      param: 'model',
    });
    await expect(ask('population', { n: 2 })).rejects.toMatchObject({
      constructor: OpenAI.BadRequestError,
      param: 'n',
    });
    const stranger = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    const failure = await stranger.chat.completions.create({ model: 'population', messages }).catch((e) => e);
    expect(failure).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(failure.requestID).toBeTruthy();
  });

  it('waits out an upstream that is busy, by its own retries', async () => {
    const { url } = await connected((_, number) =>
      number === 0 ? { status: 429, retryAfter: '1' } : { text: 'Hi.' },
    );
    const patient = new OpenAI({ baseURL: `${url}/v1`, apiKey: CLIENT_KEY, maxRetries: 2 });
    const reply = await patient.chat.completions.create({ model: 'population', messages });
    expect(reply.choices[0]!.message.content).toBe('Hi.');
  });

  it('gets a RateLimitError where it stays busy, and an APIError where a stream breaks', async () => {
    const { client, upstream } = await connected({ status: 429, retryAfter: '1' });
    await expect(client.chat.completions.create({ model: 'population', messages })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    );
    upstream.answer({ text: 'One two three four.', fault: 'reset-mid', after: 2 });
    const stream = await client.chat.completions.create({ model: 'population', messages, stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  it('leaves its upstream alone once it goes away', async () => {
    const { client, upstream } = await connected({ text: 'word '.repeat(400), chunkMs: 20 });
    const stream = await client.chat.completions.create({ model: 'population', messages, stream: true });
    for await (const _ of stream) {
      stream.controller.abort();
      break;
    }
    await upstream.arrived(1, 'cancelled');
    expect(upstream.cancelled()).toBe(1);
  });

  it('names its session by path, header or body, as it likes', async () => {
    const { client, url } = await connected();
    const session = async (made: Promise<{ response: Response }>) =>
      (await made).response.headers.get('x-session-id');
    const by = (more: object, options = {}) =>
      session(
        client.chat.completions.create({ model: 'population', messages, ...more }, options).withResponse(),
      );
    expect(await by({}, { headers: { 'X-Session-ID': 'by-header' } })).toBe('by-header');
    expect(await by({ user: 'dialogue-17' })).toBe('dialogue-17');
    expect(await by({ metadata: { session_id: 'by-metadata' } })).toBe('by-metadata');
    const path = new OpenAI({ baseURL: `${url}/sessions/by-path/v1`, apiKey: CLIENT_KEY, maxRetries: 0 });
    expect(
      await session(path.chat.completions.create({ model: 'population', messages }).withResponse()),
    ).toBe('by-path');
  });
});
