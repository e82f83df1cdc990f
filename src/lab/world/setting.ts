import type { Slots } from '../speech/pattern.ts';

/** What an episode starts from. Worlds add their hidden facts. */
export interface Setting {
  readonly world: string;
  readonly label: string;
  /** The user's private instructions; equal in equal settings, different in different ones. */
  readonly scenario: string;
  /** What wordings may name. */
  readonly slots: Slots;
}
