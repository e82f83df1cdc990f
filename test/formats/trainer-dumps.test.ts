import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parquetWriter } from '../../src/formats/write-parquet.ts';
import { collect, DATA, hasData, temporary } from './fixture.ts';

const real = it.skipIf(!hasData('formats'));
const verlFile = join(DATA, 'formats/verl/verl_rollout_sdpo_3lines.jsonl');

const dump = (more: object = {}) => ({
  input: 'system\nBe kind.\nuser\nReturn my order.\nassistant\n',
  output: 'Which one?\nuser\nThe last.\nassistant\nDone.',
  gts: 'x',
  score: 0.5,
  step: 3,
  ...more,
});
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('verl rollout dump', () => {
  real('splits the flat text of a real dump and keeps reward and step', async () => {
    const { trajectories, file } = await collect(verlFile);
    expect(file).toMatchObject({ format: 'verl', kept: 3, dropped: 0 });
    const [first] = trajectories;
    expect(first!.turns.map((turn) => turn.role)).toEqual(['system', 'user', 'agent']);
    expect(first!.turns[0]!.text).toBe(
      'You are Qwen, created by Alibaba Cloud. You are a helpful assistant.',
    );
    expect(first!.turns[2]!.text).toMatch(/^Thought: /);
    expect(first).toMatchObject({ reward: 0, epoch: 1, contextFrom: 'label' });
    expect(file.warnings).toHaveLength(1);
  });

  it('finds the replies of the environment inside the output', async () => {
    const { trajectories } = await collect(temporary('7.jsonl', lines(dump())));
    expect(trajectories[0]!.turns.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Be kind.'],
      ['user', 'Return my order.'],
      ['agent', 'Which one?'],
      ['user', 'The last.'],
      ['agent', 'Done.'],
    ]);
  });

  it('groups by uid; without one by prompt and step; reads the step off the file name', async () => {
    const rows = [dump({ uid: 'u1' }), dump(), dump({ output: 'No.' }), { ...dump(), step: undefined }];
    const { trajectories } = await collect(temporary('12.jsonl', lines(...rows)));
    const groups = trajectories.map((row) => row.group);
    expect(groups[0]).toBe('u1');
    expect(groups[1]).toBe(groups[2]);
    expect(groups[3]).not.toBe(groups[1]);
    expect(trajectories[3]!.epoch).toBe(12);
    expect(new Set(trajectories.map((row) => row.context)).size).toBe(1);
  });

  it('reads NaN and missing scores as no reward, never 0', async () => {
    const text = `${lines(dump({ score: 9 })).replace('9', 'NaN')}\n${lines({ ...dump(), score: null })}`;
    const { trajectories } = await collect(temporary('nan.jsonl', text));
    expect(trajectories.map((row) => row.reward)).toEqual([null, null]);
  });

  it('keeps equal rollouts apart, whatever the order of rows', async () => {
    const rows = [dump({ uid: 'a' }), dump({ uid: 'b' }), dump({ uid: 'a' })];
    const ids = async (name: string, these: unknown[]) =>
      (await collect(temporary(name, lines(...these)))).trajectories.map((row) => row.id).sort();
    const forward = await ids('forward.jsonl', rows);
    expect(new Set(forward).size).toBe(3);
    expect(await ids('backward.jsonl', [...rows].reverse())).toEqual(forward);
  });

  it('takes the simulator from an extra column, drops a row without output and keeps the rest', async () => {
    const rows = [dump({ user_model: 'gpt-x' }), { ...dump(), output: 5 }, dump()];
    const { trajectories, file } = await collect(temporary('extra.jsonl', lines(...rows)));
    expect(trajectories.map((row) => row.simulator.id)).toEqual(['gpt-x', 'unknown']);
    expect(file.droppedRows[0]).toMatchObject({
      line: 2,
      code: 'CA_ROW_INVALID',
      reason: 'output: expected a string',
    });
  });

  it('lets the assistant side be the simulator', async () => {
    const { trajectories } = await collect(temporary('role.jsonl', lines(dump())), {
      simulatorRole: 'assistant',
    });
    expect(trajectories[0]!.turns.map((turn) => turn.role)).toEqual([
      'system',
      'agent',
      'user',
      'agent',
      'user',
    ]);
  });
});

describe('verl dataset', () => {
  real('keeps openings of the user as scripted episodes without reward', async () => {
    const { trajectories, file } = await collect(
      join(DATA, 'formats/verl/UserBench_travel22_multiturn_train.parquet'),
    );
    expect(file).toMatchObject({ format: 'verl-dataset', kept: 570, dropped: 0 });
    expect(trajectories[0]).toMatchObject({
      benchmark: 'interact_travelgym',
      domain: 'TravelGym',
      reward: null,
      termination: 'not started',
      simulator: { id: 'dataset:interact_travelgym', kind: 'scripted' },
    });
    expect(new Set(trajectories.map((row) => row.id)).size).toBe(570);
  });
});

const trlFile = join(import.meta.dirname, '../fixtures/trl/completions_00001.parquet');

describe('TRL completions', () => {
  it('reads the table TRL 1.13.0 wrote', async () => {
    const { trajectories, file } = await collect(trlFile);
    expect(file).toMatchObject({ format: 'trl', kept: 4, dropped: 0 });
    const [first] = trajectories;
    expect(first!.turns.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'You are a service agent.'],
      ['user', 'I want to return my order.'],
      ['agent', 'Certainly, may I have number 0?'],
      ['user', 'It is #A1. Hurry up.'],
      ['agent', 'Done.'],
    ]);
    expect(trajectories.map((row) => row.simulator.id)).toEqual(['sim-0', 'sim-1', 'sim-0', 'sim-1']);
    expect(first!.epoch).toBe(1);
    // Two rewards, of which one does not apply to every row: None counts nothing, as in TRL's own total.
    expect(trajectories.map((row) => row.reward?.toFixed(2))).toEqual(['2.46', '1.46', '2.46', '1.46']);
  });

  it('groups the rollouts of a prompt', async () => {
    const { trajectories } = await collect(trlFile);
    const groups = trajectories.map((row) => row.group);
    expect(groups[0]).toBe(groups[1]);
    expect(groups[2]).toBe(groups[3]);
    expect(groups[0]).not.toBe(groups[2]);
  });
});

describe('a cut Parquet file', () => {
  it('is one coded error', async () => {
    const whole = readFileSync(trlFile);
    for (const end of [whole.length - 1, whole.length >> 1, 12]) {
      const { file } = await collect(temporary(`cut-${end}.parquet`, whole.subarray(0, end)));
      expect(file.error?.code).toMatch(/^CA_/);
    }
    expect(parquetWriter.extensions).toEqual(['.parquet']);
  });
});
