import type { CoverageCounts } from '../../population/index.ts';
import type { Profile, ProfileRow } from '../../space/index.ts';

/** Counts for the draw `least-covered`, as plain data. */
export interface LiveCoverage {
  readonly target: readonly number[];
  readonly covered: readonly number[];
  readonly reach: readonly (readonly [member: string, shares: readonly number[]])[];
}

export interface CoverageOptions {
  /** `interaction`: cells of the interaction codebook. */
  readonly control: string;
  /** Modes of that codebook. */
  readonly k: number;
}

/** A mode counts as covered once it was visited in so many different contexts, as in BDI. */
const CONTEXTS = 2;
/** Rollouts of a group: what one draw can show. */
const GROUP = 8;

/**
 * How far the training sessions of the window cover each mode (contexts it was visited in, of two), and how likely a
 * member's next group of eight visits it: 1 - (1 - p)^8 with p its share of the member's sessions. What should be
 * covered is what fresh people do (their mass part); without people, every mode alike. Rows off support visit no mode.
 */
export function coverageOf(
  rows: readonly ProfileRow[],
  people: Profile | null,
  { control, k }: CoverageOptions,
): LiveCoverage {
  const cellOf = (row: ProfileRow): number | null => {
    const interaction = control === 'interaction';
    if (interaction ? row.interactionOutside : row.outside === true) return null;
    return interaction ? row.interactionCell : row.cell;
  };
  const contexts = Array.from({ length: k }, () => new Set<string>());
  const visits = new Map<string, Float64Array>();
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const own = visits.get(row.simulator) ?? new Float64Array(k);
    visits.set(row.simulator, own);
    sizes.set(row.simulator, (sizes.get(row.simulator) ?? 0) + 1);
    const cell = cellOf(row);
    if (cell === null) continue;
    own[cell]! += 1;
    contexts[cell]!.add(row.context);
  }
  return {
    target: targetOf(people, cellOf, k),
    covered: contexts.map(({ size }) => Math.min(1, size / CONTEXTS)),
    reach: [...visits].map(([member, own]) => [
      member,
      [...own].map((count) => 1 - (1 - count / sizes.get(member)!) ** GROUP),
    ]),
  };
}

function targetOf(people: Profile | null, cellOf: (row: ProfileRow) => number | null, k: number): number[] {
  const counts = new Array<number>(k).fill(0);
  let total = 0;
  for (let at = 0; at < (people?.size ?? 0); at++) {
    const row = people!.peek(at);
    const cell = row.part === 'mass' ? cellOf(row) : null;
    if (cell === null) continue;
    counts[cell]! += 1;
    total += 1;
  }
  return counts.map((count) => (total === 0 ? 1 / k : count / total));
}

export function countsOf({ target, covered, reach }: LiveCoverage): CoverageCounts {
  return { target, covered, reach: new Map(reach) };
}
