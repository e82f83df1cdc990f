import { describe, expect, it } from 'vitest';
import { tauBenchFileNames } from '../../src/formats/tau-bench.ts';
import { collect, temporary } from './fixture.ts';

const row = {
  task_id: 3,
  reward: 1,
  trial: 0,
  info: { task: { instruction: 'You are Mia.' } },
  traj: [
    { role: 'system', content: '# Retail agent policy\n...' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Action: {"name": "f"}' },
    { role: 'user', content: 'API output: {"order": 1}' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: '###STOP###' },
  ],
};

describe('tau-bench', () => {
  it('reads tool output that arrives as a user turn as tool output', async () => {
    const path = temporary(
      'act-gpt-4o-0.0_range_0-50_user-gpt-4o-llm_0905123456.json',
      JSON.stringify([row], null, 2),
    );
    const { trajectories, file } = await collect(path);
    expect(file.warnings).toEqual([]);
    expect(trajectories[0]).toMatchObject({
      benchmark: 'tau1',
      domain: 'retail',
      scenario: 'You are Mia.',
      contextLabel: '3',
      simulator: { id: 'gpt-4o', recipe: 'llm' },
      policy: { id: 'gpt-4o' },
      reward: 1,
    });
    expect(trajectories[0]?.turns.map((turn) => turn.role)).toEqual([
      'system',
      'user',
      'agent',
      'tool',
      'agent',
      'user',
    ]);
    expect(trajectories[0]?.turns.at(-1)?.text).toBe('###STOP###');
  });

  it('says that the simulator is unknown where no name tells it', async () => {
    const path = temporary('plain.json', JSON.stringify([row]));
    const { trajectories, file } = await collect(path);
    expect(trajectories[0]?.simulator.id).toBe('unknown (file plain.json)');
    expect(file.warnings[0]).toContain('--simulator');
    const named = await collect(path, { simulator: 'gpt-4o' });
    expect(named.trajectories[0]?.simulator.id).toBe('gpt-4o');
    expect(named.file.warnings).toEqual([]);
  });

  it('drops rows without a conversation and keeps the others', async () => {
    const rows = [row, { ...row, traj: [] }, { ...row, traj: null }, 7];
    const { codes, trajectories } = await collect(temporary('gaps.json', JSON.stringify(rows)));
    expect(codes).toEqual(['CA_ROW_EMPTY', 'CA_ROW_INVALID', 'CA_ROW_INVALID']);
    expect(trajectories).toHaveLength(1);
  });

  it('reads file names as tau-bench writes them', () => {
    const name =
      'tool-calling-claude-3-5-sonnet-20241022-0.0_range_0--1_user-gpt-4o-2024-08-06-react_1022203948.json';
    expect(tauBenchFileNames(name)).toEqual({
      agent: 'claude-3-5-sonnet-20241022',
      simulator: 'gpt-4o-2024-08-06',
      strategy: 'react',
    });
    expect(tauBenchFileNames('airline__user-gpt-4o__agent-o1__50sims.json')).toMatchObject({
      simulator: 'gpt-4o',
      agent: 'o1',
    });
  });
});
