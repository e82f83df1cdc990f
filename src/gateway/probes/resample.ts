import { toolCallsOf } from '../../formats/chat-message.ts';
import type { Resample } from '../../trajectory/trajectory.ts';
import type { Reply, Said } from '../speakers/speaker.ts';
import type { Law } from './visited-history.ts';

/** A reply that was drawn again, as records carry it: no words are '', beside the tool calls. */
export function resampleOf(law: Law, member: string, said: Said): Resample {
  const calls = toolCallsOf(said.toolCalls);
  return {
    law,
    member,
    text: said.text ?? '',
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(said.acts === undefined ? {} : { acts: said.acts }),
  };
}

/** What was said, once all of it has come. */
export async function wholeSaid(reply: Reply): Promise<Said> {
  if (reply.kind === 'whole') return reply.said;
  for await (const _ of reply.chunks);
  return reply.said();
}

/** Tokens of a reply by the upstream's account, else about four characters each: a budget must not be blind. */
export function completionTokens({ usage, text, toolCalls }: Said): number {
  if (usage.completionTokens !== null) return usage.completionTokens;
  const characters = toolCalls.reduce(
    (sum, call) => sum + call.function.name.length + call.function.arguments.length,
    text?.length ?? 0,
  );
  return Math.ceil(characters / 4);
}
