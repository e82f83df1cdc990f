/**
 * Gated episodes as columns: all that the stages after the gate read. Rows stand in content order (content hash,
 * then simulator, policy, epoch, group, id), so that the order of files and lines decides nothing.
 */
export interface CurationRows {
  readonly size: number;
  readonly ids: readonly string[];
  /** Content hashes, four 32-bit words a row. */
  readonly hashes: Uint32Array;
  readonly simulators: readonly string[];
  readonly simulator: Int32Array;
  /** Policy and checkpoint in one name. */
  readonly policies: readonly string[];
  readonly policy: Int32Array;
  readonly contexts: readonly string[];
  readonly context: Int32Array;
  /** GRPO groups (run, epoch, checkpoint and the file's own group in one name). */
  readonly groups: readonly string[];
  /** -1 = the row belongs to none. */
  readonly group: Int32Array;
  /** Cells of the codebook. */
  readonly k: number;
  /** -1 = the row has no cell (its context is not eligible for control). */
  readonly mode: Int16Array;
  /** 1 = outside people's support. */
  readonly outside: Uint8Array;
  /** Distance to the nearest neighbours in behaviour space (density.ts); NaN = unknown. */
  readonly distance: Float32Array;
  /** NaN = missing. */
  readonly reward: Float64Array;
}

/** Hash of row `row` as 32 hex digits, as records carry it. */
export function hashOf(rows: Pick<CurationRows, 'hashes'>, row: number): string {
  let text = '';
  for (let word = 0; word < 4; word++) text += rows.hashes[4 * row + word]!.toString(16).padStart(8, '0');
  return text;
}
