import type { Member } from '../population/index.ts';

/** Members in service with their shares, which sum to 1; in the order of ids. */
export interface Share {
  readonly member: Member;
  readonly share: number;
}

export type LoopPopulation = readonly Share[];
