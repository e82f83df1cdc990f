import type { ActModes } from './act-modes.ts';

/** Modes without people as plain data. Numbers are 32-bit ones, which JSON gives back as they were. */
export interface SavedModes {
  readonly k: number;
  readonly mean: readonly number[];
  readonly basis: SavedMatrix;
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly variance: number;
  readonly centroids: SavedMatrix;
}

interface SavedMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: readonly number[];
}

export function saveModes({ k, whitening, codebook: { centroids } }: ActModes): SavedModes {
  const { mean, basis, low, high, variance } = whitening;
  return {
    k,
    mean: [...mean],
    basis: { ...basis, data: [...basis.data] },
    low: [...low],
    high: [...high],
    variance,
    centroids: { ...centroids, data: [...centroids.data] },
  };
}

export function loadModes(saved: SavedModes): ActModes {
  const matrix = ({ rows, columns, data }: SavedMatrix) => ({ rows, columns, data: Float32Array.from(data) });
  return {
    k: saved.k,
    whitening: {
      mean: Float32Array.from(saved.mean),
      basis: matrix(saved.basis),
      low: Float32Array.from(saved.low),
      high: Float32Array.from(saved.high),
      weight: 1,
      variance: saved.variance,
    },
    codebook: { centroids: matrix(saved.centroids), radius: null, stability: null, exemplars: [] },
    reference: null,
  };
}
