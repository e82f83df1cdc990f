import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, completionOf } from '../../../src/gateway/wire/completion.ts';
import { eventText } from '../../../src/gateway/wire/server-sent-events.ts';

const HEAD = { id: 'chatcmpl-1', created: 1, model: 'population', fingerprint: 'f' };
const NONE = { promptTokens: null, completionTokens: null };
interface Chunk {
  readonly choices: readonly {
    delta: { content?: string | null; tool_calls?: unknown[] };
    finish_reason: string | null;
  }[];
  readonly usage?: unknown;
}

describe('a completion', () => {
  it('leaves token counts out where nobody counted', () => {
    const said = { text: 'Hi', toolCalls: [], finishReason: 'stop', usage: NONE };
    expect(completionOf(HEAD, said)).not.toHaveProperty('usage');
    const counted = { ...said, usage: { promptTokens: 3, completionTokens: 2 } };
    expect(completionOf(HEAD, counted).usage).toEqual({
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
    });
  });

  it('has null content beside tool calls alone', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const whole = completionOf(HEAD, {
      text: null,
      toolCalls: [call],
      finishReason: 'tool_calls',
      usage: NONE,
    });
    expect(whole.choices).toMatchObject([
      { message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
    ]);
  });
});

describe('a completion in pieces', () => {
  it('adds up to the text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const said = { text, toolCalls: [], finishReason: 'stop', usage: NONE };
        const chunks = [...chunksOf(HEAD, said, { includeUsage: false })].map(
          (chunk) => JSON.parse(chunk) as Chunk,
        );
        expect(chunks.map(({ choices }) => choices[0]!.delta.content ?? '').join('')).toBe(text);
        expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop');
      }),
    );
  });

  it('numbers tool calls and ends with the usage where it was asked for', () => {
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'f', arguments: '{}' },
    });
    const said = {
      text: null,
      toolCalls: [call('a'), call('b')],
      finishReason: 'tool_calls',
      usage: { promptTokens: 1, completionTokens: 2 },
    };
    const chunks = [...chunksOf(HEAD, said, { includeUsage: true })].map(
      (chunk) => JSON.parse(chunk) as Chunk,
    );
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toMatchObject([
      { index: 0, id: 'a' },
      { index: 1, id: 'b' },
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });
});

describe('an event', () => {
  it('keeps line breaks in its payload', () => {
    expect(eventText('a\nb')).toBe('data: a\ndata: b\n\n');
  });
});
