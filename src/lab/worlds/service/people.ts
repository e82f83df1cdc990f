import type { UserTraits, UserType } from '../../world/traits.ts';

/**
 * The kinds of customers. All traits are set by hand (docs/lab-service.md says after what); `affinities` are for
 * explanation, apology, alternative.
 */
export const PEOPLE: readonly UserType[] = [
  type('plain', 0.12, 0.65, [0.5, 0.2, 0.3], 0.6, 0.75, 0.85, 0.6, 0.4, 0),
  type('chatty', 0.08, 0.75, [0.3, 0.5, 0.4], 0.75, 0.9, 0.65, 0.85, 0.9, 0),
  type('brisk', 0.11, 0.5, [0.2, -0.3, 0.6], 0.12, 0.85, 0.9, 0.4, 0.15, 0),
  type('scattered', 0.13, 0.6, [0.2, 0.4, 0.4], 0.6, 0.6, 0.2, 0.6, 0.6, 0),
  type('hurried-scattered', 0.06, 0.45, [-0.2, 0.2, 0.7], 0.25, 0.5, 0.3, 0.4, 0.3, 0),
  type('reticent', 0.11, 0.45, [0.5, 0.1, 0.1], 0.55, 0.2, 0.8, 0.5, 0.1, 0),
  type('wary', 0.09, 0.15, [0.9, -0.4, 0], 0.55, 0.35, 0.75, 0.45, 0.35, 1),
  type('unsure', 0.09, 0.6, [0.7, 0.3, 0.7], 0.7, 0.3, 0.35, 0.7, 0.45, 1),
  type('bargainer', 0.07, 0.3, [-0.6, -0.2, 0.9], 0.7, 0.7, 0.5, 0.5, 0.6, 2),
  type('irate', 0.07, 0.2, [-0.5, 0.9, 0.1], 0.25, 0.65, 0.65, 0.1, 0.6, 2),
  type('hurt', 0.04, 0.4, [-0.2, 1, -0.2], 0.65, 0.7, 0.6, 0.7, 0.75, 2),
  type('pedant', 0.03, 0.35, [1, -0.6, -0.5], 0.8, 0.7, 0.95, 0.55, 0.8, 1),
];

function type(
  id: string,
  share: number,
  trust: number,
  affinities: UserTraits['affinities'],
  patience: number,
  disclosure: number,
  consistency: number,
  politeness: number,
  expressiveness: number,
  habit: number,
): UserType {
  return {
    id,
    share,
    traits: {
      trust,
      affinities,
      patience,
      disclosure,
      consistency,
      politeness,
      expressiveness,
      habit,
    },
  };
}
