import { P4G_PEOPLE } from '../../people/p4g.ts';
import type { UserTraits, UserType } from '../../world/traits.ts';

type Profile = keyof typeof PROFILES;

/** Liking of logic, emotion, source, rapport. Set by hand. */
const PROFILES = {
  reasons: [0.9, -0.5, 0, -0.3],
  feelings: [-0.5, 0.9, -0.3, 0.1],
  proof: [0, -0.4, 0.9, -0.5],
  company: [-0.4, 0.1, -0.5, 1],
} as const;

interface Habit {
  readonly traits: Omit<UserTraits, 'affinities' | 'habit'>;
  /** Share of each profile within the habit; all sum to 1. */
  readonly profiles: readonly (readonly [Profile, number])[];
}

/**
 * By fitted type of P4G_PEOPLE, in its order. What the fit knows of a type is how it answers; its traits are set by
 * hand, after how often its dialogues ended in a donation (trust) and what it says more of than others.
 */
const HABITS: readonly Habit[] = [
  // Asks about the charity and the procedure.
  {
    traits: {
      trust: 0.45,
      patience: 0.55,
      disclosure: 0.5,
      consistency: 0.6,
      politeness: 0.5,
      expressiveness: 0.5,
    },
    profiles: [
      ['reasons', 0.4],
      ['proof', 0.35],
      ['feelings', 0.25],
    ],
  },
  // Warm, says yes, asks little.
  {
    traits: {
      trust: 0.7,
      patience: 0.7,
      disclosure: 0.6,
      consistency: 0.4,
      politeness: 0.8,
      expressiveness: 0.6,
    },
    profiles: [
      ['feelings', 0.45],
      ['company', 0.35],
      ['reasons', 0.2],
    ],
  },
  // Asks back, acknowledges.
  {
    traits: {
      trust: 0.5,
      patience: 0.5,
      disclosure: 0.4,
      consistency: 0.5,
      politeness: 0.6,
      expressiveness: 0.7,
    },
    profiles: [
      ['company', 0.4],
      ['feelings', 0.3],
      ['proof', 0.3],
    ],
  },
  // Says no, pushes back.
  {
    traits: {
      trust: 0.35,
      patience: 0.3,
      disclosure: 0.7,
      consistency: 0.7,
      politeness: 0.3,
      expressiveness: 0.3,
    },
    profiles: [
      ['proof', 0.4],
      ['reasons', 0.35],
      ['company', 0.25],
    ],
  },
];

const shares = P4G_PEOPLE.types.map(({ share }) => share);
const whole = shares.reduce((a, b) => a + b, 0);

/** Fitted type by profile: share = fitted share x stated share. */
export const KINDS: readonly UserType[] = HABITS.flatMap(({ traits, profiles }, habit) =>
  profiles.map(([profile, part]) => ({
    id: `type ${habit + 1}, ${profile}`,
    share: (shares[habit]! / whole) * part,
    traits: { ...traits, affinities: PROFILES[profile], habit },
  })),
);
