import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const real = it.skipIf(!hasData('cooperbench'));
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

const folder = mkdtempSync(join(tmpdir(), 'ca-corpora-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const corpus = (name: string, files: Record<string, string>) => {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  return path;
};

describe('CooperBench', () => {
  real('gives a trajectory per side of a run, and drops the runs without a conversation', async () => {
    const { trajectories, file } = await collect(join(DATA, 'cooperbench/coop_runs_200.jsonl.gz'));
    expect(file).toMatchObject({
      format: 'cooperbench',
      kept: 294,
      dropped: 53,
      droppedBy: { CA_ROW_EMPTY: 53 },
    });
    const [first, second] = trajectories;
    expect(first).toMatchObject({
      id: 'cfc39205/agent1',
      simulator: { id: 'claude-sonnet-5', recipe: 'claude_code' },
      reward: 0,
      outcome: 'conflicts',
    });
    expect(second!.id).toBe('cfc39205/agent2');
    expect(second!.turns.map((turn) => turn.role)).toEqual(
      first!.turns.map((turn) => (turn.role === 'user' ? 'agent' : 'user')),
    );
    expect(second!.turns.map((turn) => turn.text)).toEqual(first!.turns.map((turn) => turn.text));
    expect(second!.context).not.toBe(first!.context);
    expect(new Set(trajectories.map((row) => row.id)).size).toBe(294);
  });

  real('reads a run folder, with what the partner was told as the scenario', async () => {
    const path = join(folder, 'run');
    cpSync(join(DATA, 'cooperbench'), path, { recursive: true });
    rmSync(join(path, 'coop_runs_200.jsonl.gz'));
    for (const input of [path, join(path, 'conversation.json.gz')]) {
      const { trajectories, files } = await collect(input);
      expect(files).toHaveLength(1);
      expect(files[0]).toMatchObject({ format: 'cooperbench', kept: 2, dropped: 0 });
      const [agent1, agent2] = trajectories;
      expect(agent1!.scenario).toContain('brightness adjustment');
      expect(agent2!.scenario).toContain('custom sorting');
      expect(agent1).toMatchObject({ id: '8c9810cf/agent1', reward: 0, termination: 'Submitted' });
    }
  });

  it('drops the side nobody wrote to, and keeps the other', async () => {
    const run = {
      result: { run_id: 'r', agents: { a: {}, b: {} } },
      eval: null,
      conversation: [{ from: 'a', to: 'b', message: 'Hello' }],
    };
    const { trajectories, codes } = await collect(temporary('one-sided.jsonl', lines(run, run)));
    expect(trajectories.map((row) => [row.id, row.reward])).toEqual([
      ['r/b', null],
      ['r/b', null],
    ]);
    expect(codes).toEqual(['CA_ROW_NO_SIMULATOR_TURN', 'CA_ROW_NO_SIMULATOR_TURN']);
  });
});

const utterance = (id: string, conversation: string, speaker: string, text: string, more: object = {}) => ({
  id,
  conversation_id: conversation,
  speaker,
  text,
  reply_to: null,
  timestamp: null,
  meta: {},
  vectors: [],
  ...more,
});

/** Persuasion for Good as ConvoKit ships it: roles 0 and 1 on utterances, donations on conversations. */
const p4g = () =>
  corpus('p4g', {
    'utterances.jsonl': lines(
      utterance('u0', 'u0', 'er1', 'Would you give?', { meta: { role: 0, label_1: ['proposition'] } }),
      utterance('w0', 'w0', 'ee2', 'Hi first', { meta: { role: 1 } }),
      utterance('u1', 'u0', 'ee1', 'Maybe.', {
        reply_to: 'u0',
        meta: { role: 1, label_1: ['neutral'], label_2: null },
      }),
      utterance('w1', 'w0', 'er2', 'Hello.', { reply_to: 'w0', meta: { role: 0 } }),
    ),
    'speakers.json': JSON.stringify({ ee1: { meta: { age: 30 }, vectors: [] } }),
    'conversations.json': JSON.stringify({
      u0: { meta: { donation_ee: 0.5 }, vectors: [] },
      w0: { donation_ee: 0 },
    }),
    'index.json': JSON.stringify({ name: 'persuasionforgood-corpus' }),
    'corpus.json': '{}',
  });

describe('ConvoKit', () => {
  it('makes the persuadee the user, a person, with acts and donation', async () => {
    const path = p4g();
    const { trajectories, file } = await collect(path);
    expect(file).toMatchObject({ format: 'convokit', kept: 2, dropped: 0, warnings: [] });
    expect(trajectories[0]).toMatchObject({
      id: 'u0',
      benchmark: 'p4g',
      contextLabel: 'save-the-children',
      simulator: { id: 'people (p4g)', kind: 'human', person: 'ee1' },
      reward: 0.25,
    });
    expect(trajectories[0]!.turns).toEqual([
      { role: 'agent', text: 'Would you give?', acts: ['proposition'] },
      { role: 'user', text: 'Maybe.', acts: ['neutral'] },
    ]);
    expect(trajectories[1]).toMatchObject({ id: 'w0', reward: 0, simulator: { person: 'ee2' } });
    expect(trajectories[1]!.turns.map((turn) => turn.role)).toEqual(['user', 'agent']);
    const swapped = await collect(join(path, 'utterances.jsonl'), { simulatorRole: '0' });
    expect(swapped.trajectories.map((row) => row.simulator.person)).toEqual(['er1', 'er2']);
  });

  it('orders by time, else along the replies', async () => {
    const path = corpus('order', {
      'utterances.jsonl': lines(
        utterance('c', 'x', 'A', 'third', { timestamp: 30 }),
        utterance('a', 'x', 'A', 'first', { timestamp: 10 }),
        utterance('b', 'x', 'B', 'second', { timestamp: 20 }),
        utterance('r', 'y', 'A', 'third', { reply_to: 'q' }),
        utterance('p', 'y', 'A', 'first'),
        utterance('q', 'y', 'B', 'second', { reply_to: 'p' }),
      ),
    });
    const { trajectories, file } = await collect(path);
    for (const row of trajectories)
      expect(row.turns.map(({ role, text }) => [role, text])).toEqual([
        ['agent', 'first'],
        ['user', 'second'],
        ['agent', 'third'],
      ]);
    expect(file.warnings).toHaveLength(1);
  });

  it('drops monologues and broken utterances, and keeps the rest', async () => {
    const path = corpus('broken', {
      'utterances.jsonl': `${lines(
        utterance('m', 'm', 'A', 'alone'),
        { id: 'n', conversation_id: 'k', text: 'no speaker' },
        utterance('k', 'k', 'A', 'one'),
        utterance('l', 'k', 'B', 'two'),
      )}\n{"id": "cut`,
    });
    const { trajectories, codes } = await collect(path);
    expect(trajectories.map((row) => row.id)).toEqual(['k']);
    expect(codes.sort()).toEqual(['CA_JSON_INVALID', 'CA_ROW_INVALID', 'CA_ROW_NO_SIMULATOR_TURN']);
  });
});

describe('ShareGPT', () => {
  const row = {
    id: 'x_0',
    system: 'Tools: look',
    conversations: [
      { from: 'human', value: 'Balance?' },
      { from: 'function_call', value: '{"name": "look", "arguments": {"a": 1}}' },
      { from: 'observation', value: '42' },
      { from: 'gpt', value: 'It is 42.' },
    ],
  };

  it('reads arrays and lines, with calls and observations', async () => {
    for (const [name, text] of [
      ['sharegpt.json', JSON.stringify([row, { ...row, id: 'x_1' }], null, 1)],
      ['sharegpt.jsonl', lines(row, { ...row, id: 'x_1' })],
    ] as const) {
      const { trajectories, file } = await collect(temporary(name, text));
      expect(file).toMatchObject({ format: 'sharegpt', kept: 2, dropped: 0 });
      expect(trajectories[0]!.turns).toEqual([
        { role: 'system', text: 'Tools: look' },
        { role: 'user', text: 'Balance?' },
        { role: 'agent', text: null, toolCalls: [{ name: 'look', arguments: { a: 1 } }] },
        { role: 'tool', text: '42', requestor: 'agent' },
        { role: 'agent', text: 'It is 42.' },
      ]);
    }
  });

  it('drops rows without turns or with an unknown speaker', async () => {
    const rows = [
      row,
      { ...row, conversations: [] },
      { ...row, conversations: [{ from: 'alien', value: 'x' }] },
    ];
    const { codes } = await collect(temporary('sharegpt-bad.jsonl', lines(...rows)));
    expect(codes).toEqual(['CA_ROW_EMPTY', 'CA_ROW_INVALID']);
  });
});

const scopeRow = {
  messages: [
    { role: 'assistant', content: 'How can I help?' },
    {
      role: 'user',
      content: 'B',
      candidates: [
        { text: 'A', probability: 0.7 },
        { text: 'B', probability: '0.3' },
      ],
    },
  ],
  reward: 1,
  status: 'completed',
  turn_count: 2,
  metadata: { user_model: 'u', policy_model: 'p', task_id: 't', step: 5, group_id: 'g', scenario: 'Want B' },
  rollout_id: 7,
  timestamp: 1,
};

describe('SCOPE', () => {
  it('reads its rows, facts from the metadata, candidates onto the turns', async () => {
    const { trajectories, file } = await collect(temporary('rollout_000007.jsonl', lines(scopeRow)));
    expect(file).toMatchObject({ format: 'scope', kept: 1 });
    expect(trajectories[0]).toMatchObject({
      simulator: { id: 'u' },
      policy: { id: 'p' },
      contextLabel: 't',
      scenario: 'Want B',
      epoch: 5,
      group: 'g',
      reward: 1,
      termination: 'completed',
    });
    expect(trajectories[0]!.turns[1]).toEqual({
      role: 'user',
      text: 'B',
      probability: 0.3,
      candidates: [
        { text: 'A', probability: 0.7 },
        { text: 'B', probability: 0.3 },
      ],
    });
  });

  it('does not take a counter for an id that holds across files', async () => {
    const other = { ...scopeRow, messages: [{ role: 'user', content: 'Other' }] };
    const first = await collect(temporary('rollout_000001.jsonl', lines(scopeRow)));
    const second = await collect(
      temporary('rollout_000002.jsonl', lines(other, { ...other, rollout_id: 'uuid-a' })),
    );
    const ids = [...first.trajectories, ...second.trajectories].map((row) => row.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('uuid-a');
  });
});

describe('Verbalized-Sampling rows', () => {
  const candidates = [
    { text: 'Yes', probability: 0.6 },
    { text: 'No', probability: 1.4 },
  ];

  it('makes one reply an episode, with its probability', async () => {
    const row = { history: [{ role: 'assistant', content: 'Will you?' }], candidates, chosen_text: 'Yes' };
    const { trajectories, file } = await collect(
      temporary('vs.jsonl', lines(row, { ...row, chosen_text: 'No' })),
    );
    expect(file).toMatchObject({ format: 'vs-harness', kept: 2 });
    expect(trajectories[0]!.turns[1]).toMatchObject({ role: 'user', text: 'Yes', probability: 0.6 });
    // What is no probability is none.
    expect(trajectories[1]!.turns[1]!.probability).toBeUndefined();
    expect(trajectories[1]!.turns[1]!.candidates![1]).toEqual({ text: 'No', probability: null });
  });

  it('puts the rows of a conversation together, in the order of their turns', async () => {
    const ask = (content: string) => ({ role: 'assistant', content });
    const said = (content: string) => ({ role: 'user', content });
    const rows = [
      {
        rollout_id: 'r',
        turn: 1,
        history: [ask('Will you?'), said('Yes'), ask('Sure?')],
        candidates,
        chosen_text: 'No',
      },
      { rollout_id: 's', turn: 0, candidates, chosen_text: 'Yes' },
      { rollout_id: 'r', turn: 0, history: [ask('Will you?')], candidates, chosen_text: 'Yes' },
      { rollout_id: 'r', turn: 2, candidates, chosen_text: 3 },
    ];
    const { trajectories, codes } = await collect(temporary('vs-turns.jsonl', lines(...rows)));
    expect(
      trajectories.map((row) => row.turns.map((turn) => [turn.role, turn.text, turn.probability ?? null])),
    ).toEqual([
      [
        ['agent', 'Will you?', null],
        ['user', 'Yes', 0.6],
        ['agent', 'Sure?', null],
        ['user', 'No', null],
      ],
      [['user', 'Yes', 0.6]],
    ]);
    expect(codes).toEqual(['CA_ROW_INVALID']);
  });
});
