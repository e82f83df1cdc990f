import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const messages = [
  { role: 'system', content: 'You are an agent.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'x' } },
    ],
  },
  { role: 'assistant', content: 'I see.' },
];

describe('openai-chat', () => {
  it('gives no context by the agent’s system prompt, and a label by a task id', async () => {
    const text = `${JSON.stringify({ messages })}\n${JSON.stringify({ messages, task_id: 7, id: 'q', reward: 0.5 })}\n`;
    const { trajectories, file } = await collect(temporary('chat.jsonl', text));
    expect(
      trajectories.map(({ contextFrom, contextLabel, scenario }) => [contextFrom, contextLabel, scenario]),
    ).toEqual([
      ['none', null, null],
      ['label', '7', null],
    ]);
    expect(trajectories[1]).toMatchObject({ id: 'q', reward: 0.5 });
    expect(trajectories[0]?.turns[1]).toEqual({ role: 'user', text: 'Look:\n[image]' });
    expect(trajectories[0]?.simulator.id).toBe('unknown (file chat.jsonl)');
    expect(file.warnings).toHaveLength(1);
  });

  it('takes the system prompt as scenario where the assistant is the simulator', async () => {
    const { trajectories } = await collect(temporary('chat2.jsonl', JSON.stringify({ messages })), {
      simulatorRole: 'assistant',
      simulator: 'qwen',
    });
    expect(trajectories[0]).toMatchObject({ contextFrom: 'scenario', scenario: 'You are an agent.' });
    expect(trajectories[0]?.turns.map((turn) => turn.role)).toEqual(['system', 'agent', 'user']);
  });

  it('reads bare lists of messages, one a line or all in one array', async () => {
    const lines = `${JSON.stringify(messages)}\n${JSON.stringify(messages)}`;
    expect((await collect(temporary('bare.jsonl', lines))).trajectories).toHaveLength(2);
    const array = JSON.stringify([{ messages }, { messages }, { messages: [] }, 5], null, 1);
    const { trajectories, codes } = await collect(temporary('array.json', array));
    expect(trajectories).toHaveLength(2);
    expect(codes).toEqual(['CA_ROW_EMPTY', 'CA_ROW_INVALID']);
  });

  it.skipIf(!hasData('formats/openai_chat'))('reads a real fine-tuning file (../shared/data)', async () => {
    const { trajectories, file } = await collect(join(DATA, 'formats/openai_chat/*.gz'));
    expect(file).toMatchObject({ format: 'openai-chat', rows: 24, kept: 24 });
    expect(
      trajectories.flatMap((trajectory) => trajectory.turns).filter((turn) => turn.role === 'user'),
    ).toHaveLength(193);
  });
});
