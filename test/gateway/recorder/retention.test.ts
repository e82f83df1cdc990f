import { afterAll, describe, expect, it } from 'vitest';
import { openAt, place, tidy, write } from './recording.ts';
import { agent, close, dialogue, exchange, open, said } from './records.ts';

afterAll(tidy);

describe('retention', () => {
  it('drops the oldest sessions that are over, and neither their counters nor what is open', async () => {
    const path = place();
    const recorder = await openAt(path, { retention: { keepSessions: 100, keepDays: null } });
    await write(recorder, dialogue('open', 1).slice(0, -1));
    for (let i = 0; i < 280; i++) await write(recorder, dialogue(`s${i}`, 1));
    const counts = recorder.countsOf('m1');
    const bytes = recorder.status().bytes;
    expect(await recorder.retain()).toBe(180);
    expect(await recorder.retain()).toBe(0);
    expect(recorder.sessions({}, null, 1).total).toBe(101);
    expect(recorder.session('open')).toBeDefined();
    expect(recorder.session('s179')).toBeUndefined();
    expect(recorder.session('s180')).toBeDefined();
    expect(recorder.countsOf('m1')).toEqual(counts);
    expect(recorder.status().bytes).toBeLessThan(bytes);
    const status = recorder.status();
    expect(status.dropped).toEqual({ sessions: 180, records: 540, lastAt: 1_000_000 });
    await recorder.close();
    const again = await openAt(path);
    expect(again.countsOf('m1')).toEqual(counts);
    expect(again.status()).toMatchObject({ dropped: status.dropped, records: status.records });
    expect(again.counts()).toEqual(recorder.counts());
  });

  it('drops by days and by bytes', async () => {
    const day = 24 * 3600 * 1000;
    const byDays = await openAt(place(), {
      retention: { keepSessions: null, keepDays: 2 },
      clock: () => 10 * day,
    });
    for (const [id, at] of [
      ['old', 7 * day],
      ['young', 9 * day],
    ] as const)
      await write(
        byDays,
        dialogue(id, 1).map((record) => ({ ...record, at })),
      );
    expect(await byDays.retain()).toBe(1);
    expect(byDays.session('young')).toBeDefined();
    const byBytes = await openAt(place(), {
      retention: { keepSessions: null, keepDays: null, keepBytes: 300_000 },
    });
    for (let i = 0; i < 60; i++)
      await write(byBytes, [
        open(`b${i}`),
        exchange(`b${i}`, 0, [agent('x'.repeat(10_000))], said('y')),
        close(`b${i}`),
      ]);
    expect(await byBytes.retain()).toBeGreaterThan(20);
    expect(byBytes.status().bytes).toBeLessThan(320_000);
    expect(byBytes.session('b59')).toBeDefined();
  });

  it('says how many sessions went, how many of them without a reward, and that a late reward is too late', async () => {
    const rounds: unknown[] = [];
    const recorder = await openAt(place(), {
      retention: { keepSessions: 1, keepDays: null },
      onDrop: (dropped) => rounds.push(dropped),
    });
    const named = (id: string) => open(id, { names: [`trace of ${id}`] });
    for (const id of ['rewarded', 'unrewarded', 'kept'])
      await write(recorder, [named(id), exchange(id, 0, [agent('hello')], said('hi')), close(id)]);
    await recorder.addRewards([{ session: 'rewarded', reward: 1 }]);
    await recorder.retain();
    await recorder.retain();
    expect(rounds).toEqual([{ sessions: 2, unrewarded: 1 }]);
    const names = ['unrewarded', 'trace of unrewarded', 'nobody', 'kept'];
    const { accepted, rejected } = await recorder.addRewards(
      names.map((session) => ({ session, reward: 1 })),
    );
    expect(accepted).toBe(1);
    expect(rejected.map(({ id, code }) => [id, code])).toEqual([
      ['unrewarded', 'session_dropped'],
      ['trace of unrewarded', 'session_dropped'],
      ['nobody', 'session_unknown'],
    ]);
    // A session that begins by the same id has no reward, and takes one as any other.
    await write(recorder, dialogue('unrewarded', 1));
    expect(recorder.session('unrewarded')).toMatchObject({ rewarded: false });
    expect((await recorder.addRewards([{ session: 'unrewarded', reward: 0 }])).accepted).toBe(1);
  });

  it('refuses further turns of a session that it has dropped, until it begins anew', async () => {
    const recorder = await openAt(place(), { retention: { keepSessions: 0, keepDays: null } });
    await write(recorder, dialogue('a', 2));
    const next = exchange('a', 2, [agent('more')], said('late'));
    const [, late] = await Promise.allSettled([recorder.retain(), recorder.append(next)]);
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'CA_INTERNAL' } });
    await expect(recorder.append(next)).rejects.toMatchObject({ code: 'CA_INTERNAL' });
    await write(recorder, [open('a'), next]);
    expect(recorder.session('a')).toMatchObject({ turns: 1, state: 'open' });
  });

  it('leaves out of a running export what it drops, and nothing else', async () => {
    const recorder = await openAt(place(), { retention: { keepSessions: 5, keepDays: null } });
    for (let i = 0; i < 20; i++) await write(recorder, dialogue(`s${i}`, 2));
    const seen: string[] = [];
    for await (const { id, turns } of recorder.exportTrajectories()) {
      expect(turns).toHaveLength(4);
      if (seen.push(id) === 3) await recorder.retain();
    }
    expect(seen).toEqual(['s0', 's1', 's2', 's15', 's16', 's17', 's18', 's19']);
  });
});
