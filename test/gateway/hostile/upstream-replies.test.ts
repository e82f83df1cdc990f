import { afterEach, describe, expect, it } from 'vitest';
import { isRawJson, parseCandidates } from '../../../src/gateway/speakers/verbalized-parse.ts';
import { ask, eventually, payloads, type Stage, stageOf, tidyStages } from '../faults/stage.ts';

afterEach(tidyStages);

const CHOICES = { text: true, tools: [] };
const whole = (text: string, usage: unknown) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage,
  });
const chunk = (...choices: unknown[]) => `data: ${JSON.stringify({ id: 'x', choices })}\n\n`;
const END = `${chunk({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;

/** The one session's last turn, as exported. */
async function said(stage: Stage): Promise<string | null | undefined> {
  const lines = (await (await stage.api('/api/trajectories?of=all')).text()).trim().split('\n');
  return (JSON.parse(lines[0]!) as { turns: { text: string | null }[] }).turns.at(-1)?.text;
}

describe('what a model says where candidates are asked for', () => {
  const SPACES = ' '.repeat(190_000);
  const SIGNS = '\\'.repeat(190_000);

  // Any of them took the event loop for half a minute: the test would run out of its time.
  it.each([
    ['a bracket and white space without end', `[${SPACES}`],
    ['white space on both sides of a word', `${SPACES}x${SPACES}y`],
    ['a fence that nothing follows', `\`\`\`${SPACES}x`],
    ['backslashes without end', SIGNS],
    ['a quote before backslashes', `"${SIGNS}probability`],
    ['quotes and white space', `"${SPACES}`.repeat(2)],
    ['new lines', `{\n"candidates"\n:[${'\n'.repeat(190_000)}`],
  ])('is judged in time that grows with it: %s', (_, text) => {
    expect([true, false]).toContain(isRawJson(text));
    expect(parseCandidates(text, CHOICES)).toEqual([]);
  });

  it('holds no probability that is thousands of characters long', () => {
    const digits = `${'1'.repeat(90_000)}x`;
    const candidates = [
      { text: 'Yes.', probability: digits },
      { text: 'No.', probability: `${' '.repeat(90_000)}5` },
    ];
    expect(parseCandidates(JSON.stringify({ candidates }), CHOICES)).toEqual([
      { text: 'Yes.', call: null, probability: null },
      { text: 'No.', call: null, probability: null },
    ]);
  });

  it('is still known as JSON in a fence, cut off, or quoted within a text', () => {
    for (const text of [
      '```json\n{"a": 1}\n```',
      '  ```\n[1, 2]```  ',
      '{"candidates": [{"text": "Yes',
      'Here: {\\"probability\\" : 0.5}',
      "{'prob': 1}",
    ])
      expect(isRawJson(text), text).toBe(true);
    for (const text of ['Yes.', 'In all probability: no.', '```', ''])
      expect(isRawJson(text), text).toBe(false);
  });
});

describe('tokens that an upstream counts', () => {
  it('are not counted where they are no whole numbers, and metrics can be read all the same', async () => {
    const stage = await stageOf((_, number) => ({
      raw: [whole('Hello.', { prompt_tokens: number === 0 ? 0.5 : 1e308, completion_tokens: 1e308 })],
    }));
    for (const text of ['One.', 'Two.', 'Three.']) expect((await stage.chat(ask(text))).status).toBe(200);
    const metrics = await fetch(`${stage.url}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).not.toMatch(/Infinity|\+Inf$|e\+308/m);
    const { members } = (await (await stage.api('/api/population')).json()) as { members: unknown[] };
    expect(members[0]).toMatchObject({ turns: 3, promptTokens: 0, completionTokens: 0 });
  });
});

describe('a stream of an upstream', () => {
  it('ends where it grows beyond what any reply is, and so does what is asked of the upstream', async () => {
    const piece = chunk({ index: 0, delta: { content: 'x'.repeat(2 ** 21) } });
    const stage = await stageOf({ raw: Array.from({ length: 40 }, () => piece), chunkMs: 0.1 });
    const response = await stage.chat(ask('Go on.', { stream: true }));
    const text = await response.text();
    const last = JSON.parse(payloads(text.slice(-1000)).at(-1)!) as unknown;
    expect(last).toMatchObject({ error: { code: 'upstream_reply' } });
    await eventually(() => stage.upstream.running() === 0, 'the upstream is left');
    expect((await (await stage.api('/api/trajectories?of=all')).text()).length).toBe(0);
  });

  it('with a second choice is recorded as its first', async () => {
    const stage = await stageOf({
      raw: [
        chunk({ index: 1, delta: { content: 'B' } }, { index: 0, delta: { content: 'A' } }),
        chunk({ index: 1, delta: { content: 'B' }, finish_reason: 'length' }),
        chunk({ index: 0, delta: { content: 'a' } }),
        END,
      ],
    });
    const events = payloads(await (await stage.chat(ask('Two?', { stream: true }))).text());
    expect(events.at(-1)).toBe('[DONE]');
    expect(await said(stage)).toBe('Aa');
  });
});
