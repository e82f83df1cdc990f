import { float32FromBase64, toBase64 } from '../embedding/bytes.ts';
import { CollapseAwareError } from '../errors.ts';
import { hashText } from '../trajectory/identity.ts';
import {
  type BehaviourSpace,
  type Codebook,
  type Matrix,
  type ReferencePart,
  SPACE_SCHEMA,
  type Whitening,
} from './space.ts';

/** Canonical JSON: equal spaces give equal text. */
export function encodeSpace(space: BehaviourSpace): string {
  return `${canonical({ ...plain(space), id: space.id })}\n`;
}

/** The id of a space: a hash of everything else in it. */
export function spaceId(space: Omit<BehaviourSpace, 'id'>): string {
  return hashText(canonical(plain(space)));
}

/**
 * Reads what encodeSpace wrote.
 * @throws CA_JSON_INVALID, CA_FORMAT_INVALID (another schema, a missing or broken field, or an id that does not
 * belong to the content).
 */
export function decodeSpace(text: string, file?: string): BehaviourSpace {
  const place = file === undefined ? {} : { file };
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw new CollapseAwareError('CA_JSON_INVALID', 'the behaviour space is not JSON', { place, cause });
  }
  const at = new Cursor(root, '', place);
  const schema = at.get('schema').value;
  if (schema !== SPACE_SCHEMA)
    throw at.get('schema').fault(`is ${JSON.stringify(schema)}, not ${SPACE_SCHEMA}`);
  const embedder = at.get('embedder');
  const space: BehaviourSpace = {
    schema: SPACE_SCHEMA,
    id: at.get('id').text(),
    seed: at.get('seed').number(),
    embedder: {
      id: embedder.get('id').text(),
      dimension: embedder.get('dimension').count(),
      model: embedder.get('model').value,
    },
    features: at
      .get('features')
      .list()
      .map((item) => item.text()),
    k: at.get('k').count(),
    kRule: at.get('kRule').text(),
    fittedOn: at.get('fittedOn').oneOf(['people', 'sample']),
    nFit: at.get('nFit').count(),
    semantic: whitening(at.get('semantic')),
    interaction: whitening(at.get('interaction')),
    style: whitening(at.get('style')),
    contextEffects: new Map(
      at
        .get('contextEffects')
        .entries()
        .map(([name, item]) => [name, item.floats()]),
    ),
    singleContext: at.get('singleContext').boolean(),
    uncontrolled: at.get('uncontrolled').value === null ? null : matrix(at.get('uncontrolled')),
    episode: codebook(at.get('episode')),
    interactionEpisode: codebook(at.get('interactionEpisode')),
    semanticEpisode: codebook(at.get('semanticEpisode')),
    turn: codebook(at.get('turn')),
    policyTurn: codebook(at.get('policyTurn')),
    reference: new Map(
      at
        .get('reference')
        .entries()
        .map(([hash, item]) => [hash, item.oneOf<ReferencePart>(['fit', 'mass', 'ceiling'])]),
    ),
  };
  const expected = spaceId(space);
  if (space.id !== expected)
    throw at.get('id').fault(`is ${space.id}, but the content hashes to ${expected}: the file was changed`);
  checkShapes(space, at);
  return space;
}

function checkShapes(space: BehaviourSpace, at: Cursor): void {
  const semantic = space.semantic.basis.columns;
  const interaction = space.interaction.basis.columns;
  const widths: [string, number, number][] = [
    ['semantic.mean', space.semantic.mean.length, space.embedder.dimension],
    ['interaction.mean', space.interaction.mean.length, space.features.length],
    ['episode.centroids', space.episode.centroids.columns, semantic + interaction],
    ['interactionEpisode.centroids', space.interactionEpisode.centroids.columns, interaction],
    ['style.mean', space.style.mean.length, space.embedder.dimension],
    ['semanticEpisode.centroids', space.semanticEpisode.centroids.columns, space.style.basis.columns],
    ...[...space.contextEffects].map(([name, effect]): [string, number, number] => [
      `contextEffects.${name}`,
      effect.length,
      semantic + interaction,
    ]),
  ];
  for (const [name, found, expected] of widths)
    if (found !== expected) throw at.fault(`: ${name} has ${found} columns, expected ${expected}`);
}

