import type { WeightsReply } from '../api/control.ts';
import { readBatch } from './batch.ts';
import type { SessionSource } from './session-source.ts';
import { steeringRecipe } from './steering-recipe.ts';
import { type PlacedGround, type WindowConcentration, weighBatch } from './weigh-batch.ts';

/**
 * Loss weights by id: mean 1 over the sessions that are weighed, 1 for every other id, which is named with the reason
 * (a trainer that does not look there goes on as if nobody had been asked). An id that is asked for twice, or by two
 * names, is one session.
 * @throws ApiError 400 for a recipe that cannot be read.
 */
export async function batchWeights(
  ids: readonly string[],
  written: unknown,
  source: SessionSource,
  ground: PlacedGround | null,
  window: WindowConcentration | null,
): Promise<WeightsReply> {
  const { recipe, notes } = steeringRecipe(written);
  const batch = await readBatch(ids, source);
  const weighed = await weighBatch(batch, recipe, ground, window);
  const weights: [string, number][] = [];
  const unknown: { id: string; reason: string }[] = [];
  for (const id of new Set(ids)) {
    const own = batch.own.get(id);
    const row = own === undefined ? undefined : weighed.rows.get(own);
    weights.push([id, row?.weight ?? 1]);
    if (row !== undefined) continue;
    const reason = batch.unknown.get(id) ?? weighed.left.get(own ?? '') ?? 'it could not be placed';
    unknown.push({ id, reason });
  }
  return {
    // A name like `__proto__` is a key like any other.
    weights: Object.fromEntries(weights),
    unknown: unknown.sort((a, b) => (a.id < b.id ? -1 : 1)),
    ess: weighed.ess,
    notes: [...notes, ...weighed.notes],
  };
}
