import type { ShownCall } from '../../lab/hearing/index.ts';
import { messageText, type WireMessage } from '../wire/chat-request.ts';
import type { PastTurn } from './speaker.ts';

/** A request's messages as the world's two sides know them. */
export interface ScriptedLines {
  /** System prompts, joined. */
  readonly instructions: string;
  readonly lines: readonly Line[];
  /** The agent's messages carry its tool calls. */
  readonly showsCalls: boolean;
  /** The user's last message is a tool call that has been answered: what it says with it is due. */
  readonly called: boolean;
}

export type Line =
  | { readonly side: 'agent'; readonly text: string; readonly calls: readonly ShownCall[] }
  /** `acts` null: nobody kept them. */
  | { readonly side: 'user'; readonly text: string; readonly acts: readonly string[] | null };

/**
 * Messages in a row of the agent's are one turn of it. The user's acts are found among its past turns by text, in
 * order: a client may have cut the beginning off.
 */
export function scriptedLines(messages: readonly WireMessage[], past: readonly PastTurn[]): ScriptedLines {
  const instructions: string[] = [];
  const lines: Line[] = [];
  let next = 0;
  let called = false;
  for (const message of messages) {
    const text = messageText(message);
    if (message.role === 'system' || message.role === 'developer') {
      // Later ones are remarks to the user and no scenario.
      if (lines.length === 0) instructions.push(text);
    } else if (message.role === 'user') {
      called = false;
      const calls = (message.tool_calls ?? []).map(shown);
      const last = lines.at(-1);
      if (last?.side === 'agent')
        lines[lines.length - 1] = {
          side: 'agent',
          text: [last.text, text].filter((one) => one !== '').join(' '),
          calls: [...last.calls, ...calls],
        };
      else lines.push({ side: 'agent', text, calls });
    } else if (message.role === 'assistant') {
      const found = past.findIndex((one, i) => i >= next && one.text === text);
      // A client may keep calls to itself: their acts belong to the words that came of them.
      const unseen = past
        .slice(next, Math.max(next, found))
        .flatMap((one) => (one.text === '' ? (one.acts ?? []) : []));
      const own = found < 0 ? undefined : past[found]!.acts;
      const acts = own === undefined ? undefined : [...unseen, ...own];
      if (found >= 0) next = found + 1;
      const calls = message.tool_calls ?? [];
      // Words behind a call's answer belong to the call: they are no act of their own.
      if (called && calls.length === 0) lines.push({ side: 'user', text, acts: [] });
      else lines.push({ side: 'user', text, acts: acts ?? null });
      called = calls.length > 0;
    }
  }
  const answered = messages.at(-1)?.role;
  return {
    instructions: instructions.join('\n'),
    lines,
    showsCalls: lines.some((line) => line.side === 'agent' && line.calls.length > 0),
    called: called && (answered === 'tool' || answered === 'function'),
  };
}

function shown({
  function: { name, arguments: given },
}: NonNullable<WireMessage['tool_calls']>[number]): ShownCall {
  try {
    return { name, arguments: JSON.parse(given) as unknown };
  } catch {
    return { name, arguments: given };
  }
}
