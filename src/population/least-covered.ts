import { CollapseAwareError } from '../errors.ts';
import { type Drawable, hashShare, inOrder } from './draw.ts';

export interface CoverageCounts {
  /** Share of each mode among people (or whatever should be covered), length K, not negative. */
  readonly target: ArrayLike<number>;
  /** How far the data so far cover each mode, 0 .. 1, length K. */
  readonly covered: ArrayLike<number>;
  /** How far each member covers each mode, 0 .. 1, length K, by id; null or absent = not measured. */
  readonly reach: ReadonlyMap<string, ArrayLike<number> | null>;
}

export interface CoverageDraw<T> {
  readonly member: T;
  /** Uncovered target mass that the member adds, 0 .. sum of target; null = its reach is not measured. */
  readonly gain: number | null;
  /** Members that would have done as well, this one among them. */
  readonly tied: number;
}

/**
 * The member that adds most of what is uncovered: gain = sum over modes of target * (1 - covered) * reach. Who was never
 * measured comes first, since a gain that is not known is not 0 and only drawing makes it known. Ties, exact to rounding,
 * are broken by the hash of (seed, key, id): with everything covered, different keys draw different members.
 * A pure function of its arguments; the order of members says nothing. Throws CA_USAGE on figures out of their range.
 */
export function leastCoveredDraw<T extends Drawable>(
  members: readonly T[],
  counts: CoverageCounts,
  key: string,
  seed: number | string,
): CoverageDraw<T> {
  const { members: tied, gains } = leastCovered(members, counts);
  let member = tied[0]!;
  let least = hashShare(seed, key, member.id);
  for (const other of tied.slice(1)) {
    const share = hashShare(seed, key, other.id);
    if (share < least) {
      member = other;
      least = share;
    }
  }
  return { member, gain: gains.get(member.id)!, tied: tied.length };
}

/** Those that add most, in the order of ids, each drawn as often as the others; and what every member adds. */
export function leastCovered<T extends Drawable>(
  members: readonly T[],
  counts: CoverageCounts,
): { readonly members: readonly T[]; readonly gains: ReadonlyMap<string, number | null> } {
  const all = inOrder(members);
  const gains = new Map(all.map(({ id }) => [id, uncoveredGain(counts, id)]));
  const unknown = all.filter(({ id }) => gains.get(id) === null);
  if (unknown.length > 0) return { members: unknown, gains };
  const most = Math.max(...[...gains.values()].map((gain) => gain!));
  // Masses added up in another order differ in their last digits.
  return { members: all.filter(({ id }) => gains.get(id)! >= most * (1 - 1e-12)), gains };
}

/** Uncovered target mass that one member adds; null where its reach is not measured. */
export function uncoveredGain({ target, covered, reach }: CoverageCounts, id: string): number | null {
  const own = reach.get(id) ?? null;
  checkShares('covered', covered, target.length);
  if (own === null) return null;
  checkShares(`the reach of '${id}'`, own, target.length);
  let gain = 0;
  for (let mode = 0; mode < target.length; mode++) {
    const mass = target[mode]!;
    if (!(mass >= 0 && Number.isFinite(mass)))
      throw new CollapseAwareError('CA_USAGE', `target of mode ${mode} is ${mass}, not a mass`);
    gain += mass * (1 - covered[mode]!) * own[mode]!;
  }
  return gain;
}

function checkShares(name: string, shares: ArrayLike<number>, k: number): void {
  if (shares.length !== k)
    throw new CollapseAwareError('CA_USAGE', `${name} has ${shares.length} modes and target ${k}`);
  for (let mode = 0; mode < k; mode++)
    if (!(shares[mode]! >= 0 && shares[mode]! <= 1))
      throw new CollapseAwareError(
        'CA_USAGE',
        `${name} is ${shares[mode]} in mode ${mode}, not a number from 0 to 1`,
      );
}
