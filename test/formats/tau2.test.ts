import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tau2Agreement } from '../../src/formats/tau2-agreement.ts';
import { modelName, samplingOf, tau2Scenario, tau2Turns } from '../../src/formats/tau2-episode.ts';
import { tau2FileNames } from '../../src/formats/tau2-runs.ts';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const count = (items: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
};

const messages = [
  { role: 'assistant', content: 'Hi!' },
  { role: 'user', content: 'Cancel it. ###STOP###' },
];

const results = (simulations: unknown[], info: object = {}): string =>
  JSON.stringify({
    info: {
      user_info: {
        implementation: 'user_simulator',
        llm: 'openai/gpt-4o',
        llm_args: { temperature: 0, api_key: 'sk' },
      },
      agent_info: { llm: 'gpt-5' },
      environment_info: { domain_name: 'airline' },
      ...info,
    },
    tasks: [
      {
        id: '0',
        user_scenario: { persona: 'Curt.', instructions: { domain: 'airline', known_info: 'You are Emma.' } },
      },
    ],
    simulations,
  });

const simulation = { id: 'x', task_id: '0', trial: 0, termination_reason: 'user_stop', messages };

describe('tau2', () => {
  it('takes scenario, simulator and policy from the document', async () => {
    const { trajectories } = await collect(
      temporary('results.json', results([{ ...simulation, reward_info: { reward: 1 } }])),
    );
    expect(trajectories[0]).toMatchObject({
      id: 'x',
      benchmark: 'tau2',
      domain: 'airline',
      contextFrom: 'scenario',
      contextLabel: '0',
      scenario: 'Curt.\nYou are Emma.',
      group: 'results/0',
      simulator: { id: 'gpt-4o', kind: 'llm', model: 'openai/gpt-4o', recipe: 'user_simulator' },
      policy: { id: 'gpt-5' },
      reward: 1,
      termination: 'user_stop',
    });
    expect(trajectories[0]?.turns[1]?.text).toBe('Cancel it. ###STOP###');
  });

  it('keeps a missing reward missing and drops what the infrastructure left empty', async () => {
    const path = temporary(
      'broken.json',
      results([
        { ...simulation, reward_info: null },
        { ...simulation, messages: [], termination_reason: 'infrastructure_error' },
        { ...simulation, messages: null },
        { ...simulation, termination_reason: 'infrastructure_error', reward_info: { reward: 0 } },
        'no object',
      ]),
    );
    const { trajectories, file } = await collect(path);
    expect(trajectories.map((trajectory) => trajectory.reward)).toEqual([null, null]);
    expect(file.droppedRows.map((row) => [row.code, row.reason])).toEqual([
      ['CA_ROW_EMPTY', "no messages: the run ended with 'infrastructure_error'"],
      ['CA_ROW_EMPTY', 'the simulation has no messages'],
      ['CA_ROW_INVALID', 'simulations[]: expected an object'],
    ]);
  });

  it('does not let keys and addresses into the fingerprint', async () => {
    const args = (llm_args: object) => ({ user_info: { llm: 'm', llm_args } });
    const prints: (string | null | undefined)[] = [];
    for (const llm_args of [
      { temperature: 0, api_key: 'a', base_url: 'http://a' },
      { temperature: 0, api_key: 'b', api_base: 'http://b', num_retries: 3 },
      { temperature: 1 },
    ]) {
      const { trajectories } = await collect(temporary('keys.json', results([simulation], args(llm_args))));
      prints.push(trajectories[0]?.simulator.fingerprint);
    }
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
    expect(samplingOf({ temperature: 0, max_tokens: 9, api_key: 'x', seed: 1 })).toEqual({
      max_tokens: 9,
      seed: 1,
      temperature: 0,
    });
  });

  it('lets a scenario nested too deeply cost its own rows only', async () => {
    const deep = `${'{"a":'.repeat(9000)}"user_1234"${'}'.repeat(9000)}`;
    const text = results([simulation, { ...simulation, id: 'y', task_id: '1' }]).replace(
      '"You are Emma."',
      deep,
    );
    const { trajectories, file } = await collect(temporary('deep.json', text));
    expect(trajectories.map(({ id }) => id)).toEqual(['y']);
    expect(file.droppedRows.map(({ reason }) => reason)).toEqual(['nested too deeply']);
  });

  it('leaves a document that is cut off with an error of its own', async () => {
    const { file } = await collect(temporary('cut.json', results([simulation]).slice(0, -40)));
    expect(file.error?.code).toBe('CA_JSON_INVALID');
  });
});

