import { DensityScale } from '../curation/density.ts';
import { type Position, RowsBuilder } from '../curation/rows-builder.ts';
import { describe, type Embedder, LsaEmbedder } from '../embedding/index.ts';
import {
  assignAll,
  type BehaviourSpace,
  type Placed,
  type Profile,
  ProfileBuilder,
  type ReservoirRow,
} from '../space/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Judged } from './verdicts.ts';

/** Episodes placed at a time: few enough that they die young, many where each call to an endpoint counts. */
const BATCH = 128;
const REMOTE_BATCH = 512;

export interface GatedRows {
  /** All rows of simulators, dropped ones too, with people. */
  readonly before: Profile;
  /** Those that passed the gate, with people. */
  readonly gated: Profile;
  readonly rows: RowsBuilder;
}

export interface PlaceOptions {
  readonly neighbours: number;
  /** The people, placed before (`placePeople`). */
  readonly reference?: Placed;
  /** Episodes placed at a time. */
  readonly batch?: number;
  /** Awaited after every batch: a server answers others in between. */
  readonly pause?: () => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (placed: number) => void;
}

/**
 * Second pass: every row gets its cells, and gated rows their distance to neighbours among `neighbourhood`, in both
 * codebooks, since which one is compared in is known only when all rows are placed.
 */
export async function placeGated(
  rows: AsyncIterable<Judged>,
  people: readonly Trajectory[],
  neighbourhood: readonly Trajectory[],
  space: BehaviourSpace,
  embedder: Embedder,
  options: PlaceOptions,
): Promise<GatedRows> {
  const describing = options.signal === undefined ? {} : { signal: options.signal };
  const placed = async (episodes: readonly Trajectory[]) =>
    assignAll(space, await describe(episodes, embedder, describing));
  const [before, gated] = [builder(space), builder(space)];
  if (people.length > 0) {
    const reference = options.reference ?? (await placePeople(people, space, embedder, options.signal));
    before.addPlaced(reference);
    gated.addPlaced(reference);
  }
  const size = options.batch ?? (embedder instanceof LsaEmbedder ? BATCH : REMOTE_BATCH);
  const near: ReservoirRow[] = [];
  const step = options.batch ?? Math.max(1, neighbourhood.length);
  for (let at = 0; at < neighbourhood.length; at += step) {
    const part = neighbourhood.slice(at, at + step);
    const found = await placed(part);
    part.forEach((_, row) => {
      near.push(found.reservoirRow(row));
    });
    await options.pause?.();
  }
  const scales = scalesOf(near, options.neighbours);
  const columns = new RowsBuilder();
  let count = 0;
  const flush = async (batch: readonly Judged[]) => {
    options.signal?.throwIfAborted();
    const result = await placed(batch.map(({ episode }) => episode));
    before.addPlaced(result);
    const kept = batch.flatMap((row, at) => (row.kept ? [at] : []));
    const own = {
      rows: kept.map((at) => result.rows[at]!),
      reservoirRow: (at: number) => result.reservoirRow(kept[at]!),
    };
    gated.addPlaced(own);
    addRows(columns, batch, result, kept, scales);
    count += batch.length;
    options.onProgress?.(count);
    await options.pause?.();
  };
  let batch: Judged[] = [];
  for await (const row of rows) {
    if (batch.push(row) < size) continue;
    await flush(batch);
    batch = [];
  }
  if (batch.length > 0) await flush(batch);
  return { before: before.build(), gated: gated.build(), rows: columns };
}

/** All people of a reference in one go: persons that the space does not know are put into parts together. */
export async function placePeople(
  people: readonly Trajectory[],
  space: BehaviourSpace,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<Placed> {
  const describing = signal === undefined ? {} : { signal };
  return assignAll(space, await describe(people, embedder, describing), { reference: true });
}

function builder(space: BehaviourSpace): ProfileBuilder {
  return new ProfileBuilder(space.id, { seed: space.seed });
}

interface Scales {
  readonly full: DensityScale;
  readonly interaction: DensityScale;
}

function scalesOf(kept: readonly ReservoirRow[], neighbours: number): Scales {
  const hashes = kept.map(({ hash }) => hash);
  const full = kept.filter(({ z }) => z !== null);
  return {
    full: new DensityScale(
      stacked(
        full.map(({ z }) => z!),
        full.map(({ hash }) => hash),
      ),
      neighbours,
    ),
    interaction: new DensityScale(
      stacked(
        kept.map(({ interaction }) => interaction),
        hashes,
      ),
      neighbours,
    ),
  };
}

function stacked(vectors: readonly Float32Array[], hashes: readonly string[]) {
  const columns = vectors[0]?.length ?? 0;
  const data = new Float32Array(vectors.length * columns);
  vectors.forEach((vector, row) => {
    data.set(vector, row * columns);
  });
  return { columns, vectors: data, hashes };
}

function addRows(
  columns: RowsBuilder,
  batch: readonly Judged[],
  placed: Placed,
  kept: readonly number[],
  scales: Scales,
): void {
  if (kept.length === 0) return;
  const vectors = kept.map((at) => placed.reservoirRow(at));
  const hashes = vectors.map(({ hash }) => hash);
  const interaction = scales.interaction.distances(
    stacked(
      vectors.map((row) => row.interaction),
      hashes,
    ),
  );
  const eligible = vectors.flatMap(({ z }, at) => (z === null ? [] : [at]));
  const full = new Float32Array(kept.length).fill(Number.NaN);
  if (eligible.length > 0) {
    const found = scales.full.distances(
      stacked(
        eligible.map((at) => vectors[at]!.z!),
        eligible.map((at) => hashes[at]!),
      ),
    );
    eligible.forEach((at, i) => {
      full[at] = found[i]!;
    });
  }
  kept.forEach((at, i) => {
    const row = placed.rows[at]!;
    const { episode, hash } = batch[at]!;
    const position = (mode: number | null, outside: boolean, distance: number): Position => ({
      mode,
      outside,
      distance,
    });
    columns.add({
      id: episode.id,
      hash,
      simulator: row.simulator,
      policy: policyOf(episode),
      context: row.context,
      group: groupOf(episode),
      reward: row.reward,
      full: position(row.cell, row.outside === true, full[i]!),
      interaction: position(row.interactionCell, row.interactionOutside, interaction[i]!),
    });
  });
}

/** Policy and checkpoint in one name. */
export function policyName(id: string, checkpoint: string | null): string {
  return checkpoint === null ? id : `${id}@${checkpoint}`;
}

export function policyOf({ policy }: Trajectory): string {
  return policyName(policy.id, policy.checkpoint);
}

/** One GRPO group of one step of one run: files name groups anew at every step. */
export function groupOf(episode: Trajectory): string | null {
  const { group, run, epoch } = episode;
  return group === null ? null : JSON.stringify([run, epoch, policyOf(episode), group]);
}

/** The file's own name of a group. */
export function groupNameOf(key: string): string {
  return (JSON.parse(key) as [unknown, unknown, unknown, string])[3];
}
