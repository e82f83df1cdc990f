import type { OpenAiEndpoint } from '../endpoint/open-ai-endpoint.ts';
import { stopWith } from '../endpoint/stop.ts';
import { CollapseAwareError } from '../errors.ts';
import type { Embedder } from './embedder.ts';
import { type VectorCache, vectorBytes, vectorFromBytes } from './vector-cache.ts';

export interface RemoteOptions {
  /** Texts a request (default 64). */
  readonly batch?: number;
  /** Characters sent of a text (default 16,000); longer ones are cut. */
  readonly maxCharacters?: number;
  /** Shortens the vectors, where the model can. */
  readonly dimensions?: number;
  readonly cache?: VectorCache;
}

/** L2-normalised in place; a zero vector stays zero. */
function normalised(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square > 0) {
    const scale = 1 / Math.sqrt(square);
    for (let k = 0; k < vector.length; k++) vector[k]! *= scale;
  }
  return vector;
}

/**
 * Any OpenAI-compatible `/v1/embeddings`. The id names model and dimension, not the host: the same model behind
 * another address gives the same space.
 */
export class RemoteEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #endpoint: OpenAiEndpoint;
  readonly #options: RemoteOptions;

  private constructor(endpoint: OpenAiEndpoint, dimension: number, options: RemoteOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.dimension = dimension;
    this.id = `remote-${endpoint.model}-${dimension}`;
  }

  /** Asks for one vector to learn the dimension. @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY */
  static async open(
    endpoint: OpenAiEndpoint,
    options: RemoteOptions = {},
    signal?: AbortSignal,
  ): Promise<RemoteEmbedder> {
    const { vectors } = await endpoint.embeddings(['yes'], extra(options), signal);
    return new RemoteEmbedder(endpoint, vectors[0]!.length, options);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
    const { batch = 64, maxCharacters = 16_000 } = this.#options;
    const d = this.dimension;
    const out = new Float32Array(texts.length * d);
    // Equal texts are sent once; empty ones are refused by servers and known by nobody: zero rows.
    const rows = new Map<string, number[]>();
    texts.forEach((text, row) => {
      const cut = text.slice(0, maxCharacters);
      if (cut.trim() === '') return;
      const known = rows.get(cut);
      if (known) known.push(row);
      else rows.set(cut, [row]);
    });
    const distinct = [...rows.keys()];
    const batches: string[][] = [];
    for (let from = 0; from < distinct.length; from += batch)
      batches.push(distinct.slice(from, from + batch));
    // One failure ends the others: nobody waits for vectors that no one will read.
    const stop = stopWith(signal);
    try {
      await Promise.all(
        batches.map(async (part) => {
          const vectors = await this.#vectors(part, stop.signal);
          part.forEach((text, at) => {
            for (const row of rows.get(text)!) out.set(vectors[at]!, row * d);
          });
        }),
      );
    } catch (error) {
      stop.raise(error);
      throw error;
    } finally {
      stop.release();
    }
    return out;
  }

  async #vectors(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { cache } = this.#options;
    const found = await Promise.all(
      texts.map(async (text) => {
        const bytes = await cache?.get(this.#key(text));
        return bytes == null ? null : vectorFromBytes(bytes, this.dimension);
      }),
    );
    const missing = texts.filter((_, at) => found[at] === null);
    if (missing.length > 0) {
      const { vectors } = await this.#endpoint.embeddings(missing, extra(this.#options), signal);
      if (vectors[0]!.length !== this.dimension)
        throw new CollapseAwareError(
          'CA_ENDPOINT_REPLY',
          `${this.#endpoint.name} answered with ${vectors[0]!.length} numbers a vector after ${this.dimension}`,
          { todo: 'the model behind the endpoint has changed: keep one model for a whole run' },
        );
      await Promise.all(
        missing.map((text, at) => cache?.set(this.#key(text), vectorBytes(normalised(vectors[at]!)))),
      );
      let next = 0;
      for (let at = 0; at < found.length; at++)
        if (found[at] === null) found[at] = normalised(vectors[next++]!);
    }
    return found as Float32Array[];
  }

  #key(text: string): string {
    return `${this.id}\u001f${text}`;
  }
}

function extra({ dimensions }: RemoteOptions): Record<string, unknown> {
  return dimensions === undefined ? {} : { dimensions };
}
