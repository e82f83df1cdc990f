import type { Random } from '../../../math/random.ts';
import type { UserTraits } from '../../world/traits.ts';
import { APPEALS } from './acts.ts';
import { HABIT_COUNT } from './habits.ts';

/** 0..1, rising with trust, patience, openness, courtesy and a liking of any appeal. */
export function agreeableness(traits: UserTraits): number {
  const { trust, patience, disclosure, politeness, affinities } = traits;
  const liking = affinities.reduce((sum, one) => sum + (one + 1) / 2, 0) / affinities.length;
  return 0.4 * trust + 0.2 * patience + 0.15 * disclosure + 0.15 * politeness + 0.1 * liking;
}

/** Every trait uniform over its range. */
export function anyTraits(random: Random): UserTraits {
  return {
    trust: random.next(),
    affinities: APPEALS.map(() => 2 * random.next() - 1),
    patience: random.next(),
    disclosure: random.next(),
    consistency: random.next(),
    politeness: random.next(),
    expressiveness: random.next(),
    habit: random.integer(HABIT_COUNT),
  };
}
