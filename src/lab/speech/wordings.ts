import type { Pattern } from './pattern.ts';

/** How acts are said. Patterns (pattern.ts) may name slots of the setting and of the step. */
export interface Wordings {
  /** By act of the agent; none for acts that are tool calls alone. */
  readonly agent: Readonly<Record<string, Pattern>>;
  readonly user: Readonly<Record<string, UserWording>>;
}

/** An act of a user: its core, and what politeness and expressiveness put around it. */
export interface UserWording {
  readonly core: Pattern;
  /** A shorter way, of users who say little. */
  readonly terse?: Pattern;
  /** A sentence more, of users who say much. */
  readonly more?: Pattern;
}
