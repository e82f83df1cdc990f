import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import type { Embedder } from './embedder.ts';
import { WordPiece } from './wordpiece.ts';

/** The part of onnxruntime-node that is used; typed here since the package is optional. */
interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>>;
}
export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string, options?: unknown): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}

export interface OnnxOptions {
  /** Tokens read of a text (default 256). */
  readonly maxTokens?: number;
  /** Texts run together (default 32); they are sorted by length, so little is padding. */
  readonly batch?: number;
  /** Threads of the runtime (default: its own choice). */
  readonly threads?: number;
  /** onnxruntime-node itself, where it is not installed beside this package. */
  readonly runtime?: OnnxRuntime;
}

const PACKAGE = 'onnxruntime-node';

async function loadRuntime(): Promise<OnnxRuntime> {
  try {
    const module = (await import(PACKAGE)) as { default?: OnnxRuntime } & OnnxRuntime;
    return module.default ?? module;
  } catch (cause) {
    throw new CollapseAwareError('CA_DEPENDENCY_MISSING', `the local embedder needs ${PACKAGE}`, {
      todo: `npm install --ignore-scripts ${PACKAGE}`,
      cause,
    });
  }
}

async function firstOf(directory: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const path = join(directory, name);
    try {
      await access(path);
      return path;
    } catch {
      // The next name may be there.
    }
  }
  throw new CollapseAwareError('CA_FILE_NOT_FOUND', `no ${names[0]} in the model folder`, {
    place: { file: directory },
    todo: 'give a folder with tokenizer.json and model.onnx',
  });
}

async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 16);
}

/**
 * A sentence encoder in a local folder (`tokenizer.json`, WordPiece, and `model.onnx`), mean pooling over tokens
 * (Reimers & Gurevych 2019), rows L2-normalised. Its id is the hash of both files.
 */
export class OnnxEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #session: Session;
  readonly #runtime: OnnxRuntime;
  readonly #words: WordPiece;
  readonly #limit: number;
  readonly #batch: number;

  private constructor(
    id: string,
    dimension: number,
    session: Session,
    runtime: OnnxRuntime,
    words: WordPiece,
    options: OnnxOptions,
  ) {
    this.id = id;
    this.dimension = dimension;
    this.#session = session;
    this.#runtime = runtime;
    this.#words = words;
    this.#limit = options.maxTokens ?? 256;
    this.#batch = options.batch ?? 32;
  }

  /** @throws CA_FILE_NOT_FOUND, CA_DEPENDENCY_MISSING, CA_FORMAT_INVALID */
  static async open(directory: string, options: OnnxOptions = {}): Promise<OnnxEmbedder> {
    const tokenizer = await firstOf(directory, ['tokenizer.json']);
    const model = await firstOf(directory, ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx']);
    const runtime = options.runtime ?? (await loadRuntime());
    let file: unknown;
    try {
      file = JSON.parse(await readFile(tokenizer, 'utf8'));
    } catch (cause) {
      throw new CollapseAwareError('CA_JSON_INVALID', 'the tokeniser is not JSON', {
        place: { file: tokenizer },
        todo: 'download it again',
        cause,
      });
    }
    const words = new WordPiece(file, tokenizer);
    let session: Session;
    try {
      session = await runtime.InferenceSession.create(
        model,
        options.threads === undefined ? {} : { intraOpNumThreads: options.threads },
      );
    } catch (cause) {
      throw new CollapseAwareError('CA_FORMAT_INVALID', 'the runtime cannot read this model', {
        place: { file: model },
        todo: 'export the model again as ONNX, with inputs input_ids and attention_mask',
        cause,
      });
    }
    const id = `onnx-${await hashFiles([tokenizer, model])}-${options.maxTokens ?? 256}`;
    const probe = new OnnxEmbedder(id, 0, session, runtime, words, options);
    const [row] = await probe.#run([words.encode('yes', 8)]);
    return new OnnxEmbedder(id, row!.length, session, runtime, words, options);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
    const d = this.dimension;
    const out = new Float32Array(texts.length * d);
    const encoded = texts.map((text) => this.#words.encode(text, this.#limit));
    // Shortest first; equal lengths in the order of the texts.
    const order = encoded.map((_, at) => at).sort((a, b) => encoded[a]!.length - encoded[b]!.length || a - b);
    for (let from = 0; from < order.length; from += this.#batch) {
      signal?.throwIfAborted();
      const part = order.slice(from, from + this.#batch);
      const rows = await this.#run(part.map((at) => encoded[at]!));
      part.forEach((at, row) => {
        // Nothing but [CLS] [SEP]: nothing is known of the text.
        if (encoded[at]!.length > 2) out.set(rows[row]!, at * d);
      });
    }
    return out;
  }

  async #run(encoded: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const rows = encoded.length;
    const width = Math.max(...encoded.map((ids) => ids.length));
    const ids = new BigInt64Array(rows * width);
    const mask = new BigInt64Array(rows * width);
    encoded.forEach((row, at) => {
      row.forEach((id, token) => {
        ids[at * width + token] = BigInt(id);
        mask[at * width + token] = 1n;
      });
    });
    const all: Record<string, BigInt64Array> = {
      input_ids: ids,
      attention_mask: mask,
      token_type_ids: new BigInt64Array(rows * width),
    };
    const feeds: Record<string, unknown> = {};
    for (const name of this.#session.inputNames) {
      const data = all[name];
      if (data === undefined)
        throw new CollapseAwareError('CA_FORMAT_INVALID', `the model wants an input "${name}"`, {
          todo: 'use a model with inputs input_ids, attention_mask and token_type_ids',
        });
      feeds[name] = new this.#runtime.Tensor('int64', data, [rows, width]);
    }
    const outputs = await this.#session.run(feeds);
    const name = ['last_hidden_state', 'token_embeddings', this.#session.outputNames[0]!].find(
      (known) => outputs[known] !== undefined,
    )!;
    const { data, dims } = outputs[name]!;
    const d = dims.at(-1)!;
    return encoded.map((row, at) => {
      const sum = new Float64Array(d);
      // A pooled output (rows x d) is taken as it is.
      const tokens = dims.length === 3 ? row.length : 1;
      const start = dims.length === 3 ? at * width * d : at * d;
      for (let token = 0; token < tokens; token++)
        for (let k = 0; k < d; k++) sum[k]! += data[start + token * d + k]!;
      let square = 0;
      for (const value of sum) square += value * value;
      const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
      return Float32Array.from(sum, (value) => value * scale);
    });
  }
}
