import type { Prober } from '../probes/index.ts';
import { tokensUsed } from '../recorder/member-tally.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { JournalRecord } from '../recorder/records.ts';
import type { SessionTable } from '../sessions/session-table.ts';
import { tokenTotal } from '../speakers/token-sums.ts';
import type { Conversations } from './conversations.ts';
import type { FinishedSessions } from './finished-sessions.ts';
import type { Instruments } from './instruments.ts';
import type { Log } from './log.ts';

const AFTER_THE_END = new Set<JournalRecord['kind']>(['close', 'reward', 'probe', 'episode']);
/** Between two looks for sessions that nobody speaks in. */
const EXPIRE_MS = 1000;

export interface RecordWatch {
  readonly recorder: Recorder;
  readonly table: SessionTable;
  readonly conversations: Conversations;
  readonly prober: Prober;
  readonly finished: FinishedSessions;
  readonly instruments: Instruments;
  readonly ticks: () => number;
}

/** What is on record takes effect: a session that is over is forgotten and measured. Returns how to stop. */
export function watchRecords(parts: RecordWatch): () => void {
  const { recorder, table, conversations, prober, finished, instruments, ticks } = parts;
  return recorder.subscribe((record, session) => {
    if (record.kind === 'close' && record.session !== null) {
      table.close(record.session, ticks());
      conversations.forget(record.session);
    }
    if (record.kind === 'epoch') prober.beginEpoch();
    if (record.kind === 'probe') instruments.probes.inc({ outcome: 'done' });
    countTokens(instruments, record, session?.member ?? null);
    if (session !== undefined && session.state === 'closed' && AFTER_THE_END.has(record.kind))
      finished.changed(session.id);
  });
}

function countTokens(instruments: Instruments, record: JournalRecord, of: string | null): void {
  for (const { member, probe, tokens } of tokensUsed(record, of)) {
    const { prompt, completion, unmetered } = tokenTotal(tokens);
    const { promptTokens, completionTokens, probePrompt, probeCompletion } = instruments;
    const [into, outOf] = probe ? [probePrompt, probeCompletion] : [promptTokens, completionTokens];
    into.add(member, prompt);
    outOf.add(member, completion);
    if (unmetered > 0) instruments.unmetered.add(member, unmetered);
  }
}

export interface Expiry {
  readonly recorder: Recorder;
  readonly table: SessionTable;
  readonly conversations: Conversations;
  readonly idleMs: number;
  readonly log: Log;
  readonly clock: () => number;
  readonly ticks: () => number;
}

/** Ends sessions that nobody speaks in, and those that were opened beforehand and never begun. Returns how to stop. */
export function startExpiry({
  recorder,
  table,
  conversations,
  idleMs,
  log,
  clock,
  ticks,
}: Expiry): () => void {
  const timer = setInterval(() => {
    const stale = conversations.stale(idleMs).map((id) => ({ id, orphan: true }));
    // One that was refused at red is not given up by its client so soon: it is told when to come back.
    const ended = table.expire(ticks()).filter(({ id }) => !conversations.announced(id));
    for (const { id, orphan } of [...ended, ...stale]) {
      // Of a session without a reply there may be no record at all.
      if (recorder.session(id) === undefined) conversations.forget(id);
      else
        recorder
          .append({ kind: 'close', at: clock(), session: id, termination: orphan ? 'orphan' : 'idle' })
          .catch((error: Error) => log.error({ session: id, why: error.message }, 'end not recorded'));
    }
  }, EXPIRE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
