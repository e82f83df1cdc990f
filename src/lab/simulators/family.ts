import { CollapseAwareError } from '../../errors.ts';
import { seeded } from '../../math/random.ts';
import type { World } from '../world/world.ts';

/**
 * A family of LLM-like simulators, the same in every world. Its uncollapsed law phi_ref mixes the world's kinds of
 * people by shares of its own (`familyShares`). What is served is collapsed about its own mode twice: over kinds before
 * a dialogue (shares^kindGamma, normalised: its default persona) and over acts at every history (phi^gamma).
 */
export interface SimulatorFamily {
  readonly id: string;
  /** TV(shares of phi_ref, shares of people), in [0, 1). */
  readonly kappa: number;
  /** Collapse over acts at every history: 1 = none, larger = narrower. */
  readonly gamma: number;
  /** Collapse over kinds before a dialogue; absent: as gamma. */
  readonly kindGamma?: number | undefined;
  /** How far agreeableness, and not the family's own taste, decides whom it covers, 0..1. */
  readonly lean: number;
  /** Draws its taste, beside its id and the world; absent: those alone. A training run gives its seed (`withTaste`). */
  readonly taste?: number | undefined;
}

/**
 * The family with the taste of a seed. Whom families happen to cover is luck of the draw: a table that drew it once
 * would have the same luck in every seed, and intervals that leave it out.
 */
export function withTaste(family: SimulatorFamily, seed: number): SimulatorFamily {
  return family.taste === undefined ? { ...family, taste: seed } : family;
}

/**
 * Shares of phi_ref over the world's types. Types are ordered by preference, lean x agreeableness (standardised over
 * types) + (1 - lean) x a normal number of the family's own. Mass kappa is taken from the least preferred, each to
 * the end before the next, and given to those untouched in proportion to their share and exp(preference). So the
 * total variation to people is kappa exactly, and by data processing the laws of whole dialogues under one policy
 * are no further apart than that.
 * @throws CA_CONFIG_INVALID where kappa leaves no type untouched.
 */
export function familyShares(world: World, family: SimulatorFamily): Float64Array {
  const { types } = world;
  const agreeable = standardised(types.map(({ traits }) => world.agreeableness(traits)));
  const key = `lab/family/${family.id}/${world.id}`;
  const own = seeded(family.taste === undefined ? key : `${key}/${family.taste}`);
  const preference = types.map(
    ({ id }, z) => family.lean * agreeable[z]! + (1 - family.lean) * own.fork(id).normal(),
  );
  const order = types.map((_, z) => z).sort((a, b) => preference[a]! - preference[b]! || a - b);
  const shares = Float64Array.from(types, ({ share }) => share);
  let left = family.kappa;
  let at = 0;
  while (left > 1e-12 && at < order.length) {
    const z = order[at++]!;
    const taken = Math.min(left, shares[z]!);
    shares[z]! -= taken;
    left -= taken;
  }
  const kept = order.slice(at);
  if (kept.length === 0)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `family "${family.id}": kappa ${family.kappa} leaves no kind of people of the world "${world.id}" untouched`,
      { todo: 'Give a smaller kappa.' },
    );
  const pull = kept.map((z) => shares[z]! * Math.exp(preference[z]!));
  const total = pull.reduce((sum, x) => sum + x, 0);
  kept.forEach((z, i) => {
    shares[z]! += (family.kappa * pull[i]!) / total;
  });
  return shares;
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
  return values.map((x) => (deviation === 0 ? 0 : (x - mean) / deviation));
}
