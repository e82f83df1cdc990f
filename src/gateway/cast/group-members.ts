import type { SimulatorFacts } from '../../trajectory/trajectory.ts';

/** Who was drawn: one id may come back as another simulator. */
export type Drawn = Pick<SimulatorFacts, 'id' | 'fingerprint'>;

/** The epoch under way, for sessions that name none. */
export interface EpochNow {
  readonly epoch: number;
  /** That ended last; null = none yet. */
  readonly before: number | null;
  /** Epochs end by a count of sessions, wherever a trainer's step may be. */
  readonly counted: boolean;
}

/** A group before its epoch is told: what its sessions name of it. */
interface Latest {
  readonly epoch: number;
  /** The newest, oldest first. */
  readonly sessions: string[];
  /** Number of the newest among all sessions of groups. */
  at: number;
}

/** Groups that are remembered; the oldest go. A group lives for one step of a trainer. */
const MOST = 50_000;
/** Sessions of a group that are remembered. */
const MOST_SESSIONS = 64;
/** Sessions of other groups between two of one group, where they follow one another. */
const BETWEEN = 16;

/**
 * Who was drawn for a group of rollouts. A group keeps its member while weights change (yellow raises some), members come
 * and go, or one rests: rollouts of two simulators in one group would put the simulators' difficulty into its baseline.
 * A group is a name in an epoch: the same prompt is rolled out again in later ones, and meets others there.
 */
export class GroupMembers {
  readonly #members = new Map<string, Drawn>();
  readonly #latest = new Map<string, Latest>();
  readonly #most: number;
  #begun = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  /**
   * Of a session that names no epoch: the epoch of its group. A group is of the epoch in which its first session began,
   * since epochs may change between two rollouts of it. It goes on in the next one, and no longer, while a session of it
   * is open; where epochs are counted, also while its sessions follow one another, with few others between.
   */
  epochOf(name: string, { epoch, before, counted }: EpochNow, isOpen: (session: string) => boolean): number {
    const latest = this.#latest.get(name);
    if (latest === undefined || latest.epoch === epoch || latest.epoch !== before) return epoch;
    const follows = counted && this.#begun - latest.at <= BETWEEN;
    return follows || latest.sessions.some(isOpen) ? latest.epoch : epoch;
  }

  get(key: string): Drawn | null {
    return this.#members.get(key) ?? null;
  }

  /** A session of the group began. `drawn`: null where its member says nothing of whom the others meet. */
  began(key: string, session: string, drawn: Drawn | null): void {
    const { name, epoch } = partsOf(key);
    this.#begun += 1;
    const known = this.#latest.get(name);
    if (known === undefined || known.epoch < epoch)
      put(this.#latest, name, { epoch, sessions: [session], at: this.#begun }, this.#most);
    else if (known.epoch === epoch) {
      known.sessions.push(session);
      if (known.sessions.length > MOST_SESSIONS) known.sessions.shift();
      known.at = this.#begun;
    }
    if (drawn !== null) put(this.#members, key, drawn, this.#most);
  }
}

/** What a group is drawn by. `name`: all but the epoch. */
export function groupKey(name: string, epoch: number): string {
  return `${epoch} ${name}`;
}

function partsOf(key: string): { name: string; epoch: number } {
  const at = key.indexOf(' ');
  return { name: key.slice(at + 1), epoch: Number(key.slice(0, at)) };
}

function put<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
