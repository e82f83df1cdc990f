import { adjustedRand, kMeans, nearest, quantile, seeded } from '../math/index.ts';
import type { Codebook, Matrix } from './space.ts';

/** Row-major vectors. */
export interface Vectors {
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

/** Codebooks whose agreement is the stability: that of the given seed and two more. */
const SEEDS = 3;
/** Rows x cells x starts spent on one seed: small codebooks get up to 12 starts, large ones at least 2. */
const EFFORT = 400_000;
const EXEMPLARS = 3;
const EXEMPLAR_LENGTH = 600;

/**
 * K cells of `fit` (rows in hash order) by k-means. `label` names the stream of random numbers.
 * Radius: 95 % quantile of the distances of `heldOut` to their nearest centroid. Exemplars: `excerpts` of the
 * three fit rows nearest to each centroid, different ones.
 */
export function fitCodebook(input: {
  fit: Vectors;
  k: number;
  seed: number;
  label: string;
  heldOut?: Vectors;
  excerpts?: readonly string[];
}): Codebook {
  const { fit, seed, label, heldOut, excerpts } = input;
  const k = Math.min(input.k, fit.rows);
  if (k === 0 || fit.columns === 0)
    return {
      centroids: { rows: k === 0 ? 0 : 1, columns: fit.columns, data: new Float32Array(0) },
      radius: null,
      stability: null,
      exemplars: k === 0 ? [] : [[]],
    };
  const runs = Array.from({ length: SEEDS }, (_, run) =>
    kMeans(fit.data, fit.rows, fit.columns, k, seeded(`${seed}/${label}/${run}`), {
      restarts: starts(fit, k),
    }),
  );
  const first = runs[0]!;
  const centroids: Matrix = { rows: k, columns: fit.columns, data: Float32Array.from(first.centroids) };
  return {
    centroids,
    radius: heldOut === undefined || heldOut.rows === 0 ? null : radiusOf(heldOut, centroids),
    stability: k < 2 ? null : meanAgreement(runs.map((run) => run.assignment)),
    exemplars: excerpts === undefined ? [] : exemplarsOf(fit, centroids, excerpts),
  };
}

/** The centroids that fitCodebook would find, without radius, stability and exemplars. */
export function fitCentroids(fit: Vectors, cells: number, seed: number, label: string): Matrix {
  const k = Math.min(cells, fit.rows);
  if (k === 0 || fit.columns === 0)
    return { rows: Math.min(k, 1), columns: fit.columns, data: new Float32Array(0) };
  const { centroids } = kMeans(fit.data, fit.rows, fit.columns, k, seeded(`${seed}/${label}/0`), {
    restarts: starts(fit, k),
  });
  return { rows: k, columns: fit.columns, data: Float32Array.from(centroids) };
}

function starts(fit: Vectors, k: number): number {
  return Math.max(2, Math.min(12, Math.floor(EFFORT / (fit.rows * k))));
}

/** Nearest cell and the Euclidean distance to its centroid for every row; cell 0 at distance 0 where the space has no direction. */
export function place(points: Vectors, centroids: Matrix): { cell: Uint16Array; distance: Float32Array } {
  if (points.rows === 0 || centroids.columns === 0)
    return { cell: new Uint16Array(points.rows), distance: new Float32Array(points.rows) };
  const { cell, distance } = nearest(
    points.data,
    points.rows,
    points.columns,
    centroids.data,
    centroids.rows,
  );
  return { cell, distance: distance.map(Math.sqrt) };
}

function radiusOf(heldOut: Vectors, centroids: Matrix): number {
  const { distance } = place(heldOut, centroids);
  return quantile(Float64Array.from(distance).sort(), 0.95);
}

function meanAgreement(assignments: readonly ArrayLike<number>[]): number {
  let total = 0;
  let pairs = 0;
  for (let a = 0; a < assignments.length; a++)
    for (let b = a + 1; b < assignments.length; b++) {
      total += adjustedRand(assignments[a]!, assignments[b]!);
      pairs++;
    }
  return total / pairs;
}

function exemplarsOf(fit: Vectors, centroids: Matrix, excerpts: readonly string[]): string[][] {
  const { cell, distance } = place(fit, centroids);
  const members: number[][] = Array.from({ length: centroids.rows }, () => []);
  for (let row = 0; row < fit.rows; row++) members[cell[row]!]!.push(row);
  return members.map((rows) => {
    rows.sort((a, b) => distance[a]! - distance[b]! || a - b);
    const texts = new Set<string>();
    for (const row of rows) {
      if (excerpts[row] !== '') texts.add(excerpts[row]!.slice(0, EXEMPLAR_LENGTH));
      if (texts.size === EXEMPLARS) break;
    }
    return [...texts];
  });
}
