import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OnnxEmbedder, type OnnxRuntime, WordPiece } from '../../src/embedding/index.ts';

const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'un',
  '##want',
  '##ed',
  'run',
  '##ning',
  'cafe',
  '!',
  '日',
  ',',
  'the',
];
const TOKENIZER = {
  normalizer: { type: 'BertNormalizer', lowercase: true, strip_accents: null },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
  },
};
const [CLS, SEP, UNKNOWN] = [2, 3, 1];

describe('WordPiece', () => {
  const words = new WordPiece(TOKENIZER);
  const inner = (text: string) => words.encode(text, 64).slice(1, -1);

  it('takes the longest known pieces', () => {
    expect(words.encode('unwanted running', 64)).toEqual([CLS, 4, 5, 6, 7, 8, SEP]);
  });

  it('lowercases, strips accents, and splits punctuation and ideographs', () => {
    expect(inner('Café, 日日!')).toEqual([9, 12, 11, 11, 10]);
  });

  it('knows what it does not know', () => {
    expect(inner('unknown the')).toEqual([UNKNOWN, 13]);
    expect(inner('r'.repeat(200))).toEqual([UNKNOWN]);
    expect(inner('')).toEqual([]);
  });

  it('cuts at the limit and still ends with [SEP]', () => {
    expect(words.encode('the the the the the', 4)).toEqual([CLS, 13, 13, SEP]);
    expect(words.encode('unwanted unwanted', 4)).toEqual([CLS, 4, 5, SEP]);
  });

  it('refuses other tokenisers', () => {
    for (const file of [
      null,
      {},
      { model: { type: 'BPE', vocab: {} } },
      { model: { type: 'WordPiece', vocab: { a: 1 } } },
    ])
      expect(() => new WordPiece(file)).toThrow(expect.objectContaining({ code: 'CA_FORMAT_INVALID' }));
  });
});

/** A runtime whose hidden state of a token is [id, 1]; padding would show. */
const runtime = (inputs: string[]): OnnxRuntime => ({
  Tensor: class {
    constructor(
      readonly type: string,
      readonly data: BigInt64Array,
      readonly dims: readonly number[],
    ) {}
  },
  InferenceSession: {
    create: async () => ({
      inputNames: inputs,
      outputNames: ['last_hidden_state'],
      run: async (feeds) => {
        const { data, dims } = feeds.input_ids as { data: BigInt64Array; dims: readonly number[] };
        const state = Float32Array.from([...data].flatMap((id) => [id === 0n ? 1e6 : Number(id), 1]));
        return { last_hidden_state: { data: state, dims: [...dims, 2] } };
      },
    }),
  },
});

describe('the local encoder', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ca-onnx-'));
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(TOKENIZER));
    await writeFile(join(folder, 'model.onnx'), 'not a real one');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('pools the mean of the tokens, padding left out, in the order of the texts', async () => {
    const embedder = await OnnxEmbedder.open(folder, {
      runtime: runtime(['input_ids', 'attention_mask']),
      batch: 2,
    });
    expect(embedder.dimension).toBe(2);
    const texts = ['the the the', '', 'the', 'run'];
    const rows = await embedder.embed(texts);
    const row = (ids: number[]) => {
      const mean = [CLS, ...ids, SEP].reduce((a, b) => a + b, 0) / (ids.length + 2);
      return [mean / Math.hypot(mean, 1), 1 / Math.hypot(mean, 1)];
    };
    const expected = [...row([13, 13, 13]), 0, 0, ...row([13]), ...row([7])];
    for (const [at, value] of rows.entries()) expect(value).toBeCloseTo(expected[at]!, 6);
  });

  it('is named by its files and its limit', async () => {
    const open = (maxTokens?: number) =>
      OnnxEmbedder.open(folder, {
        runtime: runtime(['input_ids']),
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
    expect((await open()).id).toBe((await open()).id);
    expect((await open(16)).id).not.toBe((await open()).id);
  });

  it('says what is missing or wrong, and what to do', async () => {
    await expect(OnnxEmbedder.open(join(folder, 'none'))).rejects.toMatchObject({
      code: 'CA_FILE_NOT_FOUND',
    });
    await expect(OnnxEmbedder.open(folder, { runtime: runtime(['pixels']) })).rejects.toMatchObject({
      code: 'CA_FORMAT_INVALID',
      message: expect.stringContaining('pixels'),
    });
    // The runtime is an optional package; where it is installed the fake model is refused instead.
    await expect(OnnxEmbedder.open(folder)).rejects.toMatchObject({
      code: expect.stringMatching(/CA_DEPENDENCY_MISSING|CA_FORMAT_INVALID/),
      todo: expect.any(String),
    });
    await writeFile(join(folder, 'tokenizer.json'), '{');
    await expect(OnnxEmbedder.open(folder, { runtime: runtime([]) })).rejects.toMatchObject({
      code: 'CA_JSON_INVALID',
    });
  });
});
