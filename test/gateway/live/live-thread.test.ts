import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import type { BucketedSession } from '../../../src/gateway/live/closed-session.ts';
import type { LiveInit, LiveRequest, ToLive } from '../../../src/gateway/live/live-messages.ts';
import { type OpenPort, openHere } from '../../../src/gateway/live/live-port.ts';
import { LiveThread, type LiveThreadOptions } from '../../../src/gateway/live/live-thread.ts';
import { closedSession, sessionsOf } from './sessions.ts';
import { BREAKER, LIVE } from './settings.ts';

const SESSIONS = sessionsOf({ seed: 5, prompts: 8, group: 4, steps: 1, collapsed: () => 0 }, 1);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const init = (): LiveInit => ({
  folder,
  seed: 's',
  live: { ...LIVE, warmUp: 32 },
  breaker: BREAKER,
  panels: false,
  ended: [],
});

async function threadOf(options: Partial<LiveThreadOptions> & { records?: readonly BucketedSession[] } = {}) {
  const lines: string[] = [];
  const records = options.records ?? [];
  const thread = await LiveThread.start({
    init,
    source: {
      session: async (id) => records.find(({ trajectory }) => trajectory.id === id) ?? null,
      since: async function* () {
        yield* records;
      },
    },
    onPlan: () => {},
    log: (event, facts) => lines.push(`${event} ${JSON.stringify(facts)}`),
    open: openHere,
    pausesMs: [0],
    ...options,
  });
  return { thread, lines };
}

/** A thread that dies of what `fatal` says; messages are counted. */
function mortal(fatal: (request: LiveRequest, at: number) => boolean) {
  const seen: ToLive[] = [];
  let lives = 0;
  const open: OpenPort = (listener) => {
    lives += 1;
    const port = openHere(listener);
    return {
      post: (message) => {
        seen.push(message);
        if (fatal(message.request, seen.length)) setImmediate(() => listener.died('out of memory'));
        else port.post(message);
      },
      end: () => port.end(),
    };
  };
  return { open, seen, lives: () => lives };
}

