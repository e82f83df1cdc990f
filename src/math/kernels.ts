import { KERNELS } from './kernels.generated.ts';

/** What src/math/wasm/kernels.ts exports; all arguments are byte addresses and counts. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  nearest(
    points: number,
    rows: number,
    columns: number,
    centroids: number,
    k: number,
    cells: number,
    distances: number,
  ): void;
  kthNearest(
    points: number,
    rows: number,
    columns: number,
    own: number,
    sample: number,
    count: number,
    k: number,
    lists: number,
    out: number,
  ): void;
  accumulate(
    starts: number,
    rows: number,
    indices: number,
    weights: number,
    table: number,
    columns: number,
    out: number,
  ): void;
  project(vector: number, earlier: number, count: number, length: number): void;
  squaredProduct(
    starts: number,
    rows: number,
    indices: number,
    values: number,
    x: number,
    width: number,
    image: number,
    out: number,
  ): void;
  products(left: number, rows: number, columns: number, basis: number, kept: number, out: number): void;
}

/** Below lies what the compiler may keep for itself. */
const BASE = 1024;
const PAGE = 65536;

/** The part of the global used here: its types come with the DOM's, which this package does without. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

/**
 * The kernels with a memory of their own; null where WebAssembly or its SIMD is not to be had, and callers
 * use their TypeScript reference.
 */
export function instantiate(): Kernels | null {
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(KERNELS), (char) => char.charCodeAt(0)));
    return new WebAssembly.Instance(compiled).exports as Kernels;
  } catch {
    return null;
  }
}

/** Addresses (multiples of 16) of areas of the given bytes, one behind the other; the memory grows to hold them. */
export function reserve(kernels: Kernels, sizes: readonly number[]): number[] {
  let end = BASE;
  const addresses = sizes.map((size) => {
    const at = end;
    end += Math.ceil(size / 16) * 16;
    return at;
  });
  const lacking = end - kernels.memory.buffer.byteLength;
  if (lacking > 0) kernels.memory.grow(Math.ceil(lacking / PAGE));
  return addresses;
}
