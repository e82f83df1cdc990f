import { describe, expect, it } from 'vitest';
import { groupCommit, type Transactions } from '../../src/store/group-commit.ts';

/** A database that only writes down what it is told. */
function fake(more: Partial<Transactions> = {}) {
  const told: string[] = [];
  const database: Transactions = {
    begin: () => told.push('begin'),
    commit: () => told.push('commit'),
    rollback: () => told.push('rollback'),
    isBusy: (error) => (error as { busy?: boolean }).busy === true,
    fault: (error) => new Error(`fault: ${(error as Error).message}`),
    ...more,
  };
  return { told, database };
}
const busy = () => {
  throw Object.assign(new Error('busy'), { busy: true });
};

describe('a group commit', () => {
  it('takes all of one turn of the event loop in one transaction, in order', async () => {
    const { told, database } = fake();
    const commits = groupCommit(database, 1000);
    const results = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        commits.run(() => {
          told.push(name);
          return name;
        }),
      ),
    );
    expect(results).toEqual(['a', 'b', 'c']);
    expect(told).toEqual(['begin', 'a', 'b', 'c', 'commit']);
    await commits.run(() => told.push('d'));
    expect(told.slice(5)).toEqual(['begin', 'd', 'commit']);
  });

  it('tries each alone when the group fails', async () => {
    const { told, database } = fake();
    const commits = groupCommit(database, 1000);
    const jobs = ['a', 'bad', 'c'].map((name) =>
      commits.run(() => {
        if (name === 'bad') throw new Error('bad');
        told.push(name);
      }),
    );
    expect((await Promise.allSettled(jobs)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await expect(jobs[1]).rejects.toThrow('fault: bad');
    expect(told.filter((word) => word === 'commit')).toHaveLength(2);
  });

  it('fails all of a group whose commit fails, each for itself', async () => {
    let commits = 0;
    const { database } = fake({
      commit: () => {
        if (++commits < 3) throw new Error('disk');
      },
    });
    const queue = groupCommit(database, 1000);
    const results = await Promise.allSettled([queue.run(() => 1), queue.run(() => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('keeps the order of those that wait for a lock and those that come meanwhile', async () => {
    let locked = true;
    const { told, database } = fake({
      begin: () => {
        if (locked) busy();
      },
    });
    const commits = groupCommit(database, 10_000);
    const first = commits.run(() => told.push('first'));
    await new Promise((done) => setTimeout(done, 25));
    const second = commits.run(() => told.push('second'));
    let settled = false;
    const all = commits.settled().then(() => {
      settled = true;
    });
    await new Promise((done) => setTimeout(done, 25));
    expect(settled).toBe(false);
    locked = false;
    await Promise.all([first, second, all]);
    expect(told.filter((word) => word === 'first' || word === 'second')).toEqual(['first', 'second']);
  });

  it('acknowledges only what was synced after its commit, one sync at a time', async () => {
    const finish: (() => void)[] = [];
    let syncs = 0;
    const { database } = fake({
      sync: () => {
        syncs++;
        return new Promise<void>((done) => finish.push(done));
      },
    });
    const commits = groupCommit(database, 1000);
    const acknowledged: string[] = [];
    const run = (name: string) => commits.run(() => 0).then(() => acknowledged.push(name));
    const turn = () => new Promise((done) => setTimeout(done, 5));
    const jobs = [run('a')];
    await turn();
    jobs.push(run('b'));
    await turn();
    jobs.push(run('c'));
    await turn();
    expect([acknowledged, syncs]).toEqual([[], 1]);
    finish.shift()!();
    await turn();
    expect([acknowledged, syncs]).toEqual([['a'], 2]);
    const settled = commits.settled();
    finish.shift()!();
    await Promise.all([...jobs, settled]);
    expect([acknowledged, syncs]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('refuses what could not be synced, and goes on', async () => {
    let syncs = 0;
    const { database } = fake({
      sync: async () => {
        if (++syncs === 1) throw new Error('disk');
      },
    });
    const commits = groupCommit(database, 1000);
    await expect(commits.run(() => 1)).rejects.toThrow('fault: disk');
    expect(await commits.run(() => 2)).toBe(2);
    await commits.settled();
  });
});