/** Task n is of user `user_n_100n`, who has reservation RES00n; all of them call the same number. */
const carried = (n: number) => ({
  id: String(n),
  user_scenario: { instructions: { known_info: `Your user id is user_${n}_${1000 + n}. Call 5551234.` } },
});
/** An episode filed under task n, whose user says `text`. */
const filed = (n: number, text: string) => ({
  id: `run-${n}`,
  task_id: String(n),
  messages: [
    { role: 'assistant', content: 'Your user id? (I can see user_0_1000 and 5551234.)' },
    { role: 'user', content: text },
  ],
});
const says = (n: number) => `It is **USER_${n}_${1000 + n}**, and 5551234.`;
const tasks = Array.from({ length: 20 }, (_, n) => carried(n));
const byId = new Map(tasks.map((task) => [task.id, task]));
/** The first `count` of the tasks, each filed under the number after its own. */
const shifted = (count: number) => Array.from({ length: count }, (_, n) => filed(n, says(n + 1)));
const sound = (count: number) => Array.from({ length: count }, (_, n) => filed(n, says(n)));

describe('tau2Agreement', () => {
  const agreement = (simulations: unknown[]) => tau2Agreement(byId, simulations);

  it('refutes tasks where at least 8 users, and more than half, state identifiers of other tasks only', () => {
    expect(agreement(shifted(8))).toEqual({ stating: 8, others: 8, refuted: true });
    expect(agreement(shifted(7)).refuted).toBe(false);
    expect(agreement([...shifted(8), ...sound(7)])).toEqual({ stating: 15, others: 8, refuted: true });
    expect(agreement([...shifted(8), ...sound(8)])).toEqual({ stating: 16, others: 8, refuted: false });
  });

  it('asks nothing of the order of tasks and simulations', () => {
    const simulations = [...shifted(9), ...sound(4)];
    expect(tau2Agreement(new Map([...byId].reverse()), simulations.toReversed())).toEqual(
      agreement(simulations),
    );
  });

  it('counts a user who names his own task beside others as in agreement', () => {
    expect(agreement(Array.from({ length: 10 }, (_, n) => filed(n, `${says(n)} ${says(n + 1)}`)))).toEqual({
      stating: 10,
      others: 0,
      refuted: false,
    });
  });

  it('says nothing where users state no identifier, or one that all tasks have', () => {
    const none = { stating: 0, others: 0, refuted: false };
    expect(agreement(Array.from({ length: 20 }, (_, n) => filed(n, 'My flight is late. 5551234.')))).toEqual(
      none,
    );
    expect(tau2Agreement(new Map(), shifted(10))).toEqual(none);
    expect(
      agreement([null, 'x', { task_id: '0' }, { task_id: '0', messages: [null, { role: 'user' }] }]),
    ).toEqual(none);
  });

  it('takes a simulator that says one id in every task for a collapsed one, not for other tasks', () => {
    expect(agreement(Array.from({ length: 12 }, (_, n) => filed(n, says(19))))).toEqual({
      stating: 12,
      others: 12,
      refuted: false,
    });
    // Many trials of one task tell the two apart by nothing: its scenario is not to be trusted.
    expect(agreement(Array.from({ length: 12 }, () => filed(3, says(19)))).refuted).toBe(true);
  });

  it('is quick on long and hostile text', () => {
    const long = 'user_'.repeat(200_000) + '_1a '.repeat(200_000);
    expect(agreement([filed(0, long)]).stating).toBe(0);
  });
});

