/** How a user of a world behaves: traits, not a script. All in 0..1 but affinities. */
export interface UserTraits {
  /** Inclined to go along with the agent before it has said anything. */
  readonly trust: number;
  /** Liking of each of the world's appeals (`World.appeals`), -1..1. */
  readonly affinities: readonly number[];
  /** Stays although things do not move. */
  readonly patience: number;
  /** Tells what it knows and wants, asked or not. */
  readonly disclosure: number;
  /** Says the same thing twice and stays with what it wants. */
  readonly consistency: number;
  readonly politeness: number;
  /** How much it says; wording alone. */
  readonly expressiveness: number;
  /** Which of the world's habits (a table of acts of its own), 0 .. `World.habits` - 1. */
  readonly habit: number;
}

/** A kind of people in a world. */
export interface UserType {
  readonly id: string;
  /** Of people, above 0; all sum to 1. */
  readonly share: number;
  readonly traits: UserTraits;
}
