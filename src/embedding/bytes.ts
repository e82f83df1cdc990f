/** Numbers as base64 of their little-endian bytes: a quarter of the size of JSON digits, and exact. */
export function toBase64(array: Float32Array | Int8Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
}

export function float32FromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const copy = new Uint8Array(bytes.byteLength - (bytes.byteLength % 4));
  copy.set(bytes.subarray(0, copy.length));
  return new Float32Array(copy.buffer);
}

export function int8FromBase64(text: string): Int8Array {
  return new Int8Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}
