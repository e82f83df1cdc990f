import { CollapseAwareError } from '../errors.ts';
import { randomisedSvd, type SparseMatrix, seeded, VectorTable } from '../math/index.ts';
import { hashText } from '../trajectory/identity.ts';
import { float32FromBase64, int8FromBase64, toBase64 } from './bytes.ts';
import type { Embedder } from './embedder.ts';
import { SEAM, TermIndex } from './term-index.ts';
import { tokens } from './tokens.ts';

export const LSA_SCHEMA = 'collapse-aware/lsa@1';

export interface LsaOptions {
  /** Dimensions kept; fewer where the texts have fewer terms or are fewer. */
  readonly rank?: number;
  /** Terms kept: those in most texts, ties in code-unit order. */
  readonly vocabulary?: number;
  /** A term of fewer texts is left out. */
  readonly minDocuments?: number;
  /** Pairs of neighbouring words as terms beside the words (default true). */
  readonly bigrams?: boolean;
  readonly seed?: number;
}

/** What `space.json` holds of a fitted LSA: terms and one int8 vector each with its scale. */
export interface LsaModel {
  readonly schema: typeof LSA_SCHEMA;
  readonly rank: number;
  readonly bigrams: boolean;
  readonly terms: readonly string[];
  /** base64 Float32, one a term. */
  readonly scales: string;
  /** base64 Int8, row-major `terms x rank`. */
  readonly vectors: string;
}

/** tf -> 1 + ln tf (sublinear term frequency; Manning, Raghavan & Schuetze 2008, 6.4.1). */
const SUBLINEAR = Float64Array.from({ length: 256 }, (_, tf) => (tf === 0 ? 0 : 1 + Math.log(tf)));

/** Texts summed by one call of the kernel. */
const BLOCK = 1024;

function lengthened<T extends Uint32Array | Float32Array>(old: T, longer: T): T {
  longer.set(old);
  return longer;
}

/**
 * Latent semantic analysis (Deerwester et al. 1990) as a fixed table: each term has a vector
 * (idf times its right singular vector), a text is the L2-normalised sum of (1 + ln tf) x vector.
 * A text without a known term is a zero row.
 */
export class LsaEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly bigrams: boolean;
  readonly terms: readonly string[];
  readonly #index: TermIndex;
  readonly #table: VectorTable;
  readonly #model: LsaModel;

  private constructor(model: LsaModel) {
    this.#model = model;
    this.dimension = model.rank;
    this.bigrams = model.bigrams;
    this.terms = model.terms;
    this.#index = new TermIndex(model.terms);
    const scales = float32FromBase64(model.scales);
    const steps = int8FromBase64(model.vectors);
    if (scales.length !== model.terms.length || steps.length !== model.terms.length * model.rank)
      throw new CollapseAwareError('CA_FORMAT_INVALID', 'the embedder of this space is cut short', {
        todo: 'fit the space again, or restore the file',
      });
    const table = new Float32Array(steps.length);
    for (let term = 0; term < scales.length; term++)
      for (let at = term * model.rank; at < (term + 1) * model.rank; at++)
        table[at] = steps[at]! * scales[term]!;
    this.#table = new VectorTable(table, scales.length, model.rank);
    this.id = `lsa-${hashText(JSON.stringify([model.rank, model.bigrams, model.terms, model.scales, model.vectors])).slice(0, 16)}`;
  }

  /** @throws CA_FORMAT_INVALID where `model` is not what toJSON wrote. */
  static fromJSON(model: unknown): LsaEmbedder {
    const held = model as Partial<LsaModel> | null;
    if (
      typeof held !== 'object' ||
      held === null ||
      held.schema !== LSA_SCHEMA ||
      !Number.isInteger(held.rank) ||
      !Array.isArray(held.terms) ||
      typeof held.scales !== 'string' ||
      typeof held.vectors !== 'string'
    )
      throw new CollapseAwareError('CA_FORMAT_INVALID', 'the embedder of this space is not a saved LSA', {
        todo: `its "schema" must be ${LSA_SCHEMA}: fit the space again with this version`,
      });
    return new LsaEmbedder(held as LsaModel);
  }

  toJSON(): LsaModel {
    return this.#model;
  }

  embed(texts: readonly string[]): Promise<Float32Array> {
    return Promise.resolve(this.embedSync(texts));
  }

  /** Row-major `texts.length x dimension`. */
  embedSync(texts: readonly string[]): Float32Array {
    return this.#embed(texts.length, (text, count, seen) => this.#index.count(texts[text]!, count, seen));
  }

  /** The same of texts that were scanned: `spans` holds where each begins and ends in `tokens`. */
  embedTokens(tokens: Int32Array, spans: readonly number[]): Float32Array {
    return this.#embed(spans.length / 2, (text, count, seen) =>
      this.#index.countTokens(tokens, spans[2 * text]!, spans[2 * text + 1]!, count, seen),
    );
  }

  #embed(texts: number, countTerms: (text: number, count: Uint8Array, seen: number[]) => void): Float32Array {
    const d = this.dimension;
    const out = new Float32Array(texts * d);
    const count = new Uint8Array(this.terms.length);
    const seen: number[] = [];
    const block = Math.min(BLOCK, texts);
    const starts = new Uint32Array(block + 1);
    let indices = new Uint32Array(64 * block);
    let weights = new Float32Array(64 * block);
    for (let first = 0; first < texts; first += block) {
      const size = Math.min(block, texts - first);
      let end = 0;
      for (let row = 0; row < size; row++) {
        countTerms(first + row, count, seen);
        if (end + seen.length > indices.length) {
          const longer = 2 * (end + seen.length);
          indices = lengthened(indices, new Uint32Array(longer));
          weights = lengthened(weights, new Float32Array(longer));
        }
        for (let s = 0; s < seen.length; s++) {
          const term = seen[s]!;
          indices[end] = term;
          weights[end++] = SUBLINEAR[count[term]!]!;
          count[term] = 0;
        }
        starts[row + 1] = end;
      }
      const sums = this.#table.sums({ starts: starts.subarray(0, size + 1), indices, weights });
      for (let from = 0; from < size * d; from += d) {
        let square = 0;
        for (let k = from; k < from + d; k++) square += sums[k]! * sums[k]!;
        if (square < 1e-16) continue;
        const scale = 1 / Math.sqrt(square);
        const to = first * d;
        for (let k = from; k < from + d; k++) out[to + k] = sums[k]! * scale;
      }
    }
    return out;
  }
}

