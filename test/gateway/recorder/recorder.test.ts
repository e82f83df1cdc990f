import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { readFiles } from '../../../src/formats/index.ts';
import type { Recorder } from '../../../src/gateway/recorder/recorder.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { listed, openAt, place, tidy } from './recording.ts';
import { agent, close, dialogue, exchange, open, probe, reward, said, undelivered } from './records.ts';

afterAll(tidy);

const write = async (recorder: Recorder, records: readonly JournalRecord[]) => {
  await Promise.all(records.map((record) => recorder.append(record)));
};
const ids = async (recorder: Recorder, filter = {}) =>
  (await listed(recorder.exportTrajectories(filter))).map(({ id }) => id);

describe('a recorder', () => {
  it('has after a restart what it had before', async () => {
    const path = place();
    const first = await openAt(path);
    await write(first, [...dialogue('a', 3), ...dialogue('b', 2).slice(0, -1), probe('a', 1, 'x')]);
    await first.append({ kind: 'failure', at: 5, session: null, member: 'm2', code: 'upstream_down' });
    await first.append({ kind: 'epoch', at: 6, session: null, epoch: 4, policy: null, run: 'r' });
    await first.addRewards([
      { session: 'a', reward: 1, close: false },
      { session: 'later', reward: 0 },
    ]);
    const seen = async (recorder: Recorder) => ({
      sessions: recorder.sessions({}, null, 10),
      members: ['m1', 'm2'].map((id) => recorder.countsOf(id)),
      status: { ...recorder.status(), bytes: 0 },
      counts: recorder.counts(),
      epoch: recorder.latest('epoch'),
      trajectories: await listed(recorder.exportTrajectories()),
      view: await recorder.view('b'),
    });
    const before = await seen(first);
    expect(before.counts).toEqual({ open: 1, closed: 1, orphans: 0 });
    expect(before.status).toMatchObject({ unrecorded: 0, failing: null, pendingRewards: 1 });
    expect(before.view).toMatchObject({ id: 'b', turns: 2, member: 'm1' });
    await first.close();
    const second = await openAt(path);
    expect(await seen(second)).toEqual(before);
    expect((await listed(second.openRecords())).map(({ session, kind }) => [session, kind])).toEqual([
      ['b', 'open'],
      ['b', 'exchange'],
      ['b', 'exchange'],
    ]);
  });

  it('lists sessions newest first, in pages that later sessions do not move', async () => {
    const recorder = await openAt(place());
    for (let i = 0; i < 7; i++) await write(recorder, dialogue(`s${i}`, 1, { epoch: i % 2 }));
    const first = recorder.sessions({}, null, 3);
    expect(first.sessions.map(({ id }) => id)).toEqual(['s6', 's5', 's4']);
    await write(recorder, dialogue('new', 1));
    const second = recorder.sessions({}, first.next, 3);
    expect(second.sessions.map(({ id }) => id)).toEqual(['s3', 's2', 's1']);
    const third = recorder.sessions({}, second.next, 3);
    expect(third).toMatchObject({ next: null, total: 8 });
    expect(third.sessions.map(({ id }) => id)).toEqual(['s0']);
    expect(recorder.sessions({ epoch: 0, text: 's' }, null, 10)).toMatchObject({ total: 4, next: null });
    expect(recorder.sessions({ member: 'nobody' }, null, 10)).toEqual({ sessions: [], next: null, total: 0 });
    expect(recorder.sessions({ state: 'open' }, null, 10).total).toBe(0);
  });

  it('exports what readers of files read back, the same', async () => {
    const path = place();
    const recorder = await openAt(path);
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{"a":[1,null]}' } };
    await write(recorder, [
      ...dialogue('plain', 3, { contextLabel: 'task', benchmark: 'b', group: 'g' }),
      open('odd'),
      exchange(
        'odd',
        0,
        [agent('line\u2028 half \ud800 nul \0')],
        said('\udc00 "quoted"', {
          acts: ['x'],
          candidates: [{ text: 'y', probability: null }],
          probability: 0,
        }),
      ),
      probe('odd', 0, 'z'),
      exchange('odd', 1, [agent('b')], said(null, { toolCalls: [call] })),
      reward('odd', -0.5, 'failed'),
      open('orphan'),
      exchange('orphan', 0, [agent('a')], said('lost')),
      undelivered('orphan', 0),
      close('orphan', 'timeout'),
    ]);
    const file = join(path, '..', 'export.jsonl');
    writeFileSync(file, (await listed(recorder.exportLines())).join(''));
    const reading = readFiles([file]);
    const read = await listed(reading);
    const written = await listed(recorder.exportTrajectories());
    expect(reading.files[0]).toMatchObject({ format: 'native', kept: 2, dropped: 0, warnings: [] });
    expect(
      read.map((row) => (row.kind === 'trajectory' ? { ...row.trajectory, source: null } : row)),
    ).toEqual(written.map((trajectory) => ({ ...trajectory, source: null })));
    expect(recorder.counts()).toMatchObject({ orphans: 1 });
    expect(await recorder.composed('orphan')).toBeNull();
  });

  it('exports by what is asked, as things stood when it began', async () => {
    const recorder = await openAt(place());
    for (let i = 0; i < 6; i++)
      await write(recorder, dialogue(`s${i}`, 2, { epoch: i, split: i % 2 === 0 ? 'seen' : 'test' }));
    await write(recorder, dialogue('running', 1, { epoch: 9 }).slice(0, -1));
    expect(await ids(recorder)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 'running']);
    expect(await ids(recorder, { closedOnly: true, epochs: [4, 5, 9] })).toEqual(['s4', 's5']);
    expect(await ids(recorder, { split: 'test' })).toEqual(['s1', 's3', 's5']);
    expect(await ids(recorder, { purposes: ['panel'] })).toEqual(['s1', 's3', 's5']);
    expect(await ids(recorder, { ids: new Set(['s2', 'nobody']) })).toEqual(['s2']);
    const seen: [string, number][] = [];
    for await (const { id, turns } of recorder.exportTrajectories()) {
      if (seen.length === 0) {
        await write(recorder, dialogue('late', 1));
        await recorder.append(exchange('running', 1, [agent('and?')], said('late too')));
      }
      seen.push([id, turns.length]);
    }
    expect(seen.at(-1)).toEqual(['running', 2]);
    expect(seen).toHaveLength(7);
  });

  it('tells listeners of each committed record in order', async () => {
    const recorder = await openAt(place());
    const told: string[] = [];
    recorder.subscribe(() => {
      throw new Error('of no concern to the journal');
    });
    const stop = recorder.subscribe(({ kind }, session) => {
      told.push(`${kind} ${session?.turns}`);
    });
    await write(recorder, dialogue('a', 2));
    stop();
    await recorder.append(close('a'));
    expect(told).toEqual(['open 0', 'exchange 1', 'exchange 2', 'close 2']);
  });

  it('keeps tokens, cost, fallbacks and failures by member', async () => {
    const prices: Record<string, { prompt: number; completion: number }> = {
      m1: { prompt: 1e6, completion: 2e6 },
    };
    const recorder = await openAt(place(), { pricesOf: (id) => prices[id] ?? null });
    const part = { id: 'part', fingerprint: 'p', model: 'm' };
    await write(recorder, [
      ...dialogue('a', 2),
      open('b', {
        simulator: {
          id: '__proto__',
          kind: 'llm',
          person: null,
          model: null,
          recipe: null,
          fingerprint: null,
        },
      }),
      exchange(
        'b',
        0,
        [],
        said('x', {
          answeredBy: part,
          fallback: 'why',
          usage: { promptTokens: null, completionTokens: null },
        }),
      ),
      { kind: 'failure', at: 1, session: 'b', member: '__proto__', code: null },
    ]);
    expect(recorder.countsOf('m1')).toEqual({
      sessions: 1,
      turns: 2,
      failures: 0,
      fallbacks: 0,
      promptTokens: 20,
      completionTokens: 4,
      probeTokens: { prompt: 0, completion: 0 },
      unmetered: 0,
      cost: 28,
      costIsLow: false,
    });
    expect(recorder.countsOf('__proto__')).toMatchObject({
      sessions: 1,
      turns: 1,
      failures: 1,
      fallbacks: 1,
      unmetered: 1,
      cost: null,
    });
  });
});

