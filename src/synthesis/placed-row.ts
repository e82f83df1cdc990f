/** An episode that was played and placed in a behaviour space: plain data. */
export interface PlacedRow {
  readonly id: string;
  /** Of the content: equal dialogues are one. */
  readonly hash: string;
  readonly context: string;
  /** Id of the member that answered. */
  readonly simulator: string;
  /** Mode, 0 .. k - 1. */
  readonly cell: number;
  /** Off the support that the space knows. */
  readonly outside: boolean;
  /** Null = the episode failed, which is no zero. */
  readonly reward: number | null;
  /** Turns of both sides. */
  readonly turns: number;
}
