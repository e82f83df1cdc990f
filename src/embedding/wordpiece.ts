import { CollapseAwareError } from '../errors.ts';

interface TokenizerFile {
  readonly normalizer?: {
    readonly type?: string;
    readonly lowercase?: boolean;
    readonly strip_accents?: boolean | null;
  } | null;
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Readonly<Record<string, number>>;
    readonly unk_token?: string;
    readonly continuing_subword_prefix?: string;
    readonly max_input_chars_per_word?: number;
  };
}

const ACCENTS = /\p{Mn}/gu;
/** BERT's idea of a piece: a CJK ideograph or a punctuation mark alone, or a run of anything else. */
const PIECES = /[\p{Script=Han}]|[!-/:-@[-`{-~]|\p{P}|[^\s\p{Script=Han}!-/:-@[-`{-~\p{P}]+/gu;

/**
 * BERT's WordPiece: greedy longest match of known pieces (Wu et al. 2016; Devlin et al. 2019), read from a
 * `tokenizer.json`. Other kinds of tokeniser are refused.
 */
export class WordPiece {
  readonly #vocabulary: ReadonlyMap<string, number>;
  readonly #lowercase: boolean;
  readonly #accents: boolean;
  readonly #prefix: string;
  readonly #longest: number;
  readonly #unknown: number;
  readonly #start: number;
  readonly #end: number;

  /** @throws CA_FORMAT_INVALID where `file` is no WordPiece tokeniser with [CLS] and [SEP]. */
  constructor(file: unknown, path = 'tokenizer.json') {
    const { model, normalizer } = (file ?? {}) as TokenizerFile;
    // Old files leave the type out; a vocabulary that is a table with [CLS] is BERT's.
    if (model?.vocab == null || (model.type !== undefined && model.type !== 'WordPiece'))
      throw new CollapseAwareError(
        'CA_FORMAT_INVALID',
        `the tokeniser is ${model?.type ?? 'of no known kind'}, not WordPiece`,
        {
          place: { file: path },
          todo: 'use a BERT-like sentence model (all-MiniLM-L6-v2, bge-small-en, ...)',
        },
      );
    this.#vocabulary = new Map(Object.entries(model.vocab));
    this.#lowercase = normalizer?.lowercase ?? true;
    this.#accents = normalizer?.strip_accents ?? this.#lowercase;
    this.#prefix = model.continuing_subword_prefix ?? '##';
    this.#longest = model.max_input_chars_per_word ?? 100;
    const special = (token: string): number => {
      const id = this.#vocabulary.get(token);
      if (id === undefined)
        throw new CollapseAwareError('CA_FORMAT_INVALID', `the tokeniser has no ${token}`, {
          place: { file: path },
          todo: 'use the tokenizer.json that belongs to the model',
        });
      return id;
    };
    this.#unknown = special(model.unk_token ?? '[UNK]');
    this.#start = special('[CLS]');
    this.#end = special('[SEP]');
  }

  /** Ids with [CLS] and [SEP], at most `limit` of them. */
  encode(text: string, limit: number): number[] {
    let clean = text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu, '');
    if (this.#lowercase) clean = clean.toLowerCase();
    if (this.#accents) clean = clean.normalize('NFD').replace(ACCENTS, '');
    const ids = [this.#start];
    for (const [word] of clean.matchAll(PIECES)) {
      if (ids.length >= limit - 1) break;
      this.#pieces(word, ids);
    }
    ids.length = Math.min(ids.length, limit - 1);
    ids.push(this.#end);
    return ids;
  }

  #pieces(word: string, ids: number[]): void {
    const chars = [...word];
    if (chars.length > this.#longest) {
      ids.push(this.#unknown);
      return;
    }
    const found: number[] = [];
    let from = 0;
    while (from < chars.length) {
      let to = chars.length;
      let id: number | undefined;
      for (; to > from; to--) {
        const piece = chars.slice(from, to).join('');
        id = this.#vocabulary.get(from === 0 ? piece : this.#prefix + piece);
        if (id !== undefined) break;
      }
      if (id === undefined) {
        ids.push(this.#unknown);
        return;
      }
      found.push(id);
      from = to;
    }
    ids.push(...found);
  }
}
