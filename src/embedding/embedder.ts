/** Texts to vectors. Implementations: LSA fitted with the space, a remote endpoint, a local ONNX model, facets. */
export interface Embedder {
  /** Names the vectors: two spaces with different embedder ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** Row-major `texts.length x dimension`, rows L2-normalised (an all-zero row where nothing is known of a text). */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array>;
}
