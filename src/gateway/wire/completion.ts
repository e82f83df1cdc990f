import type { ChatRequest, WireToolCall } from './chat-request.ts';

/** What a completion object says of itself. */
export interface CompletionHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
}

/** The part of a turn that a client gets. */
export interface Spoken {
  readonly text: string | null;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
  readonly usage: { readonly promptTokens: number | null; readonly completionTokens: number | null };
}

/** A whole `chat.completion`. Unknown token counts are left out: 0 would be a statement. */
export function completionOf(head: CompletionHead, said: Spoken): Record<string, unknown> {
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    system_fingerprint: head.fingerprint,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.text,
          ...(said.toolCalls.length === 0 ? {} : { tool_calls: said.toolCalls }),
        },
        logprobs: null,
        finish_reason: said.finishReason,
      },
    ],
    ...usageOf(said),
  };
}

/** The same as `data:` payloads of a stream: role, words in pieces, calls, end, and usage where it was asked for. */
export function* chunksOf(
  head: CompletionHead,
  said: Spoken,
  { includeUsage }: Pick<ChatRequest, 'includeUsage'>,
): Generator<string> {
  const chunk = (delta: Record<string, unknown>, finish: string | null = null) =>
    JSON.stringify({
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
      system_fingerprint: head.fingerprint,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage ? { usage: null } : {}),
    });
  yield chunk({ role: 'assistant', content: said.text === null ? null : '' });
  for (const piece of pieces(said.text ?? '')) yield chunk({ content: piece });
  for (const [index, call] of said.toolCalls.entries()) yield chunk({ tool_calls: [{ index, ...call }] });
  yield chunk({}, said.finishReason);
  const usage = usageOf(said);
  if (includeUsage && 'usage' in usage)
    yield JSON.stringify({
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
      system_fingerprint: head.fingerprint,
      choices: [],
      ...usage,
    });
}

/** A completion of an upstream's with the tokens of all that was asked for it. */
export function withUsage(
  completion: Readonly<Record<string, unknown>>,
  said: Pick<Spoken, 'usage'>,
): Record<string, unknown> {
  const { usage: _, ...rest } = completion;
  return { ...rest, ...usageOf(said) };
}

function usageOf({ usage: { promptTokens, completionTokens } }: Pick<Spoken, 'usage'>): {
  usage?: Record<string, number>;
} {
  if (promptTokens === null || completionTokens === null) return {};
  return {
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

/** Words with the space before them: joined, they are the text. */
function pieces(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? (text === '' ? [] : [text]);
}
