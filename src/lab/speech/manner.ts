import { type Random, seeded } from '../../math/random.ts';
import { HEDGES, PAUSES } from './manner-table.ts';
import type { Choose } from './pattern.ts';

/** The traits of a user that its wording shows, 0..1 each. */
export interface Voice {
  readonly trust: number;
  readonly consistency: number;
  readonly politeness: number;
  readonly expressiveness: number;
}

export interface Manner {
  readonly voice: Voice;
  /** How many of the wordings are used, in (0, 1]; 1 = all. */
  readonly breadth: number;
  /** Whose hand it is: the same writes alike in all dialogues. Absent: a hand of the dialogue's own. */
  readonly writer?: string;
}

/** How one user writes throughout a dialogue. */
export interface Speaker extends Manner {
  readonly hand: Hand;
}

/** Habits of writing, which people do not change from turn to turn. */
export interface Hand {
  readonly contracts: boolean;
  readonly lowerCase: boolean;
  readonly lastStop: boolean;
  /** What a hesitant turn starts with. */
  readonly hedge: string;
  /** The same of a question. */
  readonly pause: string;
}

/** Decides for or against something of the given chance, 0..1. */
export type Decide = (chance: number) => boolean;

/**
 * Of n branches the first ceil(breadth * n): a narrow simulator knows few ways to say a thing, and always the same.
 * @throws RangeError unless 0 < breadth <= 1.
 */
export function chooserOf(breadth: number, random: Random): Choose {
  if (!(breadth > 0 && breadth <= 1)) throw new RangeError(`breadth ${breadth} is not in (0, 1]`);
  return (n) => random.integer(Math.min(n, Math.max(1, Math.ceil(breadth * n))));
}

/** With full breadth by chance; the narrower, the more surely what is the more likely. */
export function deciderOf(breadth: number, random: Random): Decide {
  return (chance) => 0.5 + breadth * (random.next() - 0.5) < chance;
}

/** The same user for the same manner and writer; without a writer for the same stream. */
export function speakerOf({ voice, breadth, writer }: Manner, random: Random): Speaker {
  const stream = writer === undefined ? random.fork('hand') : seeded(`lab/hand/${writer}`);
  const choose = chooserOf(breadth, stream);
  const decide = deciderOf(breadth, stream);
  const casual = ramp(0.8 - 0.7 * voice.politeness - 0.2 * voice.expressiveness, 0, 1);
  return {
    voice,
    breadth,
    hand: {
      contracts: decide(0.3 + 0.7 * casual),
      lowerCase: decide(0.6 * casual),
      lastStop: !decide(casual),
      hedge: HEDGES[choose(HEDGES.length)]!,
      pause: PAUSES[choose(PAUSES.length)]!,
    },
  };
}

/** 0 up to `from`, 1 from `to` on, straight between. */
export function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
