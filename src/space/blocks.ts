import type { Behaviour } from '../embedding/behaviour.ts';
import type { Vectors } from './codebook.ts';
import type { Whitening } from './space.ts';
import { whiten } from './whitening.ts';

/** The whitened blocks of some rows: z without context control is the two side by side. */
export interface Blocks {
  readonly rows: number;
  readonly semantic: Vectors;
  readonly interaction: Vectors;
  /** [semantic, interaction], row-major. */
  readonly joint: Vectors;
}

export function whitenedBlocks(
  behaviours: readonly Behaviour[],
  semantic: Whitening,
  interaction: Whitening,
): Blocks {
  const rows = behaviours.length;
  const [s, i] = [semantic.basis.columns, interaction.basis.columns];
  const first = new Float32Array(rows * s);
  const second = new Float32Array(rows * i);
  const both = new Float32Array(rows * (s + i));
  behaviours.forEach((behaviour, row) => {
    whiten(semantic, behaviour.semantic, 0, first, row * s);
    whiten(interaction, behaviour.interaction, 0, second, row * i);
    both.set(first.subarray(row * s, (row + 1) * s), row * (s + i));
    both.set(second.subarray(row * i, (row + 1) * i), row * (s + i) + s);
  });
  return {
    rows,
    semantic: { data: first, rows, columns: s },
    interaction: { data: second, rows, columns: i },
    joint: { data: both, rows, columns: s + i },
  };
}

/** The semantic block as the style distance sees it. */
export function styleVectors(behaviours: readonly Behaviour[], style: Whitening): Vectors {
  const rows = behaviours.length;
  const columns = style.basis.columns;
  const data = new Float32Array(rows * columns);
  behaviours.forEach((behaviour, row) => {
    whiten(style, behaviour.semantic, 0, data, row * columns);
  });
  return { data, rows, columns };
}

/** The named rows of `vectors`, in the order given. */
export function pick(vectors: Vectors, rows: readonly number[]): Vectors {
  const { columns } = vectors;
  const data = new Float32Array(rows.length * columns);
  rows.forEach((row, at) => {
    data.set(vectors.data.subarray(row * columns, (row + 1) * columns), at * columns);
  });
  return { data, rows: rows.length, columns };
}

/** `vectors` minus each row's effect; rows without one stay as they are. */
export function minusEffects(
  vectors: Vectors,
  contexts: readonly string[],
  effects: ReadonlyMap<string, Float32Array>,
): Vectors {
  const data = Float32Array.from(vectors.data);
  const { columns } = vectors;
  contexts.forEach((context, row) => {
    const effect = effects.get(context);
    if (effect === undefined) return;
    for (let j = 0; j < columns; j++) data[row * columns + j]! -= effect[j]!;
  });
  return { data, rows: vectors.rows, columns };
}

/** All turn vectors of the rows one below the other, from the first row on, while they are at most `limit`. */
export function stackedTurns(
  behaviours: readonly Behaviour[],
  of: (behaviour: Behaviour) => Float32Array,
  columns: number,
  limit = Number.POSITIVE_INFINITY,
): Vectors {
  let used = 0;
  let length = 0;
  for (const behaviour of behaviours) {
    if (length + of(behaviour).length > limit * columns && used > 0) break;
    length += of(behaviour).length;
    used++;
  }
  const data = new Float32Array(length);
  let at = 0;
  for (const behaviour of behaviours.slice(0, used)) {
    data.set(of(behaviour), at);
    at += of(behaviour).length;
  }
  return { data, rows: columns === 0 ? 0 : length / columns, columns };
}
