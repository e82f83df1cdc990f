import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const real = it.skipIf(!hasData('formats'));
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('verifiers results', () => {
  real('reads model and environment off the metadata beside it, and groups by example', async () => {
    const { trajectories, file } = await collect(
      join(DATA, 'formats/verifiers/wordle--gpt-5-mini__019a631c__results.jsonl'),
    );
    expect(file).toMatchObject({ format: 'verifiers', kept: 15, dropped: 0 });
    expect(trajectories[0]).toMatchObject({
      benchmark: 'wordle',
      policy: { id: 'gpt-5-mini' },
      simulator: { id: 'env:wordle' },
      contextLabel: 'example:0',
      reward: 1.4933333333,
    });
    expect(new Set(trajectories.map((row) => row.group)).size).toBe(5);
    expect(trajectories[0]!.turns.map((turn) => turn.role)).toEqual([
      'system',
      'user',
      'agent',
      'user',
      'agent',
      'user',
    ]);
  });

  real('drops rollouts in which nothing was said, with the reason', async () => {
    const { file } = await collect(
      join(DATA, 'formats/verifiers/tool-test--gpt-4.1-mini__5cde0948__results.jsonl'),
    );
    expect(file).toMatchObject({
      format: 'verifiers',
      kept: 0,
      dropped: 15,
      droppedBy: { CA_ROW_EMPTY: 15 },
    });
  });

  it('names the user model that is an argument of the environment', async () => {
    temporary('v_metadata.json', JSON.stringify({ env_id: 'e', model: 'm', env_args: { user_model: 'u' } }));
    const row = {
      example_id: 4,
      prompt: [{ role: 'user', content: 'Hi' }],
      completion: 'Hello',
      reward: 1,
      error: { error: 'boom' },
    };
    const { trajectories } = await collect(temporary('v_results.jsonl', lines(row)));
    expect(trajectories[0]).toMatchObject({
      simulator: { id: 'u', model: 'u' },
      group: 'e--m/4',
      termination: 'error',
    });
  });
});

const node = (parent: number | null, role: string, content: string, sampled = false) => ({
  ...(parent === null ? {} : { parent }),
  message: { role, content },
  sampled,
});

/** An episode as verifiers v1 serialises it (nulls left out). */
const episode = (more: object = {}) => ({
  id: 'ep',
  env: { id: 'user-sim+retail' },
  task: { type: 'T', key: 'task-9', data: { idx: 9, prompt: 'Return the blue lamp.' } },
  group: { id: 'g1' },
  run: { type: 'train', id: 'run-1', work: { type: 'train', step: 20, policy: { start: 18, end: 19 } } },
  ok: true,
  traces: [
    {
      id: 'trace-user',
      agent: {
        name: 'user',
        trainable: false,
        config: { model: 'user-model', sampling: { temperature: 1 } },
      },
      nodes: [
        node(null, 'system', 'You are a user'),
        node(0, 'user', 'Hello! How can I help you today?'),
        node(1, 'assistant', 'The lamp, back.', true),
        node(2, 'user', 'Done.'),
        node(3, 'assistant', '###DONE###', true),
      ],
    },
    {
      id: 'trace-assistant',
      agent: { name: 'assistant', config: {} },
      calls: [{ node: 2, model: 'policy-model' }],
      nodes: [
        node(null, 'system', 'Policy'),
        node(0, 'user', 'The lamp, back.'),
        node(1, 'assistant', 'An abandoned branch', true),
        node(1, 'assistant', 'Done.', true),
      ],
      rewards: { success: { score: 1, weight: 0.5 }, style: { score: 0.2 } },
      stop_condition: 'user_done',
    },
  ],
  ...more,
});

describe('prime-rl episodes', () => {
  it('makes a trajectory of the trained agent, its last branch and the closing words of the user', async () => {
    const { trajectories, file } = await collect(temporary('traces.jsonl', lines(episode())));
    expect(file).toMatchObject({ format: 'prime-rl', kept: 1, dropped: 0 });
    expect(trajectories[0]).toMatchObject({
      id: 'trace-assistant',
      benchmark: 'user-sim+retail',
      scenario: 'Return the blue lamp.',
      contextLabel: 'task-9',
      group: 'g1',
      epoch: 20,
      run: 'run-1',
      simulator: { id: 'user-model', model: 'user-model', kind: 'llm' },
      policy: { id: 'policy-model', checkpoint: '18-19' },
      reward: 0.7,
      termination: 'user_done',
    });
    expect(trajectories[0]!.turns.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Policy'],
      ['user', 'The lamp, back.'],
      ['agent', 'Done.'],
      ['user', '###DONE###'],
    ]);
  });

  it('reads single-agent episodes, and drops failed ones with their error', async () => {
    const [user, assistant] = episode().traces;
    const rows = [
      episode({ traces: [assistant] }),
      episode({ traces: [], errors: [{ type: 'SandboxError', message: 'gone' }] }),
      episode({ traces: [user] }),
      episode({ traces: [{ ...assistant, nodes: [node(7, 'user', 'x')] }] }),
    ];
    const { trajectories, file } = await collect(temporary('more-traces.jsonl', lines(...rows)));
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]).toMatchObject({ scenario: null, simulator: { id: 'unknown' } });
    expect(file.droppedRows.map(({ line, code }) => [line, code])).toEqual([
      [2, 'CA_ROW_EMPTY'],
      [3, 'CA_ROW_EMPTY'],
      [4, 'CA_ROW_INVALID'],
    ]);
    expect(file.droppedRows[0]!.reason).toContain('SandboxError: gone');
  });
});

