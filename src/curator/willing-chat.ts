import type { ChatMessage, ChatReply, OpenAiEndpoint } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';

export interface WillingOptions {
  readonly temperature: number;
  readonly seed: number;
  readonly maxTokens: number;
  readonly signal?: AbortSignal | undefined;
}

export type WillingChat = (messages: readonly ChatMessage[], options: WillingOptions) => Promise<ChatReply>;

/** Fields of the request that a server may refuse and that can be done without. */
const SPARE = ['response_format', 'seed', 'temperature', 'max_tokens'] as const;

/**
 * Chat that asks for a JSON object and leaves out what the server refuses by name, once it has: servers differ in the
 * fields they take, and none of these is worth a run. Errors as `OpenAiEndpoint.chat`.
 */
export function willingChat(endpoint: OpenAiEndpoint): WillingChat {
  const refused = new Set<string>();
  return async (messages, { temperature, seed, maxTokens, signal }) => {
    for (;;) {
      const sent = SPARE.filter((name) => !refused.has(name));
      const has = (name: (typeof SPARE)[number]) => sent.includes(name);
      try {
        return await endpoint.chat(
          messages,
          {
            json: has('response_format'),
            ...(has('seed') ? { seed } : {}),
            ...(has('temperature') ? { temperature } : {}),
            ...(has('max_tokens') ? { maxTokens } : {}),
          },
          signal,
        );
      } catch (error) {
        const named = refusedField(error, sent);
        if (named === undefined) throw error;
        refused.add(named);
      }
    }
  };
}

function refusedField(error: unknown, sent: readonly string[]): string | undefined {
  if (!(error instanceof CollapseAwareError) || !/ answered (400|422): /.test(error.message))
    return undefined;
  return sent.find((name) => error.message.includes(name));
}
