import { describe, expect, it } from 'vitest';
import { chatTurns, contentText, deeperThan, roleOf, toolCallsOf } from '../../src/formats/chat-message.ts';

describe('contentText', () => {
  it('joins text parts and names the others', () => {
    expect(contentText([{ type: 'text', text: 'a' }, { type: 'image_url', image_url: {} }, 'b'])).toBe(
      'a\n[image]\nb',
    );
    expect(contentText([{ type: 'input_image' }, { type: 'input_text', text: 'c' }])).toBe('[image]\nc');
    expect(contentText([])).toBeNull();
    expect(contentText(null)).toBeNull();
    expect(contentText(7)).toBe('7');
  });
});

describe('chatTurns', () => {
  it('knows whose call a tool result answers', () => {
    const call = (id: string) => [{ id, function: { name: 'f', arguments: '{"x": 1}' } }];
    const turns = chatTurns([
      { role: 'assistant', content: null, tool_calls: call('1') },
      { role: 'tool', tool_call_id: '1', content: 'ok' },
      { role: 'user', content: '', tool_calls: call('2') },
      { role: 'tool', tool_call_id: '2', content: 'ok' },
      { role: 'tool', content: 'no id' },
      { role: 'tool', requestor: 'assistant', content: 'said' },
    ]);
    expect(turns.map((turn) => turn.requestor)).toEqual([
      undefined,
      'agent',
      undefined,
      'user',
      'user',
      'agent',
    ]);
    expect(turns[2]).toMatchObject({ text: null, toolCalls: [{ id: '2', name: 'f', arguments: { x: 1 } }] });
  });

  it('makes the named raw role the simulated user', () => {
    const turns = chatTurns(
      [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
      { simulatorRole: 'assistant' },
    );
    expect(turns.map((turn) => turn.role)).toEqual(['system', 'agent', 'user']);
    expect(roleOf('target', 'target')).toBe('user');
    expect(roleOf('persuader', 'target')).toBe('agent');
    expect(roleOf('persuader')).toBeNull();
  });

  it('says which message is wrong', () => {
    expect(() => chatTurns('x')).toThrow('messages: expected an array, found a string');
    expect(() => chatTurns([{ role: 'user' }, 3])).toThrow('messages[1]: expected an object, found a number');
    expect(() => chatTurns([{ role: 'narrator', content: '' }])).toThrow("'narrator' is no known role");
  });
});

describe('tool calls', () => {
  it('keep arguments that do not parse as text', () => {
    expect(toolCallsOf([{ name: 'f', arguments: '{broken' }])).toEqual([{ name: 'f', arguments: '{broken' }]);
    expect(toolCallsOf([{ name: 'f' }, { function: {} }, null, 3])).toEqual([{ name: 'f', arguments: null }]);
  });

  it('hold no half surrogates and no NaN', () => {
    expect(toolCallsOf([{ name: 'f', arguments: '{"x": "\\ud83d", "y": NaN}' }])[0]?.arguments).toEqual({
      x: '\ufffd',
      y: null,
    });
  });

  it('are measured for depth without recursion', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(deeperThan(deep, 256)).toBe(true);
    expect(deeperThan({ a: [{ b: 1 }] }, 3)).toBe(false);
  });
});
