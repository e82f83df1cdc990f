/** Bytes kept under a key between runs; `store/`'s disk cache is one. What it cannot keep it forgets. */
export interface VectorCache {
  get(key: string): Promise<Uint8Array | null>;
  set(key: string, value: Uint8Array): Promise<unknown>;
}

export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector held in `bytes`, or null where it has another length than `dimension`. */
export function vectorFromBytes(bytes: Uint8Array, dimension: number): Float32Array | null {
  if (bytes.byteLength !== dimension * 4) return null;
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
