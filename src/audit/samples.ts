import { minimum } from '../math/index.ts';
import {
  type Figure,
  type IntervalOptions,
  missing,
  type Tally,
  tallyOf,
  type VectorRows,
} from '../metrics/index.ts';
import type { BehaviourSpace, ReservoirRow, View, ViewRows } from '../space/index.ts';

/** One simulator's rows (or a part of the people's) in every shape the metrics ask for. */
export interface Sample {
  readonly id: string;
  /** Which columns the rows stand in, and where. */
  readonly columns: ViewRows;
  readonly rows: readonly number[];
  readonly tally: Tally;
  /** Vectors of the reservoir in the block that is compared, in hash order. */
  readonly vectors: VectorRows;
  /** Context of each vector, as a number. */
  readonly contexts: Int32Array;
  readonly reservoir: readonly ReservoirRow[];
  /** Unit and cell of each reservoir row. */
  readonly reservoirUnits: Int32Array;
  readonly reservoirCells: Uint8Array;
}

export interface Samples {
  readonly view: View;
  readonly interval: IntervalOptions;
  /** In the order of `view.simulators`. */
  readonly simulators: readonly Sample[];
  readonly people: { readonly mass: Sample; readonly ceiling: Sample } | null;
  /** Whether the codebook has a radius: without held-out rows nothing can be said to lie outside. */
  readonly hasRadius: boolean;
}

/** A figure that rests on the radius, or null where there is none. */
export function onSupport({ hasRadius }: Samples, figure: Figure): Figure {
  return hasRadius ? figure : missing('no rows were held out of the fit: there is no radius', figure.n);
}

/** Share of rows outside the support beyond which cells say nothing (metrics.md, "off support"). */
export const MOST_OUTSIDE = 0.5;

/** Share outside of a population, each simulator that has rows weighing the same, as in SCD2; 0 without rows. */
export function shareOutside(tallies: readonly Tally[]): number {
  const present = tallies.filter(({ n }) => n > 0);
  return present.reduce((sum, { outside, n }) => sum + outside / n, 0) / Math.max(1, present.length);
}

function radiusOf(view: View, space: BehaviourSpace): number | null {
  if (view.codebook === 'acts') return null;
  return (view.codebook === 'interactionEpisode' ? space.interactionEpisode : space.episode).radius;
}

/** Gathers the view's rows by simulator, with tallies over one unit list and the reservoir's vectors. */
export function samplesOf(view: View, space: BehaviourSpace): Samples {
  const place = reservoirPlaces(view);
  const make = (id: string, columns: ViewRows, rows: readonly number[]): Sample => {
    const part = rows.length === 0 ? undefined : view.profile.peek(columns.profileRow[rows[0]!]!).part;
    const reservoir = view.profile.reservoir.filter(
      (row) =>
        row.part === (part ?? null) &&
        (row.part !== null || row.simulator === id) &&
        place.has(placeKey(row)) &&
        (view.control === 'interaction' || row.z !== null || view.classes !== null),
    );
    const vectorOf = (row: ReservoirRow) =>
      view.control === 'interaction' || row.z === null ? row.interaction : row.z;
    const length = (view.control === 'interaction' ? space.interactionEpisode : space.episode).centroids
      .columns;
    const withVector = reservoir.filter((row) => vectorOf(row).length === length);
    const data = new Float32Array(withVector.length * length);
    withVector.forEach((row, i) => {
      data.set(vectorOf(row), i * length);
    });
    const places = withVector.map((row) => place.get(placeKey(row))!);
    return {
      id,
      columns,
      rows,
      tally: tallyOf({
        k: view.k,
        unit: rows.map((row) => columns.unit[row]!),
        cell: rows.map((row) => columns.cell[row]!),
        outside: rows.map((row) => columns.outside[row] === 1),
      }),
      vectors: { columns: length, data, unit: places.map(({ unit }) => unit) },
      contexts: Int32Array.from(places, ({ context }) => context),
      reservoir: withVector,
      reservoirUnits: Int32Array.from(places, ({ unit }) => unit),
      reservoirCells: Uint8Array.from(places, ({ cell }) => cell),
    };
  };
  const bySimulator: number[][] = view.simulators.map(() => []);
  for (let row = 0; row < view.rows.size; row++) bySimulator[view.rows.simulator[row]!]!.push(row);
  const all = (columns: ViewRows) => Array.from({ length: columns.size }, (_, row) => row);
  return {
    view,
    interval: { unitNoun: view.unit },
    hasRadius: radiusOf(view, space) !== null,
    simulators: view.simulators.map((id, index) => make(id, view.rows, bySimulator[index]!)),
    people:
      view.people === null
        ? null
        : {
            mass: make('people', view.people.mass, all(view.people.mass)),
            ceiling: make('people', view.people.ceiling, all(view.people.ceiling)),
          },
  };
}

function placeKey(row: { hash: string; simulator: string; context: string }): string {
  return `${row.hash}\u0000${row.simulator}\u0000${row.context}`;
}

/** Unit, context and cell of every row that is compared, by what a reservoir row knows of itself. */
function reservoirPlaces(view: View): Map<string, { unit: number; context: number; cell: number }> {
  const hashes = new Set(view.profile.reservoir.map(({ hash }) => hash));
  const wanted = new Set(view.profile.reservoir.map(placeKey));
  const places = new Map<string, { unit: number; context: number; cell: number }>();
  const parts = view.people === null ? [view.rows] : [view.rows, view.people.mass, view.people.ceiling];
  for (const columns of parts)
    for (let row = 0; row < columns.size; row++) {
      const placed = view.profile.peek(columns.profileRow[row]!);
      if (!hashes.has(placed.hash)) continue;
      const key = placeKey(placed);
      if (wanted.has(key) && !places.has(key))
        places.set(key, {
          unit: columns.unit[row]!,
          context: columns.context[row]!,
          cell: columns.cell[row]!,
        });
    }
  return places;
}

/** Vectors of several samples as one, in hash order, so that any first rows of it are a fair draw. */
export function joinVectors(samples: readonly Sample[]): {
  vectors: VectorRows;
  contexts: Int32Array;
} {
  const columns = samples[0]?.vectors.columns ?? 0;
  const rows = samples
    .flatMap((sample) => sample.reservoir.map(({ hash }, at) => ({ hash, sample, at })))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  const data = new Float32Array(rows.length * columns);
  rows.forEach(({ sample, at }, row) => {
    data.set(sample.vectors.data.subarray(at * columns, (at + 1) * columns), row * columns);
  });
  return {
    vectors: { columns, data, unit: rows.map(({ sample, at }) => sample.vectors.unit[at]!) },
    contexts: Int32Array.from(rows, ({ sample, at }) => sample.contexts[at]!),
  };
}

/** The first `each` vectors of every sample, so that no simulator outweighs another in a pool. */
export function equalVectors(samples: readonly Sample[]): { vectors: VectorRows; contexts: Int32Array } {
  const each = minimum(samples.map(({ vectors }) => vectors.unit.length));
  return joinVectors(
    samples.map((sample) => ({
      ...sample,
      vectors: {
        columns: sample.vectors.columns,
        data: sample.vectors.data.subarray(0, each * sample.vectors.columns),
        unit: Array.from(sample.vectors.unit).slice(0, each),
      },
      contexts: sample.contexts.slice(0, each),
      reservoir: sample.reservoir.slice(0, each),
    })),
  );
}
