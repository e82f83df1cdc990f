import { readRecipe } from '../../src/curation/index.ts';
import { hashOf } from '../../src/curation/rows.ts';
import { type Curated, type CurateInput, type CurateOptions, curate } from '../../src/curator/index.ts';
import { signalsOf } from '../../src/curator/signals.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { seeded } from '../../src/math/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';

/** Five simulators on shared contexts, groups of eight with rewards. */
export function labRollouts(contexts = 6, epochs = 1, group = 8): Trajectory[] {
  return [...scriptedEpisodes({ seed: 3, contexts, epochs, group })];
}

export function curated(
  rows: readonly Trajectory[],
  recipe: unknown,
  more: Omit<CurateInput, 'records'> & CurateOptions = {},
): Promise<Curated> {
  const { people, space, embedder, ...options } = more;
  const given = { people, space, embedder };
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return curate({ records: recordsOf(rows), ...input }, readRecipe(recipe), {
    searchEvaluations: 0,
    ...options,
  });
}

/** All that is decided of every content: one sorted list of numbers a content, whatever the rows are called. */
export function byContent({ plan }: Curated): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let row = 0; row < plan.rows.size; row++) {
    const hash = hashOf(plan.rows, row);
    const own = found.get(hash) ?? [];
    found.set(hash, own);
    own.push(
      JSON.stringify({
        ...signalsOf(plan, row),
        reward: plan.rows.reward[row],
        selected: plan.selection?.kept[row] ?? null,
        trained: plan.trained[row],
        after: plan.after[row],
        pairs: (plan.selection?.pairs.partners(row) ?? [])
          .map((other) => `${hashOf(plan.rows, other)} ${plan.selection!.pairs.joint(row, other)}`)
          .sort(),
      }),
    );
  }
  for (const own of found.values()) own.sort();
  return found;
}

/** The contents of every batch, in order. */
export function batchContents({ plan }: Curated): string[][] {
  const { batches, rows } = plan;
  return Array.from({ length: batches?.count ?? 0 }, (_, batch) =>
    Array.from(batches!.rows.subarray(batches!.offsets[batch]!, batches!.offsets[batch + 1]!), (row) =>
      hashOf(rows, row),
    ),
  );
}

export function shuffled<T>(rows: readonly T[], seed: string): T[] {
  const random = seeded(`test/${seed}`);
  const list = [...rows];
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.integer(at + 1);
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return list;
}