describe('NeMo-Gym rollouts', () => {
  real('joins input and output, and takes scenario and models from the record of tau2', async () => {
    const { trajectories, file } = await collect(
      join(DATA, 'formats/nemo_gym/tau2_example_rollouts.jsonl.gz'),
    );
    expect(file).toMatchObject({ format: 'nemo-gym', kept: 5, dropped: 0 });
    expect(trajectories[0]).toMatchObject({
      benchmark: 'tau2',
      domain: 'retail',
      contextFrom: 'scenario',
      contextLabel: '50',
      reward: 1,
      termination: 'user_stop',
      simulator: { id: 'gpt-5.2-2025-12-11' },
      policy: { id: 'Qwen3.5-397B-A17B' },
    });
    expect(trajectories[0]!.turns.at(-1)).toEqual({ role: 'user', text: '###TRANSFER###' });
    expect(trajectories[0]!.turns[3]!.toolCalls![0]).toMatchObject({ name: 'find_user_id_by_name_zip' });
  });

  real('keeps rows whose environment names no user model, under the name of the environment', async () => {
    const { trajectories, file } = await collect(
      join(DATA, 'formats/nemo_gym/customer_service_example_rollouts.jsonl.gz'),
    );
    expect(file).toMatchObject({ format: 'nemo-gym', kept: 5 });
    expect(new Set(trajectories.map((row) => row.simulator.id))).toEqual(
      new Set(['env:customer_service_gymnasium_agent']),
    );
  });

  it('puts neighbouring calls into one turn and leaves reasoning out', async () => {
    const row = {
      responses_create_params: { input: 'Weather here and there?' },
      response: {
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'function_call', call_id: '1', name: 'weather', arguments: '{"at":"here"}' },
          { type: 'function_call', call_id: '2', name: 'weather', arguments: 'broken' },
          { type: 'function_call_output', call_id: '1', output: 'sun' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sun.' }] },
        ],
      },
      reward: 1,
    };
    const { trajectories } = await collect(temporary('nemo.jsonl', lines(row)));
    expect(trajectories[0]!.turns).toEqual([
      { role: 'user', text: 'Weather here and there?' },
      {
        role: 'agent',
        text: null,
        toolCalls: [
          { id: '1', name: 'weather', arguments: { at: 'here' } },
          { id: '2', name: 'weather', arguments: 'broken' },
        ],
      },
      { role: 'tool', text: 'sun', requestor: 'agent' },
      { role: 'agent', text: 'Sun.' },
    ]);
  });
});

describe('Atropos', () => {
  real('reads request records and rollout tables', async () => {
    const records = await collect(join(DATA, 'formats/atropos/trajectories_wandb.jsonl'));
    expect(records.file).toMatchObject({ format: 'atropos', kept: 3 });
    expect(records.trajectories[0]).toMatchObject({ id: 'conditional_task_1_1061', reward: 1 });
    const table = await collect(join(DATA, 'formats/atropos/rollouts_0_9ae052d971ad0b81fb1e.table.json'));
    expect(table.file).toMatchObject({ format: 'atropos', kept: 1 });
    expect(table.trajectories[0]!.turns.map((turn) => turn.role)).toEqual(['user', 'agent']);
    expect(table.trajectories[0]!.reward).toBeCloseTo(5 / 6);
  });

  it('makes an episode of every rollout of a group', async () => {
    const start = [{ role: 'user', content: 'Sell me a lamp' }];
    const group = {
      tokens: [[1], [2]],
      scores: [1, null],
      messages: [
        [...start, { role: 'assistant', content: 'Here' }, { role: 'user', content: 'Thanks' }],
        [...start, { role: 'assistant', content: 'No' }],
      ],
    };
    const tokensOnly = { tokens: [[1]], masks: [[1]], scores: [0] };
    const { trajectories, file } = await collect(temporary('groups.jsonl', lines(group, tokensOnly)));
    expect(trajectories.map((row) => row.reward)).toEqual([1, null]);
    expect(trajectories[0]!.group).toBe(trajectories[1]!.group);
    expect(trajectories[0]!.context).toBe(trajectories[1]!.context);
    expect(file.droppedRows[0]!.reason).toContain('include_messages');
  });
});
