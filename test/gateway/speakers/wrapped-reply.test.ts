import { describe, expect, it } from 'vitest';
import { isWrapped } from '../../../src/gateway/speakers/wrapped-reply.ts';

describe('a reply wrapped in JSON behind an announcement', () => {
  it.each([
    'Here is my answer: {"response": "hello there"}',
    'Here is my answer:\n```json\n{"message": "hello there"}\n```',
    'Sure! {"reply": "No, thanks."}',
    'Okay, here are the responses: [{"response": "Yes."}, {"response": "No."}]',
    'The user\'s next message: {"text": "Yes.", "probability": 0.4}',
    'Certainly. Below is the requested JSON: {"candidates": ["Yes.", "No."]}',
    'My reply in JSON: {"role": "user", "content": "I would like a refund."}',
  ])('is found: %j', (text) => {
    expect(isWrapped(text)).toBe(true);
  });

  it.each([
    'When I call it I get {"message": "not found", "code": 404} and I do not know why.',
    'The server answers: {"message": "not found"}',
    'Here is the response I get: {"response": "ok"}',
    'Here is the JSON: {"message": "hello"}',
    'Here is the response: {"text": "hello", "status": 200}',
    'Here is my answer: {"name": "Ada", "age": 36}',
    'Here is my config:\n```json\n{"text": "red"}\n```',
    'Here is my answer: {"response": "ok"} but the test wants "okay".',
    'Here is my answer: use `{ reply: 1 }` instead.',
    'function reply() { return { text: "hi" } }',
    'My array is [1, 2, 3].',
    'Here is my answer: {}',
    'No JSON at all.',
    '',
  ])('is not what a user says of code and JSON: %j', (text) => {
    expect(isWrapped(text)).toBe(false);
  });

  it('is looked for in time that grows with the text alone', () => {
    for (const text of [`Sure${' '.repeat(200_000)}{`, `${'{'.repeat(200_000)}}`, 'my '.repeat(100_000)])
      expect(isWrapped(text)).toBe(false);
  });
});
