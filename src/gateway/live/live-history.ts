import type { BreakerLevel } from '../../diagnosis/index.ts';
import type { Split } from '../../trajectory/trajectory.ts';
import type { LooksView } from '../api/control.ts';
import { type Purpose, purposeOf, purposeOfEpisode } from '../recorder/purpose.ts';
import type { JournalRecord, SessionFacts } from '../recorder/records.ts';
import { EpochBuckets } from './epoch-buckets.ts';
import { beginEpoch, countSession, type EpochRule, type EpochState, newEpochs } from './epoch-clock.ts';
import type { Look } from './live.ts';
import type { MonitorLight } from './live-core.ts';
import { readMonitorRecord } from './monitor-record.ts';

/** Where an earlier life of the gateway left off. */
export interface RestoredLive {
  readonly epochs: EpochState;
  readonly buckets: EpochBuckets;
  /** Null where nothing was ever looked at or set. */
  readonly monitor: MonitorLight | null;
  readonly revision: number;
  /** Oldest first. */
  readonly looks: readonly Look[];
  /** Probe sessions that no look has used yet. */
  readonly probing: readonly string[];
  /** What operators and time did, oldest first. */
  readonly steered: readonly Steered[];
}

/** Revisions of one life that leave no record: figures that failed and came back. */
const UNRECORDED = 100;

/** A change of the breaker that no look made. */
export type Steered = NonNullable<LooksView['steered']>[number];

/** Events that are remembered. */
const MOST_STEERED = 500;

export function keptSteered(before: readonly Steered[], one: Steered): Steered[] {
  return [...before, one].slice(-MOST_STEERED);
}

/** Looks that are remembered. */
export const MOST_LOOKS = 2000;

/** Adds up journal records, given in the order of `seq`, to the state of the epochs and the breaker. */
export class LiveHistory {
  #epochs: EpochState;
  #monitor: MonitorLight | null = null;
  #revision = 0;
  /** Records since: each may have been a revision of its own. */
  #since = 0;
  #rules: BreakerLevel = 'green';
  #looks: Look[] = [];
  #probing: string[] = [];
  #steered: Steered[] = [];
  readonly #buckets: EpochBuckets;
  /** Episodes that were counted: one that is sent again replaces itself. */
  readonly #episodes = new Set<string>();
  readonly #open = new Map<string, { readonly facts: SessionFacts; readonly turns: Set<number> }>();

  constructor(rule: EpochRule, firstEpoch = 0) {
    this.#buckets = new EpochBuckets(rule);
    this.#epochs = newEpochs(firstEpoch);
  }

  take(record: JournalRecord): void {
    const { session } = record;
    this.#since += 1;
    switch (record.kind) {
      case 'open':
        this.#open.set(record.facts.id, { facts: record.facts, turns: new Set() });
        return;
      case 'exchange':
        this.#open.get(session ?? '')?.turns.add(record.turn);
        return;
      case 'undelivered':
        this.#open.get(session ?? '')?.turns.delete(record.turn);
        return;
      case 'close': {
        const open = this.#open.get(session ?? '');
        this.#open.delete(session ?? '');
        // Nobody heard anything of an orphan.
        if (open === undefined || open.turns.size === 0) return;
        this.#count(open.facts.id, open.facts.epoch, purposeOf(open.facts), open.facts.split);
        this.#probe(session!, purposeOf(open.facts));
        return;
      }
      case 'episode': {
        const { id, epoch, split } = record.trajectory;
        if (session !== null && this.#episodes.has(session)) return;
        if (session !== null) this.#episodes.add(session);
        this.#count(id, epoch, purposeOfEpisode(record.trajectory), split);
        return;
      }
      case 'epoch':
        if (record.epoch > this.#epochs.epoch) this.#epochs = beginEpoch(this.#epochs, record.epoch).state;
        return;
      case 'breaker': {
        const found = readMonitorRecord(record.monitor);
        if (found === null) return;
        const looks = this.#monitor?.breaker.looks.scd ?? 0;
        this.#monitor = found.state;
        this.#revision = Math.max(this.#revision, found.revision);
        this.#since = 0;
        this.#rules = found.state.breaker.level;
        if (found.look !== null) this.#looks.push(found.look);
        else if (record.notes.length > 0)
          this.#steered = keptSteered(this.#steered, {
            at: record.at,
            level: record.level,
            notes: record.notes,
          });
        if (this.#looks.length > 2 * MOST_LOOKS) this.#looks = this.#looks.slice(-MOST_LOOKS);
        // A round that gave no look goes on with more sessions.
        const used = found.look?.probe === true && found.state.breaker.looks.scd > looks;
        if (used || !isProbed(this.#rules)) this.#probing = [];
        return;
      }
      default:
        return;
    }
  }

  result(): RestoredLive {
    return {
      epochs: this.#epochs,
      buckets: this.#buckets,
      monitor: this.#monitor,
      revision: this.#revision + this.#since + (this.#monitor === null ? 0 : UNRECORDED),
      looks: this.#looks.slice(-MOST_LOOKS),
      probing: this.#probing,
      steered: this.#steered,
    };
  }

  #count(id: string, epoch: number | null, purpose: Purpose, split: Split | null): void {
    const counted = this.#buckets.decide(id, epoch, this.#epochs);
    this.#epochs = countSession(this.#epochs, { epoch: counted, purpose, split });
  }

  #probe(id: string, purpose: Purpose): void {
    if (purpose === 'probe' && isProbed(this.#rules)) this.#probing.push(id);
  }
}

/** Levels at which a round of probe sessions is looked at. */
export function isProbed(rules: BreakerLevel): boolean {
  return rules === 'red' || rules === 'half-open';
}
