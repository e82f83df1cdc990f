import { describe, type Embedder } from '../embedding/index.ts';
import { assignAll, type BehaviourSpace, type Profile, ProfileBuilder } from '../space/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { AuditOptions, Records } from './options.ts';

/** Episodes described and placed at a time: keeps memory flat and the embedder's batches full. */
const BATCH = 512;

/**
 * Second pass: every episode gets its cells. `people` are placed in one piece, since a person's episodes share
 * one part of the reference.
 */
export async function place(
  records: Records | null,
  people: readonly Trajectory[],
  space: BehaviourSpace,
  embedder: Embedder,
  options: AuditOptions & { readonly total?: number } = {},
): Promise<Profile> {
  const builder = new ProfileBuilder(space.id, { seed: space.seed });
  const describing = options.signal === undefined ? {} : { signal: options.signal };
  let placed = 0;
  const add = async (batch: readonly Trajectory[], reference: boolean) => {
    options.signal?.throwIfAborted();
    builder.addPlaced(assignAll(space, await describe(batch, embedder, describing), { reference }));
    placed += batch.length;
    options.onProgress?.('place', placed, options.total ?? null);
  };
  if (people.length > 0) await add(people, true);
  let batch: Trajectory[] = [];
  if (records !== null)
    for await (const trajectory of records()) {
      batch.push(trajectory);
      if (batch.length < BATCH) continue;
      await add(batch, false);
      batch = [];
    }
  if (batch.length > 0) await add(batch, false);
  return builder.build();
}