describe('a recorder that cannot write', () => {
  it('says so, keeps the beginning of a session for its next record, and recovers', async () => {
    const path = place();
    const recorder = await openAt(path, {}, { waitMs: 30 });
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const [first, ...rest] = dialogue('a', 2);
    await expect(recorder.append(first!)).rejects.toMatchObject({ code: 'CA_STORE_LOCKED' });
    expect(recorder.status()).toMatchObject({ unrecorded: 1, failing: expect.stringContaining('locked') });
    other.exec('COMMIT');
    other.close();
    await write(recorder, rest);
    expect(recorder.status().failing).toBeNull();
    expect((await recorder.composed('a'))!.trajectory.turns).toHaveLength(4);
    expect(recorder.countsOf('m1').sessions).toBe(1);
    await recorder.close();
    const again = await openAt(path);
    expect((await again.composed('a'))!.trajectory.turns).toHaveLength(4);
    expect(again.countsOf('m1').sessions).toBe(1);
  });
});

describe('a damaged record', () => {
  it('is named, and never passed over', async () => {
    const path = place();
    const recorder = await openAt(path);
    await write(recorder, dialogue('a', 2));
    await recorder.close();
    const other = new Database(path);
    other.exec('UPDATE record SET body = substr(body, 1, 40) WHERE seq = 3');
    other.close();
    const fault: unknown = await openAt(path).catch((error) => error);
    expect(fault).toMatchObject({ code: 'CA_STORE_FAILED', message: 'entry 3 of the journal is damaged' });
  });
});

