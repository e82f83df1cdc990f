import type { ClosedSession } from '../../../src/gateway/live/closed-session.ts';
import type { EpochRule } from '../../../src/gateway/live/epoch-clock.ts';
import { LiveHistory, type RestoredLive } from '../../../src/gateway/live/live-history.ts';
import type { SessionSource } from '../../../src/gateway/live/start-live.ts';
import { PROBE_MODEL } from '../../../src/gateway/recorder/purpose.ts';
import type { JournalRecord, SessionFacts } from '../../../src/gateway/recorder/records.ts';

/** A journal in memory, and the sessions that it adds up to. */
export class Journal implements SessionSource {
  readonly records: JournalRecord[] = [];
  readonly sessions = new Map<string, ClosedSession>();

  /** As the server would have put it on record. */
  close(given: ClosedSession): ClosedSession {
    const { trajectory, purpose, epoch, nested, at } = given;
    const { id } = trajectory;
    const facts: SessionFacts = {
      id,
      bound: 'path',
      model: purpose === 'probe' ? PROBE_MODEL : 'population',
      simulator: trajectory.simulator,
      split: trajectory.split,
      group: trajectory.group,
      epoch,
      run: trajectory.run,
      policy: trajectory.policy,
      contextLabel: trajectory.contextLabel,
      benchmark: null,
      domain: null,
      nested,
      seed: id,
    };
    this.records.push({ at, session: id, kind: 'open', facts });
    this.records.push({ at, session: id, kind: 'exchange', turn: 0 } as JournalRecord);
    this.records.push({ at, session: id, kind: 'close', termination: 'stop' });
    this.sessions.set(id, given);
    return given;
  }

  readonly append = (record: JournalRecord): void => {
    // What is on record is text.
    this.records.push(JSON.parse(JSON.stringify(record)));
  };

  async session(id: string): Promise<ClosedSession | null> {
    return this.sessions.get(id) ?? null;
  }

  async *since(epoch: number | null): AsyncIterable<ClosedSession> {
    for (const session of this.sessions.values())
      if (epoch === null || session.epoch === null || session.epoch > epoch) yield session;
  }

  restored(rule: EpochRule): RestoredLive {
    const history = new LiveHistory(rule);
    for (const record of this.records) history.take(record);
    return history.result();
  }
}
