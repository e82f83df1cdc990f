/** What a fake model says, as bodies of the chat completions API. */

export interface FakeToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** What is said; cut by `stop` and `max_tokens` as a server does. */
export interface FakeSpeech {
  readonly text: string | null;
  readonly toolCalls: readonly FakeToolCall[];
  readonly finishReason: string;
}

type Json = Record<string, unknown>;
const CREATED = 1_767_225_600;

/** Tokens of this model are words with the space before them. */
const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

export function speechFor(
  body: Json,
  text: string | null,
  toolCalls: readonly FakeToolCall[] = [],
): FakeSpeech {
  if (text === null) return { text, toolCalls, finishReason: 'tool_calls' };
  const stops = [body.stop ?? []].flat().filter((stop): stop is string => typeof stop === 'string');
  const cuts = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  const whole = cuts.length === 0 ? text : text.slice(0, Math.min(...cuts));
  const most = body.max_completion_tokens ?? body.max_tokens;
  const tokens = tokensOf(whole);
  const short = typeof most === 'number' && tokens.length > most;
  return {
    text: short ? tokens.slice(0, most).join('') : whole,
    toolCalls,
    finishReason: short ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop',
  };
}

export function usageOf(body: Json, speech: FakeSpeech): Json {
  const prompt = tokensOf(JSON.stringify(body.messages ?? [])).length;
  const calls = speech.toolCalls.map((call) => call.arguments).join(' ');
  const completion = tokensOf(`${speech.text ?? ''}${calls}`).length;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

const head = (id: string, object: string, model: unknown): Json => ({
  id: `chatcmpl-${id}`,
  object,
  created: CREATED,
  model,
  system_fingerprint: 'fp_fake',
});

const wireCalls = (id: string, speech: FakeSpeech) =>
  speech.toolCalls.map((call, at) => ({
    id: `call_${id}_${at}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));

const logprobsOf = (token: string) => ({
  token,
  logprob: -0.5,
  bytes: [...Buffer.from(token)],
  top_logprobs: [],
});

export function completionOf(id: string, body: Json, speech: FakeSpeech): Json {
  const calls = wireCalls(id, speech);
  return {
    ...head(id, 'chat.completion', body.model),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: speech.text,
          refusal: null,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: body.logprobs === true ? { content: tokensOf(speech.text ?? '').map(logprobsOf) } : null,
        finish_reason: speech.finishReason,
      },
    ],
    usage: usageOf(body, speech),
  };
}

/** `data:` payloads in order, `[DONE]` last. */
export function chunksOf(id: string, body: Json, speech: FakeSpeech): string[] {
  const options = body.stream_options as Json | undefined;
  const counted = options?.include_usage === true;
  const one = (delta: Json, finish: string | null, logprobs: unknown = null): string =>
    JSON.stringify({
      ...head(id, 'chat.completion.chunk', body.model),
      choices: [{ index: 0, delta, logprobs, finish_reason: finish }],
      ...(counted ? { usage: null } : {}),
    });
  const chunks = [one({ role: 'assistant', content: speech.text === null ? null : '' }, null)];
  for (const token of tokensOf(speech.text ?? ''))
    chunks.push(
      one({ content: token }, null, body.logprobs === true ? { content: [logprobsOf(token)] } : null),
    );
  for (const [index, call] of wireCalls(id, speech).entries()) {
    const { name, arguments: all } = call.function;
    chunks.push(
      one(
        { tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] },
        null,
      ),
    );
    for (let at = 0; at < all.length; at += 8)
      chunks.push(one({ tool_calls: [{ index, function: { arguments: all.slice(at, at + 8) } }] }, null));
  }
  chunks.push(one({}, speech.finishReason));
  if (counted)
    chunks.push(
      JSON.stringify({
        ...head(id, 'chat.completion.chunk', body.model),
        choices: [],
        usage: usageOf(body, speech),
      }),
    );
  chunks.push('[DONE]');
  return chunks;
}

/** How many items a strict schema asks for: the `minItems` of its first list; null where it has none. */
export function itemsAsked(schema: unknown): number | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const { minItems } = schema as { minItems?: unknown };
  if (typeof minItems === 'number') return minItems;
  for (const inner of Object.values(schema)) {
    const found = itemsAsked(inner);
    if (found !== null) return found;
  }
  return null;
}