describe('the thread that measures', () => {
  it('takes what is on record first, then sessions and questions in order', async () => {
    const plans: string[] = [];
    const { thread } = await threadOf({
      records: SESSIONS.slice(0, 20),
      onPlan: (plan) => plans.push(plan.space),
    });
    expect((await thread.metrics()).reason).toContain('first 32 sessions: 20 so far');
    for (const session of SESSIONS.slice(18)) thread.add(session);
    const metrics = await thread.metrics();
    expect(metrics.window.sessions).toBe(SESSIONS.length);
    expect(plans).toEqual([metrics.report!.space.id]);
    expect((await thread.ask({ kind: 'page', created: '' }))!.report).toEqual(metrics.report);
    await thread.close();
  });

  it('is started again when it dies, fed from the record, and asked again', async () => {
    let killed = false;
    const { open, lives } = mortal((request) => {
      if (request.kind !== 'metrics' || killed) return false;
      killed = true;
      return true;
    });
    const records: BucketedSession[] = [];
    const { thread, lines } = await threadOf({ open, records });
    for (const session of SESSIONS) {
      records.push(session);
      thread.add(session);
    }
    expect((await thread.metrics()).window.sessions).toBe(SESSIONS.length);
    expect(lives()).toBe(2);
    expect(lines).toEqual(['the thread of the live figures died {"reason":"out of memory","times":1}']);
    await thread.close();
  });

  it('is not killed for ever by one question: that one is refused, the others are answered', async () => {
    const { open } = mortal(({ kind }) => kind === 'page');
    const { thread } = await threadOf({ open, records: SESSIONS });
    await expect(thread.ask({ kind: 'page', created: '' })).rejects.toThrow('the live figures failed');
    expect((await thread.metrics()).window.sessions).toBe(SESSIONS.length);
    await thread.close();
  });

  it('that keeps dying costs the figures, not the start, and is tried again when it is needed', async () => {
    let dying = true;
    const { open } = mortal(() => dying);
    const trouble: (string | null)[] = [];
    const { thread } = await threadOf({
      open,
      records: SESSIONS,
      onTrouble: (reason) => trouble.push(reason),
    });
    await expect(thread.metrics()).rejects.toThrow('the live figures failed: out of memory');
    dying = false;
    expect((await thread.metrics()).window.sessions).toBe(SESSIONS.length);
    expect(trouble).toEqual([...Array(4).fill('out of memory'), null]);
    await thread.close();
  });

  it('passes over a session that cannot be placed, alone', async () => {
    const broken = closedSession({ ...SESSIONS[3]!.trajectory, id: 'broken', turns: [null as never] });
    const { thread, lines } = await threadOf({ records: [...SESSIONS.slice(0, 10), broken] });
    for (const session of [...SESSIONS.slice(10), { ...broken }]) thread.add(session);
    expect((await thread.metrics()).window.sessions).toBe(SESSIONS.length);
    await thread.settled();
    expect(thread.lost).toBe(2);
    expect(lines[0]).toContain('a session was not measured');
    await thread.close();
  });

  it('holds ids alone of sessions beyond the first thousand that wait, and fetches those from the record', async () => {
    const many = Array.from({ length: 1100 }, (_, at) => {
      const { trajectory } = SESSIONS[at % SESSIONS.length]!;
      return closedSession({ ...trajectory, id: `s${at}` }, { purpose: 'nested', nested: null });
    });
    const fetched: string[] = [];
    const { thread } = await threadOf({
      source: {
        since: async function* () {},
        session: async (id) => {
          fetched.push(id);
          return id === 's1050' ? null : many.find(({ trajectory }) => trajectory.id === id)!;
        },
      },
    });
    for (const session of many) thread.add(session);
    await thread.settled();
    expect(fetched).toEqual(many.slice(1025).map(({ trajectory }) => trajectory.id));
    expect(thread.lost).toBe(1);
    await thread.close();
  });

  it('gives one answer to all who ask for the figures while the question waits', async () => {
    const { open, seen } = mortal(() => false);
    const { thread } = await threadOf({ open, records: SESSIONS });
    const answers = await Promise.all(Array.from({ length: 20 }, () => thread.metrics()));
    expect(new Set(answers).size).toBeLessThanOrEqual(2);
    expect(seen.filter(({ request }) => request.kind === 'metrics').length).toBeLessThanOrEqual(2);
    await thread.close();
  });

  it('refuses settings that cannot be used when it starts', async () => {
    const lacking = () => ({ ...init(), live: { ...LIVE, space: join(folder, 'no-such.json') } });
    await expect(threadOf({ init: lacking })).rejects.toMatchObject({
      code: 'CA_FILE_NOT_FOUND',
      place: { file: join(folder, 'no-such.json') },
    });
    const nobody = () => ({ ...init(), live: { ...LIVE, reference: [join(folder, 'nobody.jsonl')] } });
    await expect(threadOf({ init: nobody })).rejects.toThrow(CollapseAwareError);
  });

  it('refuses a store that was measured with other bars, and takes up its space with the same', async () => {
    const { thread } = await threadOf({ records: SESSIONS });
    const space = (await thread.metrics()).report!.space.id;
    await thread.close();
    const other = () => ({ ...init(), breaker: { ...BREAKER, bars: { yellow: 0.1, red: 0.2 } } });
    await expect(threadOf({ init: other })).rejects.toThrow(/breaker\.bars was "proposed"/);
    const { thread: again } = await threadOf({ records: SESSIONS.slice(0, 5) });
    expect((await again.metrics()).report!.space.id).toBe(space);
    await again.close();
  });

  it('rejects whoever still asks when it is closed', async () => {
    const { thread } = await threadOf({ records: SESSIONS });
    const asked = thread.metrics();
    const settled = expect(asked).rejects.toThrow('closed');
    await thread.close();
    await settled;
    await expect(thread.metrics()).rejects.toThrow('closed');
  });
});
