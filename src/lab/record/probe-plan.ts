import type { Random } from '../../math/random.ts';

export interface ProbeOptions {
  /** Chance with which a user turn is probed, 0..1. */
  readonly share: number;
  /** Replies drawn again at a probed turn (default 8; fewer than 6 only bound epsilon). */
  readonly resamples?: number;
}

/** Which user turns of an episode are answered again. A turn's fate depends on its number and the stream alone. */
export interface ProbePlan {
  /** In (0, 1]; what a probed turn is recorded with. */
  readonly share: number;
  readonly resamples: number;
  /** Whether the user's turn `depth` (from 0) is probed. */
  probes(depth: number): boolean;
  /** For the replies at it. */
  stream(depth: number): Random;
}

/** @throws RangeError unless 0 <= share <= 1 and resamples is a whole number of at least 2. */
export function planProbes({ share, resamples = 8 }: ProbeOptions, random: Random): ProbePlan {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a share of ${share} turns cannot be probed`);
  if (!Number.isSafeInteger(resamples) || resamples < 2)
    throw new RangeError(`${resamples} replies say nothing about how they differ`);
  return {
    share,
    resamples,
    probes: (depth) => random.fork(`probed ${depth}`).next() < share,
    stream: (depth) => random.fork(`replies ${depth}`),
  };
}
