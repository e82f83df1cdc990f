import { describe, expect, it } from 'vitest';
import { LiveHistory } from '../../../src/gateway/live/live-history.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { Journal } from './journal.ts';
import { sessionsOf } from './sessions.ts';

const RULE = { by: 'sessions', every: 100 } as const;
const SESSIONS = sessionsOf({ seed: 1, prompts: 3, group: 2, steps: 1, collapsed: () => 0 }, 1);

function foldOf(records: readonly JournalRecord[]) {
  const history = new LiveHistory(RULE);
  for (const record of records) history.take(record);
  return history.result();
}

describe('the journal adds up to', () => {
  it('an epoch under way with its closed sessions, without orphans and those still open', () => {
    const journal = new Journal();
    const at = 0;
    journal.append({ at, session: null, kind: 'epoch', epoch: 1, policy: null, run: null });
    for (const session of SESSIONS.slice(0, 4)) journal.close(session);
    journal.close(SESSIONS[4]!);
    const [open, exchange, close] = journal.records.splice(-3) as [
      JournalRecord,
      JournalRecord,
      JournalRecord,
    ];
    const lost: JournalRecord = { at, session: open.session, kind: 'undelivered', turn: 0 };
    for (const records of [
      [open, close],
      [open, exchange, lost, close],
      [open, exchange],
    ])
      expect(foldOf([...journal.records, ...records]).epochs).toMatchObject({ epoch: 1, counts: { 1: 4 } });
    expect(foldOf([...journal.records, open, lost, exchange, close]).epochs.counts).toEqual({ 1: 5 });
  });

  it('a fresh start where nothing is on record', () => {
    expect(foldOf([])).toMatchObject({
      epochs: { epoch: 0, counts: {}, late: 0, ended: [], panels: { first: null, last: null } },
      monitor: null,
      revision: 0,
      looks: [],
      probing: [],
    });
  });

  it('episodes that the gateway did not serve, each by its split, and passes over what it does not know', () => {
    const { trajectory } = SESSIONS[0]!;
    const episode = (epoch: number | null, split: typeof trajectory.split): JournalRecord => ({
      at: 0,
      session: null,
      kind: 'episode',
      trajectory: { ...trajectory, epoch, split },
    });
    const unknown = { at: 0, session: null, kind: 'of a later version' } as unknown as JournalRecord;
    const { epochs } = foldOf([episode(null, 'seen'), unknown, episode(900, null), episode(0, 'selection')]);
    expect(epochs).toMatchObject({ counts: { 0: 2 }, panels: { first: 0, last: 0 } });
  });

  it('an episode once, however often it was sent', () => {
    const [one, other] = SESSIONS.slice(0, 2).map(
      ({ trajectory }): JournalRecord => ({
        at: 0,
        session: trajectory.id,
        kind: 'episode',
        trajectory: { ...trajectory, epoch: 0 },
      }),
    );
    expect(foldOf([one!, one!, other!, one!]).epochs.counts).toEqual({ 0: 2 });
  });
});
