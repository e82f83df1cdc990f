import { type CodebookPlan, clusterJobs, codebookOf, place, type Vectors } from '../../space/codebook.ts';
import { cluster, fitWhitening, splitReference, type Whitening, whitened } from '../../space/index.ts';
import type { Codebook } from '../../space/space.ts';
import type { ActBehaviour } from './act-behaviour.ts';
import type { PersonOnRecord } from './people-on-record.ts';

/** Rows of the fit for each mode, and most modes: the rule of the behaviour space. */
const ROWS_PER_MODE = 15;
const MOST_MODES = 64;
/** Directions past a third of the rows are fitted to noise. */
const ROWS_PER_DIRECTION = 3;

/** A codebook of users' behaviour at the level of acts. */
export interface ActModes {
  readonly k: number;
  readonly whitening: Whitening;
  readonly codebook: Codebook;
  /** People's share of each mode, of those inside their support who had no part in the fit; null without people. */
  readonly reference: Float64Array | null;
}

export interface PlacedBehaviours {
  readonly vectors: Vectors;
  readonly mode: Uint16Array;
  /** 1 = farther from its centroid than 95 % of held-out people; 0 throughout where nobody was held out. */
  readonly outside: Uint8Array;
}

/**
 * Modes of people: half of them (by person) make the codebook, the others its radius and the shares. K = rows / 15
 * of the fitting half, at least 1.
 */
export function modesOfPeople(people: readonly PersonOnRecord[], seed: number): ActModes {
  const parts = splitReference(
    people.map(({ hash, person }) => ({ hash, person, simulator: 'people' })),
    seed,
  );
  const isFit = ({ hash }: PersonOnRecord) => parts.get(hash) === 'fit';
  const held = people.filter((row) => !isFit(row));
  const modes = fitModes(people.filter(isFit), held, seed);
  const shares = new Float64Array(modes.k);
  const placed = placeBehaviours(modes, held);
  let inside = 0;
  placed.mode.forEach((mode, row) => {
    if (placed.outside[row] === 1) return;
    shares[mode]! += 1;
    inside += 1;
  });
  return { ...modes, reference: inside === 0 ? null : shares.map((count) => count / inside) };
}

/** Modes of whatever rows there are, with neither support nor shares of people: they compare these rows alone. */
export function modesOfRows(rows: readonly ActBehaviour[], seed: number): ActModes {
  return { ...fitModes(rows, [], seed), reference: null };
}

/** Modes of `rows`; `held`, who had no part in the fit, say how far from a mode its people are (the radius). */
export function fitModes(
  unordered: readonly ActBehaviour[],
  held: readonly ActBehaviour[],
  seed: number,
): Omit<ActModes, 'reference'> {
  const rows = [...unordered].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  const columns = rows[0]?.vector.length ?? 0;
  const data = new Float64Array(rows.length * columns);
  rows.forEach(({ vector }, row) => {
    data.set(vector, row * columns);
  });
  // As the behaviour space whitens its features of interaction.
  const whitening = fitWhitening(data, rows.length, columns, {
    weight: 1,
    robust: true,
    share: 0.95,
    limit: Math.max(2, Math.floor(rows.length / ROWS_PER_DIRECTION)),
    shrinkage: 0.9,
  });
  const k = Math.min(MOST_MODES, Math.max(1, Math.floor(rows.length / ROWS_PER_MODE)));
  const plan: CodebookPlan = {
    fit: vectorsOf(whitening, rows),
    k,
    seed,
    label: 'act-modes',
    ...(held.length === 0 ? {} : { heldOut: vectorsOf(whitening, held) }),
  };
  return { k, whitening, codebook: codebookOf(plan, clusterJobs(plan).map(cluster)) };
}

/** In the order given. */
export function placeBehaviours(
  { whitening, codebook }: Pick<ActModes, 'whitening' | 'codebook'>,
  rows: readonly ActBehaviour[],
): PlacedBehaviours {
  const vectors = vectorsOf(whitening, rows);
  const { cell, distance } = place(vectors, codebook.centroids);
  const { radius } = codebook;
  return {
    vectors,
    mode: cell,
    outside: Uint8Array.from(distance, (far) => (radius !== null && far > radius ? 1 : 0)),
  };
}

function vectorsOf(whitening: Whitening, rows: readonly ActBehaviour[]): Vectors {
  return {
    data: whitened(whitening, rows.length, (row) => rows[row]!.vector),
    rows: rows.length,
    columns: whitening.basis.columns,
  };
}