describe('tau2 documents with the tasks of another version', () => {
  const documentOf = (simulations: unknown[], info: object = {}) =>
    JSON.stringify({ ...JSON.parse(results(simulations, info)), tasks });

  it('lose scenarios, keep labels apart from those of other versions, and are warned of', async () => {
    const path = temporary('other-version.json', documentOf(shifted(12), { git_commit: 'abc' }));
    const { trajectories, file } = await collect(path);
    expect(trajectories).toHaveLength(12);
    for (const { scenario, context, contextFrom, contextLabel, group } of trajectories) {
      expect([scenario, contextFrom]).toEqual([null, 'label']);
      expect(context).toMatch(/^tau2\/airline\/label:\d+@[0-9a-f]{8}$/);
      expect(context).toContain(`label:${contextLabel}@`);
      expect(group).toContain(`/${contextLabel}`);
    }
    expect(file.warnings).toEqual([
      "the tasks in the file are not those that were run: in 12 of 12 simulations that state an identifier the user states another task's; scenarios are left out, contexts are the task's label",
    ]);
  });

  it('share contexts with a copy under another name, and none with another commit', async () => {
    const contexts = async (name: string, git_commit: string) =>
      (await collect(temporary(name, documentOf(shifted(12), { git_commit })))).trajectories.map(
        ({ context }) => context,
      );
    const first = await contexts('a.json', 'abc');
    expect(await contexts('b.json', 'abc')).toEqual(first);
    expect((await contexts('c.json', 'def')).filter((context) => first.includes(context))).toEqual([]);
  });

  it('are told from sound ones, in which single rows that disagree stay as they are', async () => {
    const { trajectories, file } = await collect(
      temporary('sound.json', documentOf([...sound(12), ...shifted(9)])),
    );
    expect(file.warnings).toEqual([]);
    expect(new Set(trajectories.map(({ contextFrom }) => contextFrom))).toEqual(new Set(['scenario']));
    expect(trajectories.every(({ scenario }) => scenario !== null)).toBe(true);
  });
});

describe('tau2Turns', () => {
  it('leaves out harness turns and their results, and keeps what the user said beside them', () => {
    const stop = (id: string, content: string | null) => ({
      role: 'user',
      content,
      tool_calls: [{ id, name: 'check_for_stop', arguments: {} }],
    });
    const result = (id: string) => ({ role: 'tool', id, requestor: 'user', content: 'Verify ...' });
    const { turns, harness } = tau2Turns([
      ...messages,
      stop('1', null),
      result('1'),
      stop('2', 'Thanks.'),
      result('2'),
    ]);
    expect(harness).toBe(1);
    expect(turns.map((turn) => [turn.role, turn.text, turn.toolCalls])).toEqual([
      ['agent', 'Hi!', undefined],
      ['user', 'Cancel it. ###STOP###', undefined],
      ['user', 'Thanks.', undefined],
    ]);
  });

  it("keeps a user's own tool calls and knows their results", () => {
    const { turns } = tau2Turns([
      {
        role: 'user',
        content: null,
        tool_calls: [{ id: '1', name: 'toggle', arguments: {}, requestor: 'user' }],
      },
      { role: 'tool', tool_messages: [{ role: 'tool', id: '1', requestor: 'user', content: 'on' }] },
    ]);
    expect(turns).toEqual([
      { role: 'user', text: null, toolCalls: [{ id: '1', name: 'toggle', arguments: {} }] },
      { role: 'tool', text: 'on', requestor: 'user' },
    ]);
  });
});

describe('names', () => {
  it('are cut to the model', () => {
    expect(modelName('openai/gpt-4o')).toBe('gpt-4o');
    expect(modelName('gpt-4o')).toBe('gpt-4o');
    expect(tau2FileNames('2026_retail_llm_agent_gpt-4.1_user_simulator_gpt-4.1-mini.jsonl')).toEqual({
      agent: 'gpt-4.1',
      simulator: 'gpt-4.1-mini',
    });
    expect(tau2FileNames('runs.jsonl')).toBeNull();
  });

  it('of instruction fields do not change a scenario, nor does their order', () => {
    const task = (instructions: object) => ({ user_scenario: { persona: null, instructions } });
    expect(
      tau2Scenario(task({ known_info: 'b', domain: 'x', reason_for_call: 'a', unknown_info: null })),
    ).toBe(tau2Scenario(task({ reason_for_call: 'a', known_info: 'b' })));
    expect(tau2Scenario({ user_scenario: { instructions: 'plain text' } })).toBe('plain text');
    expect(tau2Scenario({})).toBeNull();
  });
});

