import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { readFiles } from '../../../src/formats/index.ts';
import type { Recorder } from '../../../src/gateway/recorder/recorder.ts';
import { ids, listed, openAt, place, tidy, write } from './recording.ts';
import { agent, close, dialogue, exchange, open, probe, reward, said, undelivered } from './records.ts';

afterAll(tidy);

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
