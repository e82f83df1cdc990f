import type { StepRecord } from '../lab/trainer/index.ts';
import type { BrokenFile } from './lab-directory.ts';

export const brokenLine = ({ path, reason }: BrokenFile): string =>
  `CA_FORMAT_INVALID: ${path}: ${reason} - it is made again`;

/** Of a cell that another shard makes. */
export const unreadLine = ({ path, reason }: BrokenFile): string =>
  `CA_FORMAT_INVALID: ${path}: ${reason} - it counts as missing`;

const short = (x: number | null): string => (x === null ? '-' : x.toFixed(2));

/** How training is going, beside the number of the step. */
export function stepLine({ reward, zeroVariance, entropy }: StepRecord, selection: number | null): string {
  return `reward ${short(reward)}, zero-variance ${short(zeroVariance)}, entropy ${short(entropy)}, selection ${short(selection)}`;
}
