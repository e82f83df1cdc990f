import { describe, type Embedder, LsaEmbedder } from '../embedding/index.ts';
import {
  assignAll,
  type BehaviourSpace,
  type Profile,
  ProfileBuilder,
  type ReleasedBuilder,
} from '../space/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { Crew, type KnownRows } from './crew.ts';
import { embedderOf } from './fit.ts';
import type { AuditOptions, Records } from './options.ts';

/** Episodes described and placed at a time: few enough that they die young, many where each call to an endpoint counts. */
const BATCH = 128;
const REMOTE_BATCH = 512;

/**
 * Second pass: every episode gets its cells. `people` are placed in one piece, since a person's episodes share
 * one part of the reference.
 */
export async function place(
  records: Records | null,
  people: readonly Trajectory[],
  space: BehaviourSpace,
  embedder: Embedder,
  options: AuditOptions & { readonly total?: number; readonly known?: KnownRows | null } = {},
): Promise<Profile> {
  const placer = new Placer(space, embedder, options.signal);
  const progress = (placed: number) =>
    options.onProgress?.('place', people.length + placed, options.total ?? null);
  if (people.length > 0) {
    await placer.addPeople(people);
    progress(0);
  }
  if (records === null) return placer.profile();
  // Threads restore the space's own embedder; one that asks an endpoint stays here.
  const own = embedder instanceof LsaEmbedder && embedder.id === space.embedder.id;
  const crew = own ? await Crew.of(records, options) : null;
  const parts = crew === null ? null : await crew.place(space, options.known ?? null, progress);
  if (parts !== null) for (const part of parts) placer.absorb(part);
  else {
    let placed = 0;
    for await (const trajectory of records()) {
      await placer.add(trajectory);
      placed += 1;
      if (placed % BATCH === 0) progress(placed);
    }
    progress(placed);
  }
  return placer.profile();
}

/** Places episodes as they come, a batch at a time. */
export class Placer {
  readonly #space: BehaviourSpace;
  readonly #embedder: Embedder;
  readonly #signal: AbortSignal | undefined;
  readonly #builder: ProfileBuilder;
  readonly #size: number;
  #batch: Trajectory[] = [];
  #hashes: (string | undefined)[] = [];

  constructor(space: BehaviourSpace, embedder: Embedder, signal?: AbortSignal) {
    this.#space = space;
    this.#embedder = embedder;
    this.#signal = signal;
    this.#size = embedder instanceof LsaEmbedder ? BATCH : REMOTE_BATCH;
    this.#builder = new ProfileBuilder(space.id, { seed: space.seed });
  }

  /** With the embedder that was fitted with the space. */
  static inSpace(space: BehaviourSpace): Placer {
    return new Placer(space, embedderOf(space));
  }

  /** `hash`: of its content, where it is known. To be awaited only where a promise comes back: most rows wait for their batch. */
  add(trajectory: Trajectory, hash?: string): Promise<void> | undefined {
    this.#hashes.push(hash);
    return this.#batch.push(trajectory) < this.#size ? undefined : this.#flush();
  }

  addPeople(people: readonly Trajectory[]): Promise<void> {
    return this.#place(people, [], true);
  }

  absorb(part: ReleasedBuilder): void {
    this.#builder.absorb(part);
  }

  async profile(): Promise<Profile> {
    await this.#flush();
    return this.#builder.build();
  }

  async release(): Promise<ReleasedBuilder> {
    await this.#flush();
    return this.#builder.release();
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    const hashes = this.#hashes;
    this.#batch = [];
    this.#hashes = [];
    if (batch.length > 0) await this.#place(batch, hashes, false);
  }

  async #place(
    batch: readonly Trajectory[],
    hashes: readonly (string | undefined)[],
    reference: boolean,
  ): Promise<void> {
    this.#signal?.throwIfAborted();
    const describing = this.#signal === undefined ? { hashes } : { hashes, signal: this.#signal };
    const behaviours = await describe(batch, this.#embedder, describing);
    this.#builder.addPlaced(assignAll(this.#space, behaviours, { reference }));
  }
}
