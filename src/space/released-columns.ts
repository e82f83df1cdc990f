import type { RowHistory } from './profile.ts';

/** What columns are made of. */
export interface ReleasedColumns {
  readonly size: number;
  readonly texts: readonly string[];
  readonly hash: Uint32Array<ArrayBuffer>;
  readonly text: Int32Array<ArrayBuffer>;
  readonly small: Int8Array<ArrayBuffer>;
  readonly number: Float64Array<ArrayBuffer>;
  readonly cell: Uint8Array<ArrayBuffer>;
  readonly id: Uint32Array<ArrayBuffer>;
  readonly span: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly bytesUsed: number;
  readonly moreIds: ReadonlyMap<number, readonly number[]>;
  readonly histories: ReadonlyMap<number, readonly RowHistory[]>;
}
