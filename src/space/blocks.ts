import type { Behaviour } from '../embedding/behaviour.ts';
import type { Vectors } from './codebook.ts';
import type { Whitening } from './space.ts';
import { whitened } from './whitening.ts';

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
  const first = whitened(semantic, rows, (row) => behaviours[row]!.semantic);
  const second = whitened(interaction, rows, (row) => behaviours[row]!.interaction);
  const both = new Float32Array(rows * (s + i));
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < s; k++) both[row * (s + i) + k] = first[row * s + k]!;
    for (let k = 0; k < i; k++) both[row * (s + i) + s + k] = second[row * i + k]!;
  }
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
  return { data: whitened(style, rows, (row) => behaviours[row]!.semantic), rows, columns };
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
