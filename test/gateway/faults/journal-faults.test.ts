import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import type { CollapseAwareError } from '../../../src/errors.ts';
import { ask, errorOf, eventually, metric, payloads, type Stage, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const LARGE = 'x'.repeat(60_000);
const inSession = (stage: Stage, id: string, text = LARGE, more = {}) =>
  stage.chat(ask(text, more), { headers: { 'x-session-id': id } });

/** Speaks until the journal is full. Gives the ids of sessions that were served. */
async function fill(stage: Stage): Promise<string[]> {
  const served: string[] = [];
  for (let at = 0; at < 200; at++) {
    if ((await fetch(`${stage.url}/readyz`)).status !== 200) return served;
    const came = await inSession(stage, `fill-${at}`);
    await came.text();
    if (came.status !== 200) return served;
    served.push(`fill-${at}`);
  }
  throw new Error('it never became full');
}

/** A mebibyte for the database: an eighth is the log's. */
const FULL = { maxBytes: Math.ceil((2 ** 20 * 8) / 7) };

describe('a journal that is full', () => {
  it('refuses replies that it cannot record, streams too, and takes them again once there is room', async () => {
    const stage = await stageOf({ text: 'A reply.' }, { settings: { recorder: FULL } });
    const served = await fill(stage);
    expect(served.length).toBeGreaterThan(3);
    const { status, error, retryAfter } = await errorOf(inSession(stage, 'late'));
    expect([status, error.code, retryAfter]).toEqual([503, 'recorder_unavailable', '5']);
    const stream = await inSession(stage, 'late-stream', LARGE, { stream: true });
    const events = payloads(await stream.text());
    expect(events).not.toContain('[DONE]');
    expect(JSON.parse(events.at(-1)!).error.code).toBe('recorder_unavailable');
    expect((await fetch(`${stage.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${stage.url}/healthz`)).status).toBe(200);
    expect(await metric(stage, 'collapse_aware_unrecorded_total')).toBeGreaterThan(0);
    // It is nobody's fault but the journal's.
    expect(await metric(stage, 'collapse_aware_turn_failures_total{member="plain"}')).toBeNull();
    expect(await stage.turns('late')).toEqual([]);
    for (const id of served) expect(await stage.turns(id)).toEqual([LARGE, 'A reply.']);
    expect(statSync(join(stage.store, 'journal.db')).size).toBeLessThanOrEqual(FULL.maxBytes);
    // Somebody makes room: nobody has to tell the gateway.
    const foreign = new Database(join(stage.store, 'journal.db'));
    foreign.exec("DELETE FROM record WHERE session IN ('fill-0', 'fill-1', 'fill-2')");
    foreign.close();
    await eventually(async () => (await fetch(`${stage.url}/readyz`)).status === 200, 'ready again');
    expect((await inSession(stage, 'late')).status).toBe(200);
    expect(await stage.turns('late')).toEqual([LARGE, 'A reply.']);
    // And a start with a wider limit finds everything that was given out.
    await stage.close(true);
    const roomy = await stageOf({}, { store: stage.store, before: stage.upstream });
    for (const id of [...served.slice(3), 'late']) expect(await roomy.turns(id)).toEqual([LARGE, 'A reply.']);
  });

  it('serves and counts what it cannot record where that was chosen', async () => {
    const recorder = { ...FULL, onFailure: 'serve' };
    const stage = await stageOf({ text: 'A reply.' }, { settings: { recorder } });
    await fill(stage);
    const before = (await metric(stage, 'collapse_aware_unrecorded_total'))!;
    expect((await inSession(stage, 'late')).status).toBe(200);
    const stream = await inSession(stage, 'later', LARGE, { stream: true });
    expect(payloads(await stream.text()).at(-1)).toBe('[DONE]');
    expect(await metric(stage, 'collapse_aware_unrecorded_total')).toBeGreaterThan(before);
    expect(await stage.turns('late')).toEqual([]);
  });
});

describe('a journal that is locked', () => {
  it('by another gateway of the same store refuses to start, and says who holds it', async () => {
    const stage = await stageOf();
    const second = stageOf({}, { store: stage.store, before: stage.upstream });
    const error = (await second.catch((cause: unknown) => cause)) as CollapseAwareError;
    expect([error.code, error.exit]).toEqual(['CA_STORE_LOCKED', 3]);
    expect(error.message).toContain(String(process.pid));
    expect((await stage.chat()).status).toBe(200);
  });

  it('by a foreign transaction makes replies wait, and none is lost', async () => {
    const stage = await stageOf({ text: 'A reply.' });
    expect((await inSession(stage, 'a', 'Hello.')).status).toBe(200);
    const foreign = new Database(join(stage.store, 'journal.db'));
    foreign.exec('BEGIN IMMEDIATE');
    let answered = 0;
    const waiting = Promise.all(
      ['b', 'c', 'd'].map(async (id) => {
        const { status } = await inSession(stage, id, 'Hello.');
        answered++;
        return status;
      }),
    );
    await stage.upstream.arrived(4);
    // Other requests are answered meanwhile.
    expect((await fetch(`${stage.url}/healthz`)).status).toBe(200);
    expect(answered).toBe(0);
    foreign.exec('ROLLBACK');
    foreign.close();
    expect(await waiting).toEqual([200, 200, 200]);
    for (const id of ['b', 'c', 'd']) expect(await stage.turns(id)).toEqual(['Hello.', 'A reply.']);
  });
});

describe('a clock that jumps', () => {
  const DAY = 86_400_000;
  it('by a day back and a year forward ends no session, and keeps the order of what was said', async () => {
    let now = Date.UTC(2026, 0, 15);
    const stage = await stageOf((_, number) => ({ text: `Reply ${number}.` }), {
      clock: () => now,
      settings: { sessions: { idleSeconds: 600, retrySeconds: 30 } },
    });
    const messages: unknown[] = [{ role: 'user', content: 'Turn 0.' }];
    const expected: string[] = ['Turn 0.'];
    for (const [turn, jump] of [0, -DAY, 365 * DAY, -2 * 365 * DAY].entries()) {
      now += jump;
      const came = await stage.chat(
        { model: 'population', messages },
        { headers: { 'x-session-id': 'long' } },
      );
      expect([came.status, came.headers.get('x-ca-turn')]).toEqual([200, String(turn)]);
      messages.push(
        { role: 'assistant', content: `Reply ${turn}.` },
        { role: 'user', content: `Turn ${turn + 1}.` },
      );
      expected.push(`Reply ${turn}.`, `Turn ${turn + 1}.`);
      // The look for what nobody speaks in passes meanwhile.
      if (turn >= 2) await new Promise((done) => setTimeout(done, 1100));
    }
    expected.pop();
    const status = (await (await stage.api('/api/status')).json()) as { sessions: object };
    expect(status.sessions).toMatchObject({ open: 1, closed: 0, orphans: 0 });
    expect(await stage.turns('long')).toEqual(expected);
    await stage.close(true);
    const later = await stageOf({}, { store: stage.store, before: stage.upstream, clock: () => now });
    expect(await later.turns('long')).toEqual(expected);
    const came = await later.chat({ model: 'population', messages }, { headers: { 'x-session-id': 'long' } });
    expect(came.headers.get('x-ca-turn')).toBe('4');
  });
});

it('a journal whose table is taken away is an error, and no silent loss', async () => {
  const stage = await stageOf({ text: 'A reply.' });
  expect((await inSession(stage, 'a', 'Hello.')).status).toBe(200);
  const foreign = new Database(join(stage.store, 'journal.db'));
  foreign.exec('ALTER TABLE record RENAME TO gone');
  foreign.close();
  await eventually(async () => {
    const { status } = await inSession(stage, 'b', 'Hello.');
    return status === 503;
  }, 'refused');
  expect((await fetch(`${stage.url}/readyz`)).status).toBe(503);
});
