import type { ModeLaw } from './mode-law.ts';

/**
 * Stopped early on purpose: laws are known from some dozens of episodes, and the limit of the iteration would give all to
 * the few members whom chance favoured.
 */
const ROUNDS = 50;

/** What a share must be within; shares of all sum to 1. */
export interface ShareBounds {
  /** Members made by synthesis, and how much of the population they may be together, 0..1. */
  readonly made: ReadonlySet<string>;
  readonly mostMade: number;
  /** What every given member keeps together, spread alike: nobody is forgotten for good. */
  readonly floor: number;
}

/**
 * Shares of members whose mixture is nearest to `target` (KL(target || mixture), by expectation maximisation of mixture
 * proportions, which cannot get worse from round to round and has no local optimum). What falls off support counts as
 * lost, so that unrealistic members get less. Without people the target is uniform: then the shares are those of the
 * mixture whose modes are nearest to being equally frequent.
 *
 * @param target share by mode, sums to 1
 */
export function fitShares(
  laws: ReadonlyMap<string, ModeLaw>,
  target: ArrayLike<number>,
  { made, mostMade, floor }: ShareBounds,
): Map<string, number> {
  const ids = [...laws.keys()].sort();
  const law = ids.map((id) => laws.get(id)!);
  let shares: Float64Array = new Float64Array(ids.length).fill(1 / ids.length);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(ids.length);
    for (let mode = 0; mode < target.length; mode++) {
      if (!(target[mode]! > 0)) continue;
      let mixture = 0;
      for (let i = 0; i < ids.length; i++) mixture += shares[i]! * law[i]![mode]!;
      if (!(mixture > 0)) continue;
      for (let i = 0; i < ids.length; i++)
        next[i]! += (target[mode]! * shares[i]! * law[i]![mode]!) / mixture;
    }
    shares = within(normalised(next), ids, made, mostMade);
  }
  const given = ids.filter((id) => !made.has(id));
  return new Map(
    ids.map((id, i) => [
      id,
      (1 - floor) * shares[i]! +
        (given.length === 0 ? floor / ids.length : made.has(id) ? 0 : floor / given.length),
    ]),
  );
}

/** Shares by id with the made members scaled down to `mostMade` together where they are more, the others up. */
export function cappedMade(
  shares: ReadonlyMap<string, number>,
  { made, mostMade }: Pick<ShareBounds, 'made' | 'mostMade'>,
): Map<string, number> {
  const ids = [...shares.keys()].sort();
  const capped = within(
    Float64Array.from(ids, (id) => shares.get(id)!),
    ids,
    made,
    mostMade,
  );
  return new Map(ids.map((id, at) => [id, capped[at]!]));
}

/** Made members scaled down to `mostMade` where they are more, the others up. */
function within(
  shares: Float64Array,
  ids: readonly string[],
  made: ReadonlySet<string>,
  mostMade: number,
): Float64Array {
  let own = 0;
  ids.forEach((id, i) => {
    if (made.has(id)) own += shares[i]!;
  });
  const given = ids.filter((id) => !made.has(id)).length;
  // With nobody else there, there is nobody to give to.
  if (own <= mostMade || given === 0) return shares;
  // Others who show nothing of what is wanted cannot be told apart by it.
  if (own >= 1 - 1e-12)
    return shares.map((share, i) => (made.has(ids[i]!) ? (share * mostMade) / own : (1 - mostMade) / given));
  return shares.map((share, i) =>
    made.has(ids[i]!) ? (share * mostMade) / own : (share * (1 - mostMade)) / (1 - own),
  );
}

function normalised(shares: Float64Array): Float64Array {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return total > 0 ? shares.map((share) => share / total) : shares.fill(1 / shares.length);
}

/**
 * The `most` largest shares (ties by id), those below `least` left out, scaled to sum to 1. Never empty; of members that
 * were not made one stays, where there is any: somebody must have what the made ones may not.
 */
export function pruneShares(
  shares: ReadonlyMap<string, number>,
  most: number,
  least: number,
  made: ReadonlySet<string> = new Set(),
): Map<string, number> {
  const ranked = [...shares].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const kept = ranked.slice(0, most).filter(([, share], at) => at === 0 || share >= least);
  const given = ranked.find(([id, share]) => !made.has(id) && share > 0);
  if (given !== undefined && kept.every(([id]) => made.has(id)))
    kept.splice(Math.min(kept.length, Math.max(1, most - 1)), kept.length, given);
  const total = kept.reduce((sum, [, share]) => sum + share, 0);
  return new Map(
    kept.map(([id, share]): [string, number] => [id, share / total]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
