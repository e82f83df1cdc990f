import { messageText, type WireMessage } from '../wire/chat-request.ts';

/**
 * The simulated user's scenario, the part of its instructions that differs from task to task: the first group of the
 * regular expression `pattern`; without one, or where it finds nothing, what stands between `<scenario>` and
 * `</scenario>` (stock tau2-bench, whose guidelines come first and are equal for all tasks); else the whole prompt.
 * Trimmed; null where the prompt is empty.
 */
export function scenarioOf(systemPrompt: string, pattern: string | null): string | null {
  const whole = systemPrompt.trim();
  const found = pattern === null ? null : new RegExp(pattern).exec(whole)?.[1]?.trim();
  return found || between(whole) || whole || null;
}

/** The leading system messages, as one text; null where there are none. */
export function systemPromptOf(messages: readonly WireMessage[]): string | null {
  const end = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const texts = messages.slice(0, end < 0 ? messages.length : end).map(messageText);
  return texts.length === 0 ? null : texts.join('\n\n');
}

// The last pair: guidelines may speak of the tag before it is used.
function between(prompt: string): string {
  const to = prompt.lastIndexOf('</scenario>');
  const from = to < 0 ? -1 : prompt.lastIndexOf('<scenario>', to);
  return from < 0 ? '' : prompt.slice(from + '<scenario>'.length, to).trim();
}
