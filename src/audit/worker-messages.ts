import type { FileRange, RangeSummary, ReadFilesOptions } from '../formats/index.ts';
import type { BehaviourSpace, ReleasedBuilder } from '../space/index.ts';
import type { SampledPart, SampleOptions } from './scan.ts';

interface Reading {
  readonly options: ReadFilesOptions;
  readonly withoutPeople: boolean;
}

/** What a thread is for: given once. */
export type Job =
  | (Reading & { readonly kind: 'scan'; readonly sample: SampleOptions })
  | (Reading & { readonly kind: 'place'; readonly space: BehaviourSpace });

export type ToWorker =
  | {
      readonly kind: 'range';
      readonly index: number;
      readonly range: FileRange;
      /** Hashes of its episodes, where they are known. */
      readonly hashes: Uint32Array | null;
    }
  | { readonly kind: 'end' };

export type FromWorker =
  | { readonly kind: 'progress'; readonly rows: number }
  | {
      readonly kind: 'read';
      readonly index: number;
      readonly summary: RangeSummary;
      /** Of all its episodes, in order. */
      readonly hashes: Uint32Array | null;
    }
  | { readonly kind: 'done'; readonly result: SampledPart | ReleasedBuilder };
