import type { Receipt, RewardEntry } from '../api/control.ts';
import type { RecorderState } from './recorder-state.ts';
import type { JournalRecord } from './records.ts';

/** How a session ends whose reward has come, where nothing else is said. */
const REWARDED = 'rewarded';

/**
 * What rewards are to be written as. An unknown session's is rejected and written all the same, under the name that it
 * came by: a session that begins later takes it.
 */
export function rewardRecords(
  entries: readonly RewardEntry[],
  state: RecorderState,
  at: number,
): { readonly records: readonly JournalRecord[] } & Receipt {
  const records: JournalRecord[] = [];
  const rejected: Receipt['rejected'][number][] = [];
  const closing = new Set<string>();
  let accepted = 0;
  for (const { session: name, reward, outcome = null, termination = null, close = true } of entries) {
    if (reward !== null && !Number.isFinite(reward)) {
      rejected.push({ id: name, code: 'reward_invalid', reason: 'the reward is no number' });
      continue;
    }
    const found = state.find(name);
    if (found.length > 1) {
      const reason = `${found.length} sessions go by this name: give the session's own id`;
      rejected.push({ id: name, code: 'name_ambiguous', reason });
      continue;
    }
    if (found.length === 0 && state.wasDropped(name)) {
      // Not kept either: whoever begins by this name later is another session.
      const reason = 'the session was dropped by the rules of retention before its reward came';
      rejected.push({ id: name, code: 'session_dropped', reason });
      continue;
    }
    const session = found[0] ?? name;
    records.push({ kind: 'reward', at, session, reward, outcome });
    if (found.length === 0) {
      const reason = 'no session of this id or name is on record; it is kept for one that comes later';
      rejected.push({ id: name, code: 'session_unknown', reason });
      continue;
    }
    accepted++;
    const known = state.index.get(session)!;
    const over = known.state !== 'open' || closing.has(session);
    if (close && known.served && (!over || termination !== null)) {
      closing.add(session);
      records.push({ kind: 'close', at, session, termination: termination ?? REWARDED });
    }
  }
  return { records, accepted, rejected };
}
