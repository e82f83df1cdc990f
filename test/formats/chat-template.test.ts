import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitTemplate } from '../../src/formats/chat-template.ts';

const spoken = (prompt: string, completion: string) =>
  splitTemplate(prompt, completion).map(({ role, content }) => [role, content]);

const talk = [
  ['system', 'Be kind.'],
  ['user', 'Hello, I need help.\nIt is urgent.'],
  ['assistant', 'With what?'],
  ['user', 'My order.'],
  ['assistant', 'Done.'],
];

/** What each template makes of the talk: the prompt ends where the policy first speaks. */
const templates: Record<string, { turn: (role: string, text: string) => string; open: string }> = {
  ChatML: {
    turn: (role, text) => `<|im_start|>${role}\n${text}<|im_end|>\n`,
    open: '<|im_start|>assistant\n',
  },
  'Llama 3': {
    turn: (role, text) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`,
    open: '<|start_header_id|>assistant<|end_header_id|>\n\n',
  },
  Gemma: {
    turn: (role, text) => `<start_of_turn>${role}\n${text}<end_of_turn>\n`,
    open: '<start_of_turn>assistant\n',
  },
  Zephyr: { turn: (role, text) => `<|${role}|>\n${text}</s>\n`, open: '<|assistant|>\n' },
  'ChatML without its special tokens': { turn: (role, text) => `${role}\n${text}\n`, open: 'assistant\n' },
  'Llama 3 without its special tokens': { turn: (role, text) => `${role}\n\n${text}`, open: 'assistant\n\n' },
};

describe('splitTemplate', () => {
  for (const [name, { turn, open }] of Object.entries(templates))
    it(`splits prompt and completion of ${name}`, () => {
      const prompt = `${talk
        .slice(0, 2)
        .map(([role, text]) => turn(role!, text!))
        .join('')}${open}`;
      const rest = talk
        .slice(2)
        .map(([role, text]) => turn(role!, text!))
        .join('');
      expect(rest.startsWith(open)).toBe(true);
      expect(spoken(prompt, rest.slice(open.length))).toEqual(talk);
    });

  it('takes a prompt without markers as the user and the completion as the assistant', () => {
    expect(spoken('What is 2 + 2?', 'It is 4.')).toEqual([
      ['user', 'What is 2 + 2?'],
      ['assistant', 'It is 4.'],
    ]);
  });

  it('finds turns in a completion whose prompt has no markers', () => {
    expect(spoken('Return my order', 'Number?\nuser\nA1.\nassistant\nDone.')).toEqual([
      ['user', 'Return my order'],
      ['assistant', 'Number?'],
      ['user', 'A1.'],
      ['assistant', 'Done.'],
    ]);
  });

  it('leaves reasoning out, takes tool calls and tool replies out of their tags', () => {
    const prompt = '<|im_start|>user\nBalance?<|im_end|>\n<|im_start|>assistant\n<think>\n';
    const completion =
      'I should look.\n</think>\nOne moment.<tool_call>\n{"name": "balance", "arguments": {"id": 7}}\n</tool_call><|im_end|>\n' +
      '<|im_start|>user\n<tool_response>\n42\n</tool_response><|im_end|>\n<|im_start|>assistant\nIt is 42.<|im_end|>';
    expect(splitTemplate(prompt, completion)).toEqual([
      { role: 'user', content: 'Balance?' },
      { role: 'assistant', content: 'One moment.', tool_calls: [{ name: 'balance', arguments: { id: 7 } }] },
      { role: 'tool', content: '42' },
      { role: 'assistant', content: 'It is 42.' },
    ]);
  });

  it('keeps a tool call that does not parse as text', () => {
    expect(spoken('Hi', '<tool_call>balance(7)</tool_call>')).toEqual([
      ['user', 'Hi'],
      ['assistant', '<tool_call>balance(7)</tool_call>'],
    ]);
  });

  it('takes any text without throwing, and loses none of it where nothing is marked', () => {
    const pieces = fc.constantFrom(
      'user\n',
      'assistant\n\n',
      '<|im_start|>',
      '<|im_end|>',
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '{',
      '\n',
      'word ',
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.array(pieces), (prompt, completion) => {
        splitTemplate(prompt.join(''), completion.join(''));
      }),
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ a-z,.]*$/),
        fc.stringMatching(/^[ a-z,.]*$/),
        (prompt, completion) => {
          const texts = splitTemplate(prompt, completion).map((turn) => turn.content);
          expect(texts).toEqual([prompt.trim(), completion.trim()].filter((text) => text !== ''));
        },
      ),
    );
  });
});
