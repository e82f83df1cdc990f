import type { Random } from '../../math/random.ts';
import type { SimulatorKind } from '../../trajectory/trajectory.ts';
import type { Encounter } from '../world/encounter.ts';
import type { UserTraits } from '../world/traits.ts';

/** Who answers as the user: a member of a population. */
export interface Simulator {
  readonly id: string;
  readonly family: string;
  readonly kind: SimulatorKind;
  /** How it is made to answer, in words, for the record. */
  readonly recipe: string;
  /** A user for one dialogue. */
  open(random: Random): Session;
}

/** One user in one dialogue. */
export interface Session {
  /** Who must be followed: goes to `World.begin`. */
  readonly users: readonly UserTraits[];
  /** Whose manner the wording has. */
  readonly voice: UserTraits;
  /** How many of the wordings it uses, in (0, 1]; 1 = all. */
  readonly breadth: number;
  readonly person: string | null;
  /** P(act | history), exact, to `into`; false where the law has no closed form. Changes nothing. */
  law(encounter: Encounter, into: Float64Array): boolean;
  /** An act drawn from its law. Changes nothing. */
  reply(encounter: Encounter, random: Random): Reply;
  /** `act` was said at this history: called before `Encounter.actUser`. */
  said(encounter: Encounter, act: number): void;
}

export interface Reply {
  readonly act: number;
  /** Under the session's law; null where it has no closed form. */
  readonly probability: number | null;
  /** What was to choose from, where there was a list: acts with stated probabilities. */
  readonly candidates?: readonly { readonly act: number; readonly probability: number }[];
}
