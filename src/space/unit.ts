import { maximum } from '../math/index.ts';
import type { ProfileRow } from './profile.ts';

/** What one observation is: the thing that is left out by the jackknife and never paired with itself. */
export type Unit = 'context' | 'person' | 'episode';

/** A context that holds more of the rows than this cannot be the unit. */
const LARGEST_SHARE = 0.2;

/**
 * The context, where contexts repeat and none holds over 20 % of the rows (of the audited rows of any
 * run, or of the people's); else the person where most rows have one, else the episode.
 */
export function chooseUnit(
  runs: readonly (readonly ProfileRow[])[],
  people: readonly ProfileRow[],
  given?: Unit,
): { unit: Unit; reason: string } {
  if (given !== undefined) return { unit: given, reason: 'as given' };
  const all = [...runs.flat(), ...people];
  const counts = countsOf(all);
  const alone = all.filter((row) => counts.get(row.context) === 1).length;
  const largest = maximum([...runs, people].map(largestShare));
  const why =
    2 * alone > all.length
      ? 'contexts do not repeat'
      : largest > LARGEST_SHARE
        ? `one context holds ${Math.round(100 * largest)} % of the rows`
        : null;
  if (why === null)
    return { unit: 'context', reason: `${counts.size} contexts, none with over 20 % of the rows` };
  const persons = all.filter((row) => row.person !== null).length;
  return 2 * persons > all.length
    ? { unit: 'person', reason: why }
    : { unit: 'episode', reason: `${why}, and ${persons === 0 ? 'no' : 'too few'} rows name a person` };
}

function countsOf(rows: readonly ProfileRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { context } of rows) counts.set(context, (counts.get(context) ?? 0) + 1);
  return counts;
}

function largestShare(rows: readonly ProfileRow[]): number {
  if (rows.length === 0) return 0;
  let most = 0;
  for (const count of countsOf(rows).values()) most = Math.max(most, count);
  return most / rows.length;
}
