import { afterAll, describe, expect, it } from 'vitest';
import type { ClosedSession } from '../../../src/gateway/live/closed-session.ts';
import { FinishedSessions } from '../../../src/gateway/server/finished-sessions.ts';
import { newLog } from '../../../src/gateway/server/log.ts';
import { openAt, place, tidy } from '../recorder/recording.ts';
import { agent, close, exchange, open, reward, said } from '../recorder/records.ts';

afterAll(tidy);

/** Sessions on record of which the newest five are kept. */
async function kept() {
  const heard: { readonly kind: 'closed' | 'amended'; readonly id: string }[] = [];
  const hear = (kind: 'closed' | 'amended') => (session: ClosedSession) =>
    void heard.push({ kind, id: session.trajectory.id });
  let finished: FinishedSessions | null = null;
  const recorder = await openAt(place(), {
    retention: { keepSessions: 5, keepDays: null, keepBytes: null },
    onForget: (ids) => finished!.forget(ids),
  });
  finished = new FinishedSessions(
    recorder,
    { closed: hear('closed'), amended: hear('amended') },
    newLog('silent'),
  );
  const play = async (id: string) => {
    await recorder.append(open(id));
    await recorder.append(exchange(id, 0, [agent('Hello.')], said('Hi.')));
    await recorder.append(close(id, 'done'));
    finished.changed(id);
    await finished.settled();
  };
  return { recorder, finished, heard, play };
}

describe('sessions that are over', () => {
  it('are closed once, and amended by what comes later', async () => {
    const { recorder, finished, heard, play } = await kept();
    await play('a');
    await recorder.append(reward('a', 1));
    finished.changed('a');
    await finished.settled();
    expect(heard).toEqual([
      { kind: 'closed', id: 'a' },
      { kind: 'amended', id: 'a' },
    ]);
  });

  it('are remembered as long as they are on record, however many there were', async () => {
    const { recorder, finished, heard, play } = await kept();
    for (let at = 0; at < 60; at++) {
      await play(`s-${at}`);
      if (at % 20 === 19) await recorder.retain();
      expect(finished.told).toBe(recorder.counts().closed);
    }
    expect(finished.told).toBe(5);
    expect(heard).toHaveLength(60);
    // Another session under the id of one that was dropped.
    await play('s-0');
    expect(heard.at(-1)).toEqual({ kind: 'closed', id: 's-0' });
    // Of one that is still there, what comes is no news.
    await recorder.append(reward('s-59', 1));
    finished.changed('s-59');
    await finished.settled();
    expect(heard.at(-1)).toEqual({ kind: 'amended', id: 's-59' });
  });

  it('are not remembered where they are dropped while they are read', async () => {
    const { recorder, heard, play } = await kept();
    await play('a');
    let finished: FinishedSessions | null = null;
    let dropped = false;
    finished = new FinishedSessions(
      {
        composed: async (id) => {
          const one = await recorder.composed(id);
          finished!.forget([id]);
          dropped = true;
          return one;
        },
        session: (id) => (dropped ? undefined : recorder.session(id)),
      },
      { closed: () => void heard.push({ kind: 'closed', id: 'a' }), amended: () => expect.fail() },
      newLog('silent'),
    );
    finished.changed('a');
    await finished.settled();
    expect([heard.length, finished.told]).toEqual([2, 0]);
  });
});
