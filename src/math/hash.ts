/**
 * 32-bit MurmurHash3 (Appleby, public domain) over the UTF-16 code units of `text`, two to a block.
 * Not cryptographic: for seeds, orders and buckets. Same value on every platform.
 */
export function hash32(text: string, seed = 0): number {
  let h = seed | 0;
  const { length } = text;
  const even = length & ~1;
  for (let i = 0; i < even; i += 2) {
    h ^= scramble(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  if (even < length) h ^= scramble(text.charCodeAt(even));
  return finish(h ^ (length << 1));
}

/**
 * A number in [0, 1) that depends on a content hash and a seed alone: the key of bottom-k samples and splits.
 * 53 bits, so that a million rows are without ties for practical purposes.
 */
export function hashOrder(hash: string, seed: number): number {
  const high = hash32(hash, seed) >>> 5;
  const low = hash32(hash, seed ^ 0x9e3779b9) >>> 6;
  return (high * 0x4000000 + low) / 0x20000000000000;
}

function scramble(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

function finish(state: number): number {
  let h = state;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