function plain(space: Omit<BehaviourSpace, 'id'>): Record<string, unknown> {
  return {
    schema: space.schema,
    seed: space.seed,
    embedder: {
      id: space.embedder.id,
      dimension: space.embedder.dimension,
      model: space.embedder.model ?? null,
    },
    features: space.features,
    k: space.k,
    kRule: space.kRule,
    fittedOn: space.fittedOn,
    nFit: space.nFit,
    semantic: plainWhitening(space.semantic),
    interaction: plainWhitening(space.interaction),
    style: plainWhitening(space.style),
    contextEffects: Object.fromEntries([...space.contextEffects].map(([name, a]) => [name, toBase64(a)])),
    singleContext: space.singleContext,
    uncontrolled: space.uncontrolled === null ? null : plainMatrix(space.uncontrolled),
    episode: plainCodebook(space.episode),
    interactionEpisode: plainCodebook(space.interactionEpisode),
    semanticEpisode: plainCodebook(space.semanticEpisode),
    turn: plainCodebook(space.turn),
    policyTurn: plainCodebook(space.policyTurn),
    reference: Object.fromEntries(space.reference),
  };
}

const plainMatrix = ({ rows, columns, data }: Matrix) => ({ rows, columns, data: toBase64(data) });

const plainWhitening = (w: Whitening) => ({
  mean: toBase64(w.mean),
  basis: plainMatrix(w.basis),
  low: toBase64(w.low),
  high: toBase64(w.high),
  weight: w.weight,
  variance: w.variance,
});

const plainCodebook = (book: Codebook) => ({
  centroids: plainMatrix(book.centroids),
  radius: book.radius,
  stability: book.stability,
  exemplars: book.exemplars,
});

/** JSON with the keys of every object in code-unit order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonical(value.toJSON());
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

function matrix(at: Cursor): Matrix {
  const [rows, columns, data] = [at.get('rows').count(), at.get('columns').count(), at.get('data').floats()];
  if (data.length !== rows * columns)
    throw at.fault(`holds ${data.length} numbers, expected ${rows} x ${columns}`);
  return { rows, columns, data };
}

function whitening(at: Cursor): Whitening {
  const read: Whitening = {
    mean: at.get('mean').floats(),
    basis: matrix(at.get('basis')),
    low: at.get('low').floats(),
    high: at.get('high').floats(),
    weight: at.get('weight').number(),
    variance: at.get('variance').number(),
  };
  if (read.basis.rows !== read.mean.length)
    throw at.fault(`has ${read.basis.rows} rows in its basis, expected ${read.mean.length}`);
  return read;
}

function codebook(at: Cursor): Codebook {
  return {
    centroids: matrix(at.get('centroids')),
    radius: at.get('radius').numberOrNull(),
    stability: at.get('stability').numberOrNull(),
    exemplars: at
      .get('exemplars')
      .list()
      .map((cell) => cell.list().map((item) => item.text())),
  };
}

/** A value inside the file and the path to it, so that a fault says where. */
class Cursor {
  readonly value: unknown;
  readonly #path: string;
  readonly #place: { file?: string };

  constructor(value: unknown, path: string, place: { file?: string }) {
    this.value = value;
    this.#path = path;
    this.#place = place;
  }

  fault(found: string): CollapseAwareError {
    const where = this.#path === '' ? 'the behaviour space' : `"${this.#path}" of the behaviour space`;
    return new CollapseAwareError('CA_FORMAT_INVALID', `${where} ${found}`, {
      place: this.#place,
      todo: 'restore the file, or fit the space again with this version',
    });
  }

  #object(): Record<string, unknown> {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value))
      throw this.fault('is not an object');
    return this.value as Record<string, unknown>;
  }

  get(name: string): Cursor {
    const object = this.#object();
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    const child = new Cursor(Object.hasOwn(object, name) ? object[name] : undefined, path, this.#place);
    if (child.value === undefined) throw child.fault('is missing');
    return child;
  }

  entries(): [string, Cursor][] {
    return Object.keys(this.#object()).map((name) => [name, this.get(name)]);
  }

  list(): Cursor[] {
    if (!Array.isArray(this.value)) throw this.fault('is not a list');
    return this.value.map((item, i) => new Cursor(item, `${this.#path}[${i}]`, this.#place));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.fault('is not text');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') throw this.fault('is not a number');
    return this.value;
  }

  numberOrNull(): number | null {
    return this.value === null ? null : this.number();
  }

  count(): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < 0) throw this.fault('is not a count');
    return value;
  }

  boolean(): boolean {
    if (typeof this.value !== 'boolean') throw this.fault('is not true or false');
    return this.value;
  }

  oneOf<T extends string>(choices: readonly T[]): T {
    const found = choices.find((choice) => choice === this.value);
    if (found === undefined) throw this.fault(`is not one of ${choices.join(', ')}`);
    return found;
  }

  floats(): Float32Array {
    const bytes = this.text();
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bytes) || bytes.length % 4 !== 0)
      throw this.fault('is not base64 of 32-bit numbers');
    return float32FromBase64(bytes);
  }
}