describe('a recorder whose journal is locked or full', () => {
  it('finds by itself that it can write again', async () => {
    const path = place();
    const recorder = await openAt(path, { tryEvery: 5 }, { waitMs: 10 });
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(recorder.append(dialogue('a', 1)[0]!)).rejects.toMatchObject({ code: 'CA_STORE_LOCKED' });
    await new Promise((done) => setTimeout(done, 60));
    expect(recorder.status().failing).not.toBeNull();
    other.exec('COMMIT');
    other.close();
    while (recorder.status().failing !== null) await new Promise((done) => setTimeout(done, 5));
  });

  it('goes on failing while its limit is reached, until retention has made room', async () => {
    const recorder = await openAt(
      place(),
      { tryEvery: 5, retention: { keepSessions: 2, keepDays: null } },
      { maxBytes: 200_000 },
    );
    const long = (id: string) => [open(id), exchange(id, 0, [agent('x'.repeat(3000))], said('y')), close(id)];
    let full = false;
    for (let i = 0; !full; i++) await write(recorder, long(`s${i}`)).catch(() => (full = true));
    await new Promise((done) => setTimeout(done, 60));
    expect(recorder.status().failing).toContain('limit of 200000 bytes');
    await recorder.retain();
    while (recorder.status().failing !== null) await new Promise((done) => setTimeout(done, 5));
    await write(recorder, long('again'));
  });
});

describe('rewards', () => {
  it('are joined by id or by a name of the trainer, end the session, and the last one counts', async () => {
    const recorder = await openAt(place());
    await write(recorder, dialogue('a', 1, { names: ['trace-1'] }).slice(0, -1));
    expect(await recorder.addRewards([{ session: 'trace-1', reward: 1, outcome: 'won' }])).toEqual({
      accepted: 1,
      rejected: [],
    });
    expect(recorder.session('a')).toMatchObject({ state: 'closed', reward: 1, termination: 'rewarded' });
    await recorder.addRewards([{ session: 'a', reward: 0, termination: 'user_stop' }]);
    expect((await recorder.composed('a'))!.trajectory).toMatchObject({
      reward: 0,
      outcome: null,
      termination: 'user_stop',
    });
    await recorder.addRewards([{ session: 'a', reward: 0.25 }]);
    expect(recorder.session('a')).toMatchObject({ reward: 0.25, termination: 'user_stop' });
    expect(recorder.find('trace-1')).toBe('a');
  });

  it('that come before their session wait for it, by its id and by its name, over a restart', async () => {
    const path = place();
    const first = await openAt(path);
    const early = await first.addRewards([
      { session: 'by-id', reward: 1 },
      { session: 'by-name', reward: 2 },
      { session: 'never', reward: 3 },
    ]);
    expect(early.accepted).toBe(0);
    expect(early.rejected.map(({ id, code }) => [id, code])).toEqual([
      ['by-id', 'session_unknown'],
      ['by-name', 'session_unknown'],
      ['never', 'session_unknown'],
    ]);
    await first.close();
    const second = await openAt(path);
    await write(second, [...dialogue('by-id', 1), ...dialogue('x', 1, { names: ['by-name'] })]);
    for (const recorder of [second, null]) {
      if (recorder === null) await second.close();
      const now = recorder ?? (await openAt(path));
      expect(now.session('by-id')!.reward).toBe(1);
      expect(now.session('x')!.reward).toBe(2);
      expect((await now.composed('by-id'))!.trajectory.reward).toBe(1);
      expect((await now.composed('x'))!.trajectory.reward).toBe(2);
      expect(now.status().pendingRewards).toBe(1);
    }
  });

  it('are refused where a name stands for several sessions, or the reward is no number', async () => {
    const recorder = await openAt(place());
    await write(recorder, [...dialogue('a', 1, { names: ['n'] }), ...dialogue('b', 1, { names: ['n'] })]);
    const { accepted, rejected } = await recorder.addRewards([
      { session: 'n', reward: 1 },
      { session: 'a', reward: Number.NaN },
      { session: 'b', reward: null },
    ]);
    expect(accepted).toBe(1);
    expect(rejected.map(({ code }) => code)).toEqual(['name_ambiguous', 'reward_invalid']);
    expect(recorder.session('b')).toMatchObject({ reward: null, rewarded: true });
    expect(recorder.find('n')).toBeNull();
  });
});

describe('foreign episodes', () => {
  it('are kept beside sessions, replace themselves, and never a session', async () => {
    const recorder = await openAt(place());
    await write(recorder, dialogue('own', 1));
    const own = (await recorder.composed('own'))!.trajectory;
    const foreign = { ...own, id: 'foreign', source: { file: 'trainer', line: 3 } };
    expect(await recorder.importEpisodes([foreign, own])).toMatchObject({
      accepted: 1,
      rejected: [{ id: 'own', code: 'session_served' }],
    });
    await recorder.addRewards([{ session: 'foreign', reward: 1 }]);
    await recorder.importEpisodes([{ ...foreign, epoch: 8 }]);
    expect(recorder.session('foreign')).toMatchObject({
      bound: 'record',
      epoch: 8,
      reward: 1,
      turns: 1,
      state: 'closed',
    });
    expect((await recorder.composed('foreign'))!.trajectory).toEqual({ ...foreign, epoch: 8, reward: 1 });
    expect(await ids(recorder)).toEqual(['own', 'foreign']);
    expect(recorder.countsOf('m1').sessions).toBe(1);
  });
});

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
