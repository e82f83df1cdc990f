import { ApiError } from '../wire/api-error.ts';
import type { WireToolCall } from '../wire/chat-request.ts';
import type { Said, SpeechUsage } from './speaker.ts';

/** What a model said, without who and how. */
export type Words = Pick<Said, 'text' | 'toolCalls' | 'finishReason' | 'usage'>;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
/** What counts nothing (a fraction, 1e308) is no count: sums of such would stay wrong for good. */
const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;

export const NO_USAGE: SpeechUsage = { promptTokens: null, completionTokens: null };

export function usageOf(body: Json): SpeechUsage {
  const usage = isObject(body.usage) ? body.usage : {};
  return { promptTokens: count(usage.prompt_tokens), completionTokens: count(usage.completion_tokens) };
}

/** Unknown where one of them is: a sum of the rest would be too small. */
export function usageSum(all: readonly SpeechUsage[]): SpeechUsage {
  const sum = (key: keyof SpeechUsage): number | null =>
    all.reduce<number | null>(
      (total, one) => (total === null || one[key] === null ? null : total + one[key]),
      0,
    );
  return { promptTokens: sum('promptTokens'), completionTokens: sum('completionTokens') };
}

/** @throws ApiError 502 where it is no chat completion. */
export function wordsOf(completion: Json): Words {
  const choice = Array.isArray(completion.choices) ? (completion.choices[0] as unknown) : null;
  const message = isObject(choice) ? choice.message : null;
  if (!isObject(choice) || !isObject(message))
    throw new ApiError(502, 'the upstream answered without choices[0].message', { code: 'upstream_reply' });
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const toolCalls = calls.filter(isObject).map((call, at): WireToolCall => {
    const of = isObject(call.function) ? call.function : {};
    const given = of.arguments ?? '';
    return {
      id: textOf(call.id) ?? `call_${at}`,
      type: 'function',
      function: {
        name: textOf(of.name) ?? '',
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      },
    };
  });
  return {
    text: textOrCalls(contentText(message.content), textOf(message.refusal), toolCalls.length > 0),
    toolCalls,
    finishReason: textOf(choice.finish_reason) ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(completion),
  };
}

/** Many servers put empty content beside calls, and some a refusal instead of content. */
function textOrCalls(content: string | null, refusal: string | null, calling: boolean): string | null {
  const text = content === '' ? null : content;
  return text ?? refusal ?? (calling ? null : '');
}

function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part: unknown) => (isObject(part) ? (textOf(part.text) ?? '') : '')).join('');
}

interface OpenCall {
  id: string | null;
  name: string;
  arguments: string;
}

/** Puts together what the chunks of a stream say. */
export class WordTally {
  #text: string | null = null;
  #refusal: string | null = null;
  #finish: string | null = null;
  #usage: SpeechUsage = NO_USAGE;
  readonly #calls = new Map<number, OpenCall>();

  /** Whether a reason for the end was given. */
  get finished(): boolean {
    return this.#finish !== null;
  }

  add(chunk: Json): void {
    if (isObject(chunk.usage)) this.#usage = usageOf(chunk);
    // One was asked for: of a second one nothing may get into the first.
    const choice = Array.isArray(chunk.choices)
      ? chunk.choices.find((one) => isObject(one) && (one.index ?? 0) === 0)
      : null;
    if (!isObject(choice)) return;
    this.#finish = textOf(choice.finish_reason) ?? this.#finish;
    const { delta } = choice;
    if (!isObject(delta)) return;
    const content = contentText(delta.content);
    if (content !== null) this.#text = (this.#text ?? '') + content;
    const refusal = textOf(delta.refusal);
    if (refusal !== null) this.#refusal = (this.#refusal ?? '') + refusal;
    if (Array.isArray(delta.tool_calls))
      for (const call of delta.tool_calls.filter(isObject)) this.#call(call);
  }

  words(): Words {
    const toolCalls = [...this.#calls.values()].map(
      ({ id, name, arguments: all }, at): WireToolCall => ({
        id: id ?? `call_${at}`,
        type: 'function',
        function: { name, arguments: all },
      }),
    );
    const calling = toolCalls.length > 0;
    return {
      text: textOrCalls(this.#text, this.#refusal, calling),
      toolCalls,
      finishReason: this.#finish ?? (calling ? 'tool_calls' : 'stop'),
      usage: this.#usage,
    };
  }

  #call(piece: Json): void {
    const index = count(piece.index) ?? this.#calls.size;
    const call = this.#calls.get(index) ?? { id: null, name: '', arguments: '' };
    this.#calls.set(index, call);
    call.id = textOf(piece.id) ?? call.id;
    if (!isObject(piece.function)) return;
    call.name += textOf(piece.function.name) ?? '';
    call.arguments += textOf(piece.function.arguments) ?? '';
  }
}
