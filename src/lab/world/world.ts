import type { Random } from '../../math/random.ts';
import type { Wordings } from '../speech/wordings.ts';
import type { Encounter } from './encounter.ts';
import type { Setting } from './setting.ts';
import type { UserTraits, UserType } from './traits.ts';

export type WorldId = 'persuasion' | 'service' | 'pair-coding';

/**
 * A place where a policy (the agent) and a user talk, at the level of acts. What a user does is a law over acts given
 * the history and the user's traits, known exactly: simulators are built from that law, and their collapse has a
 * closed form.
 */
export interface World {
  readonly id: WorldId;
  /** Most turns of the agent, its tool calls included; then the episode is cut off. */
  readonly horizon: number;
  readonly agentActs: readonly string[];
  readonly userActs: readonly string[];
  /** What `affinities` are for, in their order. */
  readonly appeals: readonly string[];
  readonly habits: number;
  /** The kinds of people. */
  readonly types: readonly UserType[];
  /** Width of the agent's observation. */
  readonly inputs: number;
  /** Width of what a trained simulator sees of a history, beside its own law. */
  readonly cues: number;
  /** Number 0, 1, ... of a seed's settings: the same for whoever meets in it. */
  setting(index: number, seed: number): Setting;
  /** A new dialogue in which `users` are followed side by side: the law of each at the history so far is known. */
  begin(setting: Setting, users: readonly UserTraits[]): Encounter;
  /** How easily such a user is satisfied, 0..1: what helpful models lean to. */
  agreeableness(traits: UserTraits): number;
  /** A user drawn with no regard to people: every trait over its whole range. */
  anyTraits(random: Random): UserTraits;
  /**
   * P(agent act) of a competent but unadapted agent, from the observable history; sums to 1 over allowed acts. People
   * are recorded with it, and the base policy is cloned from it.
   */
  demonstrate(encounter: Encounter, into: Float64Array): void;
  /** Wordings of acts (speech/wordings.ts). */
  readonly wordings: Wordings;
}
