import type { WireMessage } from '../wire/chat-request.ts';

/**
 * The messages with `text` in the one system prompt at their front, before or after what the client wrote there: many
 * chat templates take a single system message, and only first. What the client wrote stays as it is.
 */
export function withSystem(
  messages: readonly WireMessage[],
  text: string,
  where: 'before' | 'after',
): readonly WireMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined || (first.role !== 'system' && first.role !== 'developer'))
    return [{ role: 'system', content: text }, ...messages];
  const { content } = first;
  if (Array.isArray(content)) {
    const part = { type: 'text', text };
    return [{ ...first, content: where === 'before' ? [part, ...content] : [...content, part] }, ...rest];
  }
  const own = (content ?? '') as string;
  const both = own === '' ? text : where === 'before' ? `${text}\n\n${own}` : `${own}\n\n${text}`;
  return [{ ...first, content: both }, ...rest];
}
