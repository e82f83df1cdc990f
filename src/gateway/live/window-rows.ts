import { describe, type Embedder } from '../../embedding/index.ts';
import {
  assignAll,
  type BehaviourSpace,
  type Profile,
  ProfileBuilder,
  type ProfileRow,
  type ReservoirRow,
} from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { BucketedSession } from './closed-session.ts';

/** A session placed in the space: what the figures need of it, without its words. */
export interface PlacedSession extends Omit<BucketedSession, 'trajectory'> {
  readonly id: string;
  readonly row: ProfileRow;
  readonly reservoir: ReservoirRow;
  /** Kept of people alone: they are placed again, all at once, where they are the reference of others. */
  readonly person: Trajectory | null;
}

/** Beyond it the oldest go, whatever their epoch: a trainer that never ends an epoch must not fill the memory. */
const MOST_SESSIONS = 50_000;

/** Placed sessions by id: one that comes again takes the place of the former. */
export class WindowRows {
  readonly #space: BehaviourSpace;
  readonly #embedder: Embedder;
  readonly #most: number;
  readonly #sessions = new Map<string, PlacedSession>();
  #left = 0;

  constructor(space: BehaviourSpace, embedder: Embedder, most = MOST_SESSIONS) {
    this.#space = space;
    this.#embedder = embedder;
    this.#most = most;
  }

  /** Sessions that were let go since there were too many. */
  get left(): number {
    return this.#left;
  }

  get size(): number {
    return this.#sessions.size;
  }

  async put(sessions: readonly BucketedSession[]): Promise<void> {
    const behaviours = await describe(
      sessions.map(({ trajectory }) => trajectory),
      this.#embedder,
    );
    const placed = assignAll(this.#space, behaviours);
    for (const [index, { trajectory, ...rest }] of sessions.entries())
      this.#sessions.set(trajectory.id, {
        ...rest,
        id: trajectory.id,
        row: placed.rows[index]!,
        reservoir: placed.reservoirRow(index),
        person: trajectory.simulator.kind === 'human' ? trajectory : null,
      });
    for (const id of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#most) break;
      this.#sessions.delete(id);
      this.#left += 1;
    }
  }

  /** Forgets the sessions of epochs up to and with `last`. */
  forget(last: number): void {
    for (const [id, { epoch }] of this.#sessions) if (epoch <= last) this.#sessions.delete(id);
  }

  which(keep: (session: PlacedSession) => boolean): PlacedSession[] {
    return [...this.#sessions.values()].filter(keep);
  }

  /** As `place` would give it for the same episodes. */
  profile(sessions: readonly PlacedSession[]): Profile {
    const builder = new ProfileBuilder(this.#space.id, { seed: this.#space.seed });
    for (const { row, reservoir } of sessions) {
      builder.add(row);
      builder.addReservoir(reservoir);
    }
    return builder.build();
  }

  /** Rows of one step of the monitor: it needs no vectors, and every row's epoch is the step. */
  stepProfile(sessions: readonly PlacedSession[], step: number): Profile {
    const builder = new ProfileBuilder(this.#space.id, { seed: this.#space.seed, reservoirSize: 0 });
    for (const { row } of sessions) builder.add({ ...row, epoch: step });
    return builder.build();
  }
}
