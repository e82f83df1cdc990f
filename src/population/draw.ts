import { CollapseAwareError } from '../errors.ts';
import { hashOrder } from '../math/hash.ts';
import type { Random } from '../math/random.ts';
import { byId } from './resolve-member.ts';

/** All that a draw looks at. */
export interface Drawable {
  readonly id: string;
}

/** Share of the draws by id, up to scale: finite, not negative, some positive. */
export type DrawWeights = ReadonlyMap<string, number>;

/**
 * Each member alike. Members are taken in the order of their ids, so that the order of the list changes no draw; other
 * ids change single draws and never their law. Throws CA_USAGE where there is nobody, or one id twice.
 */
export function uniformDraw<T extends Drawable>(members: readonly T[], random: Random): T {
  const all = inOrder(members);
  return all[random.integer(all.length)]!;
}

/** By `weights`; a weight of 0 is never drawn. Throws CA_USAGE as `uniformDraw`, and where weights do not fit. */
export function weightedDraw<T extends Drawable>(
  members: readonly T[],
  weights: DrawWeights,
  random: Random,
): T {
  const all = inOrder(members);
  const each = weightsOf(all, weights);
  let left = random.next() * each.reduce((sum, weight) => sum + weight, 0);
  let drawn: T | null = null;
  for (const [i, member] of all.entries()) {
    if (each[i] === 0) continue;
    drawn = member;
    left -= each[i]!;
    if (left < 0) break;
  }
  // Rounding may leave a rest behind the last one.
  return drawn!;
}

/**
 * The one member of a GRPO group (or of a session): a function of the key, the seed and the ids alone, whoever asks
 * first and however often. Weighted rendezvous hashing (Thaler & Ravishankar 1998; Schindelhauer & Schomaker 2005): each
 * member has an exponential variable hashed from (seed, key, id), over its weight, and the least wins. Over keys, members
 * are drawn in proportion to their weights; one who joins or leaves moves only the groups that become or were its own.
 */
export function groupDraw<T extends Drawable>(
  members: readonly T[],
  group: string,
  seed: number | string,
  weights: DrawWeights | null = null,
): T {
  const all = inOrder(members);
  const each = weights === null ? null : weightsOf(all, weights);
  let best: T | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, member] of all.entries()) {
    const weight = each === null ? 1 : each[i]!;
    if (weight === 0) continue;
    const wait = -Math.log1p(-hashShare(seed, group, member.id)) / weight;
    if (best === null || wait < least) {
      best = member;
      least = wait;
    }
  }
  return best!;
}

/** A number in [0, 1) of one member at one key. */
export function hashShare(seed: number | string, key: string, id: string): number {
  return hashOrder(JSON.stringify([String(seed), key, id]), 0);
}

/** A copy in the order of ids. */
export function inOrder<T extends Drawable>(members: readonly T[]): T[] {
  if (members.length === 0) throw new CollapseAwareError('CA_USAGE', 'there is no member to draw from');
  const all = [...members].sort(byId);
  for (let i = 1; i < all.length; i++)
    if (all[i]!.id === all[i - 1]!.id)
      throw new CollapseAwareError('CA_USAGE', `member '${all[i]!.id}' stands twice among those drawn from`);
  return all;
}

function weightsOf(members: readonly Drawable[], weights: DrawWeights): number[] {
  const ids = new Set(members.map(({ id }) => id));
  for (const id of weights.keys())
    if (!ids.has(id))
      throw new CollapseAwareError('CA_USAGE', `a weight for '${id}', who is not among those drawn from`);
  const each = members.map(({ id }) => {
    const weight = weights.get(id);
    if (weight === undefined || !Number.isFinite(weight) || weight < 0)
      throw new CollapseAwareError(
        'CA_USAGE',
        `the weight of member '${id}' is ${weight === undefined ? 'not given' : weight}`,
        { todo: 'give every member a finite weight of at least 0' },
      );
    return weight;
  });
  const most = Math.max(...each);
  if (most === 0) throw new CollapseAwareError('CA_USAGE', 'all weights are 0: nobody can be drawn');
  // Over the largest, since a sum of large weights is not finite.
  return each.map((weight) => weight / most);
}