describe.skipIf(!hasData('tau2') || !hasData('tau1'))(
  'tau2 and tau-bench on real files (../shared/data)',
  () => {
    it('finds seven airline simulators, one of them in both, and 219 contexts', async () => {
      const { trajectories, files } = await collect([
        join(DATA, 'tau2/airline*.json.gz'),
        join(DATA, 'tau1/airline*.json.gz'),
      ]);
      expect(files.every((file) => file.error === null && file.dropped === 0)).toBe(true);
      expect(count(trajectories.map((trajectory) => trajectory.simulator.id))).toEqual({
        'gpt-4.1-2025-04-14': 50,
        'gpt-4.1': 50,
        'gpt-4o': 250,
        'gpt-oss-120b': 50,
        'grok-3': 41,
        'grok-4-fast-reasoning': 50,
        'steer-TraitBasis--impatience': 60,
      });
      const scenarios = trajectories.filter(({ contextFrom }) => contextFrom === 'scenario');
      expect(new Set(scenarios.map(({ context }) => context)).size).toBe(169);
      // 50 more are known by their label only: see below.
      expect(new Set(trajectories.map(({ context }) => context)).size).toBe(219);
      expect(new Set(trajectories.map((trajectory) => trajectory.domain))).toEqual(new Set(['airline']));
      // Four trials of fifty tasks: groups of rollouts that are compared with one another.
      const groups = count(
        trajectories
          .filter((trajectory) => trajectory.benchmark === 'tau1')
          .map((trajectory) => trajectory.group ?? ''),
      );
      expect(Math.max(...Object.values(groups))).toBe(4);
    });

    it('does not believe the tasks of one airline file, whose users state ids of others', async () => {
      const { trajectories, files } = await collect(join(DATA, 'tau2/*.json.gz'));
      const warned = files.filter(({ warnings }) => warnings.some((text) => text.startsWith('the tasks')));
      expect(warned.map(({ warnings }) => warnings[0])).toEqual([
        expect.stringContaining('in 48 of 49 simulations that state an identifier'),
      ]);
      expect(warned[0]?.path).toContain('gpt-4.1-mini-2025-04-14__50sims__dfd7112');
      const labelled = trajectories.filter(({ contextFrom }) => contextFrom === 'label');
      expect(labelled).toHaveLength(50);
      expect(new Set(labelled.map(({ source }) => source.file))).toEqual(new Set([warned[0]?.path]));
      expect(labelled.every(({ scenario }) => scenario === null)).toBe(true);
    });

    it("reads telecom with the user's tool calls and their results", async () => {
      const { trajectories } = await collect(join(DATA, 'tau2/telecom*.json.gz'));
      const turns = trajectories.flatMap((trajectory) => trajectory.turns);
      expect(trajectories).toHaveLength(40);
      expect(turns.filter((turn) => turn.role === 'user' && turn.toolCalls !== undefined)).toHaveLength(433);
      expect(turns.some((turn) => turn.role === 'tool' && turn.requestor === 'user')).toBe(true);
      expect(JSON.stringify(trajectories)).not.toMatch(/api_key|base_url/);
    });
  },
);

describe.skipIf(!hasData('tau2_factorial'))('tau2 runs on real files (../shared/data)', () => {
  it('takes who met whom from the file names and leaves 135 harness turns out', async () => {
    const { trajectories, files } = await collect(join(DATA, 'tau2_factorial'));
    expect(trajectories).toHaveLength(203);
    expect(count(trajectories.map(({ simulator, policy }) => `${simulator.id} x ${policy.id}`))).toEqual({
      'gemini-3-flash-preview x gemini-3-flash-preview': 40,
      'gpt-4.1-mini x gpt-4.1': 35,
      'gpt-4.1-mini x gpt-4.1-mini': 35,
      'gpt-4.1 x gpt-4.1-mini': 70,
      'gpt-4.1 x gpt-4.1': 23,
    });
    const harness = files.flatMap((file) => file.warnings).map((warning) => Number.parseInt(warning, 10));
    expect(harness.reduce((sum, n) => sum + n, 0)).toBe(135);
    const empty = trajectories
      .flatMap((trajectory) => trajectory.turns)
      .filter((turn) => turn.role === 'user' && turn.text === null && turn.toolCalls === undefined);
    expect(empty).toHaveLength(0);
  });
});
