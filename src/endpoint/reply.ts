import { CollapseAwareError } from '../errors.ts';

export interface TokenUse {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

export interface ChatReply extends TokenUse {
  /** `null` where the reply carries tool calls only. */
  readonly text: string | null;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finishReason: string | null;
  /** The model that answered, by its own account. */
  readonly model: string | null;
}

export interface EmbeddingReply extends TokenUse {
  /** One a text, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
  readonly model: string | null;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

function unusable(where: string, found: string): CollapseAwareError {
  return new CollapseAwareError('CA_ENDPOINT_REPLY', `${where} ${found}`, {
    todo: 'check that the base URL is an OpenAI-compatible API (it usually ends in /v1) and that the model serves this call',
  });
}

export function tokenUse(body: unknown): TokenUse {
  const usage = isObject(body) && isObject(body.usage) ? body.usage : {};
  const prompt = count(usage.prompt_tokens);
  return {
    promptTokens: prompt,
    completionTokens: count(usage.completion_tokens) || Math.max(0, count(usage.total_tokens) - prompt),
  };
}

const modelOf = (body: Json): string | null => (typeof body.model === 'string' ? body.model : null);

/** @throws CA_ENDPOINT_REPLY */
export function chatReply(body: unknown, where: string): ChatReply {
  const choice = isObject(body) && Array.isArray(body.choices) ? (body.choices[0] as unknown) : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(body) || !isObject(choice) || !isObject(message))
    throw unusable(where, 'answered without choices[0].message');
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  if (message.content != null && typeof message.content !== 'string')
    throw unusable(where, 'answered with content that is not text');
  return {
    text: message.content ?? null,
    toolCalls: calls.filter(isObject).map((call) => {
      const of = isObject(call.function) ? call.function : {};
      return { name: String(of.name ?? ''), arguments: String(of.arguments ?? '') };
    }),
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : null,
    model: modelOf(body),
    ...tokenUse(body),
  };
}

/** No embedding model comes near it; memory and time would run out first. */
const MOST_NUMBERS = 65_536;

function vectorOf(value: unknown): Float32Array | null {
  if (typeof value === 'string') {
    // encoding_format base64: little-endian float32.
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
    const floats = new Float32Array(bytes.length / 4);
    for (let at = 0; at < floats.length; at++) floats[at] = bytes.readFloatLE(at * 4);
    return floats.every(Number.isFinite) ? floats : null;
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const floats = new Float32Array(value.length);
  for (let at = 0; at < value.length; at++) {
    const number: unknown = value[at];
    if (typeof number !== 'number') return null;
    floats[at] = number;
    // 1e39 is a number, and infinite in 32 bits.
    if (!Number.isFinite(floats[at])) return null;
  }
  return floats;
}

/**
 * Vectors by the `index` of each item, which need not be in order; a server that sends no index at all answers in
 * order.
 * @throws CA_ENDPOINT_REPLY where one is missing, doubled, of another length or not numbers.
 */
export function embeddingReply(body: unknown, texts: number, where: string): EmbeddingReply {
  if (!isObject(body) || !Array.isArray(body.data)) throw unusable(where, 'answered without data[]');
  const items = body.data as unknown[];
  if (items.length !== texts)
    throw unusable(where, `answered with ${items.length} vectors for ${texts} texts`);
  const indexed = items.some((item) => isObject(item) && item.index !== undefined);
  const vectors: (Float32Array | undefined)[] = new Array(texts).fill(undefined);
  items.forEach((item, position) => {
    const index = isObject(item) ? (indexed ? item.index : position) : undefined;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= texts)
      throw unusable(where, `answered with index ${JSON.stringify(index)} for ${texts} texts`);
    if (vectors[index] !== undefined) throw unusable(where, `answered with index ${index} twice`);
    const vector = vectorOf((item as Json).embedding);
    if (vector === null) throw unusable(where, `answered with no numbers as embedding ${index}`);
    if (vector.length > MOST_NUMBERS)
      throw unusable(where, `answered with a vector of ${vector.length} numbers, more than ${MOST_NUMBERS}`);
    vectors[index] = vector;
  });
  const full = vectors as Float32Array[];
  const odd = full.find((vector) => vector.length !== full[0]!.length);
  if (odd !== undefined)
    throw unusable(where, `answered with vectors of ${full[0]!.length} and ${odd.length} numbers`);
  return { vectors: full, model: modelOf(body), ...tokenUse(body) };
}
