import type { UserTraits, UserType } from '../../world/traits.ts';

/** share, trust, affinities [explain-why, offer-trade, ask-leave], patience, disclosure, consistency, politeness,
 * expressiveness, habit (habits.ts). */
type Row = readonly [
  string,
  number,
  number,
  readonly [number, number, number],
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Kinds of partners. Set by hand: CooperBench publishes aggregates only, and nobody has fitted partners to people.
 */
const ROWS: readonly Row[] = [
  ['team-player', 0.12, 0.8, [0.5, 0.3, 0.4], 0.8, 0.85, 0.92, 0.8, 0.7, 1],
  ['planner', 0.1, 0.5, [0.9, 0.1, -0.4], 0.75, 0.8, 0.9, 0.6, 0.8, 3],
  ['quiet-hand', 0.11, 0.5, [-0.1, -0.1, 0.5], 0.5, 0.12, 0.85, 0.4, 0.15, 2],
  ['follower', 0.08, 0.85, [0.3, -0.2, 0.4], 0.85, 0.45, 0.8, 0.8, 0.4, 4],
  ['owner', 0.09, 0.12, [0.1, -0.6, -0.4], 0.55, 0.7, 0.9, 0.35, 0.6, 3],
  ['trader', 0.08, 0.4, [-0.6, 1, -0.3], 0.6, 0.6, 0.75, 0.6, 0.6, 3],
  ['sceptic', 0.08, 0.3, [1, -0.5, -0.7], 0.6, 0.5, 0.85, 0.35, 0.5, 0],
  ['proud', 0.08, 0.35, [-0.7, -0.4, 1], 0.5, 0.55, 0.75, 0.7, 0.6, 0],
  ['yes-sayer', 0.09, 0.88, [0.3, 0.4, 0.4], 0.65, 0.5, 0.12, 0.9, 0.6, 0],
  ['scatterbrain', 0.06, 0.6, [0.2, 0.1, 0.1], 0.7, 0.75, 0.2, 0.6, 0.9, 1],
  ['hurried', 0.07, 0.5, [-0.3, 0.4, 0.1], 0.1, 0.4, 0.65, 0.3, 0.2, 2],
  ['lone-wolf', 0.04, 0.3, [-0.2, -0.2, 0.1], 0.3, 0.08, 0.4, 0.15, 0.1, 2],
];

export const PARTNER_TYPES: readonly UserType[] = ROWS.map(
  ([
    id,
    share,
    trust,
    affinities,
    patience,
    disclosure,
    consistency,
    politeness,
    expressiveness,
    habit,
  ]): UserType => {
    const traits: UserTraits = {
      trust,
      affinities,
      patience,
      disclosure,
      consistency,
      politeness,
      expressiveness,
      habit,
    };
    return { id, share, traits };
  },
);
