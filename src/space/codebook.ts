import { adjustedRand, type Clustering, kMeans, nearest, quantile, seeded } from '../math/index.ts';
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

/** One k-means, to be run anywhere: equal jobs have equal results. */
export interface ClusterJob {
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
  readonly k: number;
  /** Names its stream of random numbers. */
  readonly stream: string;
  readonly restarts: number;
}

export function cluster({ data, rows, columns, k, stream, restarts }: ClusterJob): Clustering {
  return kMeans(data, rows, columns, k, seeded(stream), { restarts });
}

/** What a codebook is made of; `label` names the stream of random numbers. */
export interface CodebookPlan {
  readonly fit: Vectors;
  readonly k: number;
  readonly seed: number;
  readonly label: string;
  readonly heldOut?: Vectors;
  readonly excerpts?: readonly string[];
}

/** The k-means of a codebook: that of its centroids, then those its stability is judged by; none without rows or columns. */
export function clusterJobs({ fit, k, seed, label }: CodebookPlan, runs = SEEDS): ClusterJob[] {
  const cells = Math.min(k, fit.rows);
  if (cells === 0 || fit.columns === 0) return [];
  return Array.from({ length: runs }, (_, run) => ({
    ...fit,
    k: cells,
    stream: `${seed}/${label}/${run}`,
    restarts: starts(fit, cells),
  }));
}

/**
 * K cells of `fit` (rows in hash order), out of the results of its jobs. Radius: 95 % quantile of the distances of
 * `heldOut` to their nearest centroid. Exemplars: `excerpts` of the three fit rows nearest to each centroid,
 * different ones.
 */
export function codebookOf(
  { fit, heldOut, excerpts, ...plan }: CodebookPlan,
  runs: readonly Clustering[],
): Codebook {
  const k = Math.min(plan.k, fit.rows);
  if (runs.length === 0)
    return {
      centroids: emptyCentroids(fit, k),
      radius: null,
      stability: null,
      exemplars: k === 0 ? [] : [[]],
    };
  const centroids = centroidsOf(fit, k, runs);
  return {
    centroids,
    radius: heldOut === undefined || heldOut.rows === 0 ? null : radiusOf(heldOut, centroids),
    stability: k < 2 ? null : meanAgreement(runs.map((run) => run.assignment)),
    exemplars: excerpts === undefined ? [] : exemplarsOf(fit, centroids, excerpts),
  };
}

/** The centroids of codebookOf alone: one job does. */
export function centroidsOf(fit: Vectors, cells: number, runs: readonly Clustering[]): Matrix {
  const k = Math.min(cells, fit.rows);
  if (runs.length === 0) return emptyCentroids(fit, k);
  return { rows: k, columns: fit.columns, data: Float32Array.from(runs[0]!.centroids) };
}

function emptyCentroids(fit: Vectors, k: number): Matrix {
  return { rows: Math.min(k, 1), columns: fit.columns, data: new Float32Array(0) };
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
