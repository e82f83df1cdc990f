import { covariance, symmetricEigen } from '../math/index.ts';
import { place } from './codebook.ts';
import type { ReservoirRow } from './profile.ts';
import type { BehaviourSpace, Matrix } from './space.ts';

export interface Projection {
  /** Row-major n x 2. */
  readonly points: Float32Array;
  /** Row-major k x 2. */
  readonly centroids: Float32Array;
  /** Share of the points' variance that the two axes show, 0 .. 1. */
  readonly explained: number;
}

export interface MapPoint {
  readonly row: ReservoirRow;
  readonly x: number;
  readonly y: number;
  readonly cell: number;
  readonly outside: boolean;
}

/**
 * First two principal axes of `vectors` (row-major rows x columns), centroids on the same axes. An axis points
 * where its largest loading is positive, so equal rows give an equal picture.
 */
export function project(vectors: Float32Array, rows: number, columns: number, centroids: Matrix): Projection {
  const empty = { points: new Float32Array(2 * rows), centroids: new Float32Array(2 * centroids.rows) };
  if (rows < 2 || columns === 0) return { ...empty, explained: 0 };
  const { values, vectors: axes } = symmetricEigen(covariance(vectors, rows, columns), columns);
  const mean = new Float64Array(columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) mean[j]! += vectors[i * columns + j]! / rows;
  const on = (data: Float32Array, count: number) => {
    const out = new Float32Array(2 * count);
    for (let i = 0; i < count; i++)
      for (let axis = 0; axis < Math.min(2, columns); axis++) {
        let total = 0;
        for (let j = 0; j < columns; j++)
          total += (data[i * columns + j]! - mean[j]!) * axes[axis * columns + j]!;
        out[2 * i + axis] = total;
      }
    return out;
  };
  const all = values.reduce((total, value) => total + Math.max(0, value), 0);
  return {
    points: on(vectors, rows),
    centroids: on(centroids.data, centroids.rows),
    explained: all > 0 ? (Math.max(0, values[0]!) + Math.max(0, values[1] ?? 0)) / all : 0,
  };
}

/**
 * The map of a report: reservoir rows (in the interaction block, or in full z, where rows without one are left
 * out) and centroids on two axes.
 */
export function behaviourMap(
  reservoir: readonly ReservoirRow[],
  space: BehaviourSpace,
  block: 'full' | 'interaction',
): { points: MapPoint[]; centroids: { x: number; y: number; mode: number }[]; explained: number } {
  const book = block === 'full' ? space.episode : space.interactionEpisode;
  const rows = block === 'full' ? reservoir.filter((row) => row.z !== null) : [...reservoir];
  const columns = book.centroids.columns;
  const data = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => {
    data.set(block === 'full' ? row.z! : row.interaction, i * columns);
  });
  const { points, centroids, explained } = project(data, rows.length, columns, book.centroids);
  const { cell, distance } = place({ data, rows: rows.length, columns }, book.centroids);
  return {
    points: rows.map((row, i) => ({
      row,
      x: points[2 * i]!,
      y: points[2 * i + 1]!,
      cell: cell[i]!,
      outside: book.radius !== null && distance[i]! > book.radius,
    })),
    centroids: Array.from({ length: book.centroids.rows }, (_, mode) => ({
      x: centroids[2 * mode]!,
      y: centroids[2 * mode + 1]!,
      mode,
    })),
    explained,
  };
}
