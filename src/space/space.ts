/** The fitted behaviour space as plain data: what `space.json` holds. Arrays of numbers are base64 Float32. */
export const SPACE_SCHEMA = 'collapse-aware/space@1';

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** Row-major. */
  readonly data: Float32Array;
}

/**
 * (clamp(x, low, high) - mean) times `basis` (columns x kept). The basis holds each kept direction divided by
 * its shrunken scale and times what gives the block a total variance of weight^2 on the fit rows.
 * A missing value (NaN) is taken as its mean, so that it pulls nowhere.
 */
export interface Whitening {
  readonly mean: Float32Array;
  readonly basis: Matrix;
  /** Bounds of the winsorising, one a column; empty where the block is not winsorised. */
  readonly low: Float32Array;
  readonly high: Float32Array;
  readonly weight: number;
  /** Share of the block's variance that the kept directions held before whitening. */
  readonly variance: number;
}

export interface Codebook {
  readonly centroids: Matrix;
  /** 95 % quantile of held-out distances to the nearest centroid; `null` where nothing was held out. */
  readonly radius: number | null;
  /** Adjusted Rand index between codebooks of different seeds: mean over pairs. */
  readonly stability: number | null;
  /** Per cell: readable stretches of the fitted dialogues nearest to the centroid. */
  readonly exemplars: readonly (readonly string[])[];
}

export type ReferencePart = 'fit' | 'mass' | 'ceiling';

export interface BehaviourSpace {
  readonly schema: typeof SPACE_SCHEMA;
  /** Hash of everything below. */
  readonly id: string;
  readonly seed: number;
  readonly embedder: {
    readonly id: string;
    readonly dimension: number /** State of a fitted embedder (LSA). */;
    readonly model: unknown;
  };
  readonly features: readonly string[];
  readonly k: number;
  /** How K came about, in words. */
  readonly kRule: string;
  readonly fittedOn: 'people' | 'sample';
  readonly nFit: number;
  readonly semantic: Whitening;
  readonly interaction: Whitening;
  /** Semantic block for the style distance: all directions, so that wording people never use shows. */
  readonly style: Whitening;
  /** Shrunken context effects a_c in z, for eligible contexts only. */
  readonly contextEffects: ReadonlyMap<string, Float32Array>;
  /** True where all rows share one context: topic cannot confound, z is used as it is. */
  readonly singleContext: boolean;
  /**
   * Centroids of the same fit rows with the context effects left in: only to show what the control changes
   * (mode-context information before and after). `null` where nothing was controlled.
   */
  readonly uncontrolled: Matrix | null;
  readonly episode: Codebook;
  readonly interactionEpisode: Codebook;
  /** Cells of the semantic block alone, whitened by `style`: only for the style distance, never compared. */
  readonly semanticEpisode: Codebook;
  readonly turn: Codebook;
  readonly policyTurn: Codebook;
  /** Content hash -> part, for the rows of people the space was fitted beside. */
  readonly reference: ReadonlyMap<string, ReferencePart>;
}