/** Terms in most texts first, ties in code-unit order: the same set whatever the order of the texts. */
function chooseTerms(
  texts: readonly string[],
  bigrams: boolean,
  vocabulary: number,
  minDocuments: number,
): { terms: string[]; documents: number[] } {
  const documents = new Map<string, number>();
  const here = new Set<string>();
  for (const text of texts) {
    here.clear();
    let previous = '';
    for (const word of tokens(text, true)) {
      here.add(word);
      if (bigrams && previous !== '') here.add(previous + SEAM + word);
      previous = word;
    }
    for (const term of here) documents.set(term, (documents.get(term) ?? 0) + 1);
  }
  const kept = [...documents]
    .filter(([, n]) => n >= minDocuments)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, vocabulary)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return { terms: kept.map(([term]) => term), documents: kept.map(([, n]) => n) };
}

/**
 * Fits LSA on `texts`, given in hash order (so that nothing depends on the order of the files).
 * @throws CA_SPACE_TOO_SMALL where no term stands in `minDocuments` texts.
 */
export function fitLsa(texts: readonly string[], options: LsaOptions = {}): LsaEmbedder {
  const { rank = 96, vocabulary = 8000, minDocuments = 2, bigrams = true, seed = 0 } = options;
  const { terms, documents } = chooseTerms(texts, bigrams, vocabulary, minDocuments);
  if (terms.length === 0)
    throw new CollapseAwareError(
      'CA_SPACE_TOO_SMALL',
      `no word stands in ${minDocuments} or more of the ${texts.length} texts to fit on`,
      { todo: 'add episodes, or use another embedder (--embedder)' },
    );
  const idf = Float64Array.from(documents, (n) => Math.log((1 + texts.length) / (1 + n)) + 1);
  const index = new TermIndex(terms);
  const count = new Uint8Array(terms.length);
  const seen: number[] = [];
  const indptr = new Uint32Array(texts.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < texts.length; row++) {
    index.count(texts[row]!, count, seen);
    seen.sort((a, b) => a - b);
    const from = values.length;
    let square = 0;
    for (const term of seen) {
      const value = SUBLINEAR[count[term]!]! * idf[term]!;
      count[term] = 0;
      columns.push(term);
      values.push(value);
      square += value * value;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let at = from; at < values.length; at++) values[at]! *= scale;
    indptr[row + 1] = values.length;
  }
  const matrix: SparseMatrix = {
    rows: texts.length,
    columns: terms.length,
    indptr,
    indices: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
  const svd = randomisedSvd(matrix, Math.min(rank, terms.length, texts.length), seeded(`lsa:${seed}`), {
    left: false,
  });
  // Directions past the matrix's own rank are noise.
  let kept = 1;
  while (kept < svd.rank && svd.values[kept]! > 1e-6 * svd.values[0]!) kept++;
  const vectors = new Int8Array(terms.length * kept);
  const scales = new Float32Array(terms.length);
  for (let term = 0; term < terms.length; term++) {
    let largest = 0;
    for (let k = 0; k < kept; k++)
      largest = Math.max(largest, Math.abs(svd.right[term * svd.rank + k]! * idf[term]!));
    if (largest === 0) continue;
    scales[term] = largest / 127;
    for (let k = 0; k < kept; k++)
      vectors[term * kept + k] = Math.round((svd.right[term * svd.rank + k]! * idf[term]! * 127) / largest);
  }
  return LsaEmbedder.fromJSON({
    schema: LSA_SCHEMA,
    rank: kept,
    bigrams,
    terms,
    scales: toBase64(scales),
    vectors: toBase64(vectors),
  } satisfies LsaModel);
}
