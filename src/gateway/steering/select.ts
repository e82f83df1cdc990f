import { type CurationRows, type RowFacts, RowsBuilder, selectRollouts } from '../../curation/index.ts';
import { hashText } from '../../trajectory/identity.ts';
import type { SelectReply } from '../api/control.ts';
import { ApiError } from '../wire/api-error.ts';
import { type Batch, givenGroup, readBatch } from './batch.ts';
import type { SessionSource } from './session-source.ts';
import { steeringRecipe } from './steering-recipe.ts';
import { type PlacedGround, type Weighed, type WindowConcentration, weighBatch } from './weigh-batch.ts';

export interface Candidate {
  readonly id: string;
  /** Instead of the group on record. */
  readonly group?: string | undefined;
}

/**
 * Keeps n of every group that has more, with chances that grow with the weight (curation/selection.ts), as `curate`
 * selects from the same rows by the same recipe. What the gate drops is no candidate: neither kept nor counted. An id
 * that is not on record takes part with weight 1 in the group that the request gives it; without a group it is kept, as
 * every row without one. Groups, and the draw in each, hang on contents alone: neither ids nor their order move it.
 * @throws ApiError 400 for a recipe that cannot be read, and groups beyond what can be drawn from exactly.
 */
export async function selectCandidates(
  candidates: readonly Candidate[],
  n: number,
  written: unknown,
  source: SessionSource,
  ground: PlacedGround | null,
  window: WindowConcentration | null,
): Promise<SelectReply> {
  const { recipe } = steeringRecipe(written, n);
  const groups = groupsOf(candidates);
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const batch = await readBatch(ids, source, groups);
  const weighed = await weighBatch(batch, recipe, ground, window);
  const { rows, weight } = rowsOf(ids, batch, weighed, groups);
  const selection = selecting(rows, weight, recipe.selection!, recipe.seed);
  const inclusion = rows.ids.map((id, row): [string, number] => [id, selection.inclusion[row]!]);
  const pairs: { a: string; b: string; joint: number }[] = [];
  for (let row = 0; row < rows.size; row++)
    for (const other of selection.pairs.partners(row))
      if (row < other) {
        const [a, b] = [rows.ids[row]!, rows.ids[other]!].sort() as [string, string];
        pairs.push({ a, b, joint: selection.pairs.joint(row, other)! });
      }
  const candidate = new Set(rows.ids);
  return {
    kept: rows.ids.filter((_, row) => selection.kept[row] === 1).sort(),
    inclusion: Object.fromEntries(inclusion.sort(([a], [b]) => (a < b ? -1 : 1))),
    pairs: pairs.sort((x, y) => (x.a === y.a ? (x.b < y.b ? -1 : 1) : x.a < y.a ? -1 : 1)),
    unknown: ids
      .flatMap((id) => {
        const own = batch.own.get(id);
        const reason = batch.unknown.get(id) ?? weighed.left.get(own ?? '');
        if (reason !== undefined) return [{ id, reason }];
        return candidate.has(id) ? [] : [{ id, reason: `it is the same session as ${own}` }];
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    seed: String(recipe.seed),
  };
}

/** @throws ApiError 400 where one candidate stands in two groups. */
function groupsOf(candidates: readonly Candidate[]): Map<string, string> {
  const groups = new Map<string, string>();
  for (const { id, group } of candidates) {
    if (group === undefined) continue;
    if ((groups.get(id) ?? group) !== group)
      throw ApiError.invalid(`candidate '${id.slice(0, 200)}' stands in two groups`, 'candidates');
    groups.set(id, group);
  }
  return groups;
}

/** One row a session, under the first of the ids it was asked for by. */
function rowsOf(
  ids: readonly string[],
  batch: Batch,
  weighed: Weighed,
  groups: ReadonlyMap<string, string>,
): { rows: CurationRows; weight: Float64Array } {
  const builder = new RowsBuilder();
  const weights = new Map<string, number>();
  const met = new Set<string>();
  const add = (id: string, hash: string, group: string | null, reward: number | null, weight: number) => {
    builder.add({ ...PLACELESS, id, hash, group, reward });
    weights.set(id, weight);
  };
  for (const id of [...ids].sort()) {
    const own = batch.own.get(id);
    if (own === undefined) {
      const group = groups.get(id);
      add(id, hashText(id), group === undefined ? null : givenGroup(group), null, 1);
      continue;
    }
    const row = weighed.rows.get(own);
    if (row === undefined || met.has(own)) continue;
    met.add(own);
    const { group, reward } = batch.sessions.get(own)!;
    add(id, row.hash, group, reward, row.weight);
  }
  const rows = builder.build('full', 1);
  return { rows, weight: Float64Array.from(rows.ids, (id) => weights.get(id)!) };
}

const NOWHERE = { mode: null, outside: false, distance: Number.NaN };
/** A selection looks at content, group, reward and weight alone. */
const PLACELESS: Omit<RowFacts, 'id' | 'hash' | 'group' | 'reward'> = {
  simulator: '',
  policy: '',
  context: '',
  full: NOWHERE,
  interaction: NOWHERE,
};

function selecting(...[rows, weight, recipe, seed]: Parameters<typeof selectRollouts>) {
  try {
    return selectRollouts(rows, weight, recipe, seed);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw ApiError.invalid(
      `${error.message}; a recipe with selection.design "poisson" takes groups of any size`,
      'candidates',
    );
  }
}
