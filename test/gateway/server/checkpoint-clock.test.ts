import { afterEach, describe, expect, it } from 'vitest';
import type { CheckpointDue } from '../../../src/gateway/live/live.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { CheckpointClock } from '../../../src/gateway/server/checkpoint-clock.ts';
import { Pool } from '../../../src/population/index.ts';
import { type Stand, stand } from '../end-to-end/stand.ts';

const epoch = (number: number): JournalRecord => ({
  kind: 'epoch',
  at: 0,
  session: null,
  epoch: number,
  policy: null,
  run: null,
});
const pushed = (pools: Readonly<Record<string, readonly string[]>>): JournalRecord => ({
  kind: 'population',
  at: 0,
  session: null,
  by: 'test',
  population: { population: {}, pools },
});
const clockOf = (...records: JournalRecord[]) => {
  const clock = new CheckpointClock();
  for (const record of records) clock.take(record);
  return clock;
};
const poolsOf = (pools: Readonly<Record<string, readonly string[]>>, every = 4) =>
  new Map(Object.entries(pools).map(([id, names]) => [id, new Pool({ size: 3, every }, names)]));

describe('a checkpoint is due', () => {
  it('`every` epochs after the newest came, whenever that was', () => {
    const pools = { a: ['base', 'x'] };
    const clock = clockOf(pushed({ a: ['base'] }), epoch(3), pushed(pools));
    const dueAt = (at: number) => clock.due(poolsOf(pools), at);
    expect([3, 4, 6].map(dueAt)).toEqual([[], [], []]);
    const due = [{ pool: 'a', every: 4, lastEpoch: 3, newest: 'x' }];
    expect([7, 8, 100].map(dueAt)).toEqual([due, due, due]);
  });

  it('at once for a pool without any', () => {
    expect(clockOf(epoch(2), pushed({ a: [] })).due(poolsOf({ a: [] }), 2)).toEqual([
      { pool: 'a', every: 4, lastEpoch: null, newest: null },
    ]);
  });

  it('counted from the newest checkpoint alone: other changes of the population leave it', () => {
    const clock = clockOf(
      pushed({ a: ['x', 'y'], b: ['z'] }),
      epoch(2),
      pushed({ a: ['y'], b: ['z'], c: ['w'] }),
      epoch(5),
    );
    const pools = poolsOf({ c: ['w'], a: ['y'], b: ['z'] });
    expect(clock.due(pools, 5).map(({ pool, lastEpoch }) => [pool, lastEpoch])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    expect(clock.due(pools, 6).map(({ pool }) => pool)).toEqual(['a', 'b', 'c']);
  });
});

let gateway: Stand | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

describe('the gate', () => {
  it('names pools that are due, answers those who wait when one is pushed, and keeps it over a restart', async () => {
    const pool = (id: string, every: number, model: string | null) => ({
      id,
      family: id,
      model,
      upstream: 'fake',
      recipe: { kind: 'pool', size: 2, every },
    });
    gateway = await stand({
      settings: {
        upstreams: { fake: { baseUrl: 'http://127.0.0.1:9/v1' } },
        population: {
          members: [pool('often', 2, 'step-0'), pool('rarely', 5, 'step-0'), pool('empty', 5, null)],
          seen: ['often', 'rarely'],
          selection: ['empty'],
        },
        live: { epochs: { by: 'trainer', every: 1 } },
      },
    });
    const begin = (number: number) => gateway!.api('POST', '/api/epochs', { epoch: number });
    const push = (id: string, checkpoint: string) =>
      gateway!.api('POST', `/api/population/${id}/checkpoints`, { checkpoint });
    const due = async (): Promise<readonly CheckpointDue[]> => (await gateway!.gate()).checkpointsDue;
    const empty = { pool: 'empty', every: 5, lastEpoch: null, newest: null };
    expect(await due()).toEqual([empty]);
    await push('empty', 'first');
    expect(await due()).toEqual([]);
    await begin(1);
    expect(await due()).toEqual([]);
    await begin(3);
    const often = { pool: 'often', every: 2, lastEpoch: 0, newest: 'step-0' };
    expect(await due()).toEqual([often]);
    await gateway.restart();
    expect(await due()).toEqual([often]);
    const { revision } = await gateway.gate();
    const waiting = gateway.api('GET', `/api/gate?after=${revision}&wait=60`);
    await push('often', 'step-3');
    expect((await waiting).body).toMatchObject({ checkpointsDue: [], epoch: 3 });
    await begin(5);
    await gateway.restart();
    expect((await due()).map(({ pool: id, lastEpoch }) => [id, lastEpoch])).toEqual([
      ['empty', 0],
      ['often', 3],
      ['rarely', 0],
    ]);
    // One that leaves is asked for no more.
    const { population } = (await gateway.api('GET', '/api/population')).body;
    const members = population.members.filter(({ id }: { id: string }) => id !== 'often');
    await gateway.api('PUT', '/api/population', {
      population: { ...population, members, seen: ['rarely'] },
      by: 'test',
    });
    expect((await due()).map(({ pool: id }) => id)).toEqual(['empty', 'rarely']);
  });
});
