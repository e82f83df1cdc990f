import type { JournalRecord, SessionFacts } from '../recorder/records.ts';
import type { ProbeSettings } from '../settings/settings.ts';
import type { Voice } from '../speakers/speaker.ts';
import type { VisitedHistory } from './visited-history.ts';

export type ProbeRecord = Extract<JournalRecord, { readonly kind: 'probe' }>;
export type SpentRecord = Extract<JournalRecord, { readonly kind: 'spent' }>;

/**
 * `queue full`: the probes' own slots are too few. `clients first`: the queue filled while clients were many.
 * `budget`: the epoch's tokens were spent. `failed`: fewer than two replies of any law came. `draining`: the gateway ends.
 * `superseded`: the session went back and took another way, so that the history is none of its own any more. `resting`:
 * whoever was to be asked is left alone; the history's other law may be on record all the same.
 */
export type DropReason =
  | 'queue full'
  | 'clients first'
  | 'budget'
  | 'failed'
  | 'draining'
  | 'superseded'
  | 'resting';

/** Who might have been drawn for the session, by the weight with which members are drawn now. */
export interface StandIn {
  readonly id: string;
  /** At least 0; some above. */
  readonly weight: number;
  open(seed: string): Voice;
}

export interface ProberServices {
  readonly settings: ProbeSettings;
  /** The gateway's. */
  readonly seed: string;
  /** The session's own user; null where its member is gone. */
  voiceOf(facts: SessionFacts): Voice | null;
  /** Whether the session's own member is in service, and not left alone since its upstream fails. */
  serves(facts: SessionFacts): boolean;
  /**
   * Members of the session's panel that are in service; none where all rest. Null where the client named its member, so
   * that nobody else could have come, and where a person might have been drawn, who cannot be asked again.
   */
  population(facts: SessionFacts): readonly StandIn[] | null;
  append(record: ProbeRecord | SpentRecord): void | Promise<void>;
  /** Client requests under way. */
  clientsRunning(): number;
  /** Milliseconds since 1970. */
  now(): number;
  onDropped?(reason: DropReason, history: VisitedHistory): void;
  /** Runs something later; returns what calls it off. Default: a timer that keeps no process alive. */
  later?(run: () => void, ms: number): () => void;
}
