import { setImmediate } from 'node:timers/promises';
import { samplesOf } from '../../audit/samples.ts';
import {
  type CurationRows,
  hashOf,
  planGate,
  type QualityGate,
  type Recipe,
  trainingWeights,
} from '../../curation/index.ts';
import { gatedFacts } from '../../curator/gated-facts.ts';
import { judgedAgain, type Sifted, sift } from '../../curator/index.ts';
import { type GatedRows, placeGated, placePeople } from '../../curator/place-gated.ts';
import { type Embedder, LsaEmbedder } from '../../embedding/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { type BehaviourSpace, compareView, type Placed } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Batch } from './batch.ts';
import { whyDropped } from './decide.ts';
import { CHUNK } from './session-source.ts';

/** Where rows are placed. */
export interface Ground {
  readonly space: BehaviourSpace;
  readonly embedder: Embedder;
  /** Empty = no people: those among the rows are the reference, as in `curate`. */
  readonly people: readonly Trajectory[];
}

/** The people as they lie in the space: nothing that has to be found anew for every batch. */
export interface PlacedGround extends Ground {
  readonly reference: Placed | null;
}

/** Remembers the people of the last ground, as long as space and list of people are the same objects. */
export function placedGround(ground: () => Promise<Ground | null>): () => Promise<PlacedGround | null> {
  let last: PlacedGround | null = null;
  return async () => {
    const now = await ground();
    if (now === null) return null;
    const { space, people, embedder } = now;
    if (last?.space !== space || last.people !== people)
      last = {
        ...now,
        reference: people.length === 0 ? null : await placePeople(people, space, embedder),
      };
    return last;
  };
}

export interface WeighedRow {
  readonly hash: string;
  readonly weight: number;
}

export interface Weighed {
  /** By the session's id: rows that passed the gate. */
  readonly rows: ReadonlyMap<string, WeighedRow>;
  /** By the session's id: why a row has no weight. */
  readonly left: ReadonlyMap<string, string>;
  /** Effective sample size of the weights; null where none were made. */
  readonly ess: number | null;
  readonly notes: readonly string[];
}

/** MCI of a simulator in the live window; null = not known there, the batch's own is taken. */
export type WindowConcentration = (simulator: string) => number | null;

/**
 * Gate and weights of a batch by the very stages of `curate` (sift, place, view, weights), on rows that are read again
 * for each instead of being held: the weights are those that `curate` gives the same rows by the same recipe in the
 * same space - unless `window` gives the concentration of simulators, which a batch of a few groups tells badly.
 *
 * Mean 1 over the rows that passed; rows of one content have one weight. Without ground every weight is 1.
 */
export async function weighBatch(
  batch: Batch,
  recipe: Recipe,
  ground: PlacedGround | null,
  window: WindowConcentration | null,
): Promise<Weighed> {
  const left = new Map<string, string>();
  const gate = recipe.gate === null ? null : noted(planGate(recipe.gate), left);
  const sifted = await sifting(batch, gate, recipe, (ground?.people.length ?? 0) > 0);
  if (sifted === null) return { rows: new Map(), left, ess: null, notes: ['no row passes the quality gate'] };
  const even = (note: string): Weighed => ({
    rows: evenRows(batch, left, sifted.people),
    left: withPeople(left, sifted.people),
    ess: null,
    notes: [note],
  });
  if (recipe.weights === null) return even('the recipe has no weights: all are 1');
  if (ground === null) return even('there is no behaviour space yet: all weights are 1');
  const placed = await placing(
    judgedAgain(batch.records, sifted.verdicts, sifted.people.length > 0),
    ground.people.length > 0 ? ground.people : sifted.people,
    sifted.neighbourhood,
    ground.space,
    ground.embedder,
    {
      neighbours: recipe.weights.neighbours,
      ...(ground.reference === null ? {} : { reference: ground.reference }),
      // A remote embedder waits for an answer anyway, and is asked in large batches.
      ...(ground.embedder instanceof LsaEmbedder ? { batch: CHUNK } : {}),
      pause: () => setImmediate(),
    },
  );
  const found = compared(placed, ground.space, recipe, window);
  if (found === null) return even('no row can be compared in this space: all weights are 1');
  return { ...found, left: withPeople(left, sifted.people) };
}

function compared(
  placed: GatedRows,
  space: BehaviourSpace,
  recipe: Recipe,
  window: WindowConcentration | null,
): Omit<Weighed, 'left'> | null {
  const view = viewOf(placed, space);
  if (view === null) return null;
  const rows = placed.rows.build(view.control === 'interaction' ? 'interaction' : 'full', view.k);
  const facts = gatedFacts(rows, samplesOf(view, space));
  const known = rows.simulators.map((simulator) => window?.(simulator) ?? null);
  const mci = facts.mci.map(({ value }, at) => known[at] ?? value);
  const weights = trainingWeights(rows, { recipe: recipe.weights!, mci, reference: facts.reference });
  const fromWindow = known.filter((value) => value !== null).length;
  return {
    rows: exactMean(rows, weights.weight),
    ess: weights.ess,
    notes: [
      `compared in ${view.control === 'interaction' ? 'the interaction codebook' : 'the full codebook'}: ${view.reason}`,
      ...(fromWindow > 0
        ? [`concentration of ${fromWindow} of ${known.length} simulators from the live window`]
        : []),
      ...(weights.kappa < 1
        ? [`weights tempered to keep the effective sample size (kappa ${weights.kappa})`]
        : []),
      ...(weights.unknownConcentration > 0 && recipe.weights!.concentration
        ? [`${weights.unknownConcentration} rows of simulators whose concentration is not known`]
        : []),
    ],
  };
}

/** A session that retention deleted, or whose last turn was said anew, between two readings. */
async function placing(...args: Parameters<typeof placeGated>): Promise<GatedRows> {
  try {
    return await placeGated(...args);
  } catch (error) {
    if (!(error instanceof CollapseAwareError) || error.code !== 'CA_FILE_UNREADABLE') throw error;
    throw new ApiError(503, 'sessions changed while they were read: ask again', {
      code: 'records_changed',
      retryAfter: 1,
      cause: error,
    });
  }
}

/** Fewer simulators are to be compared than a space was made for: no figure, no fault of the request. */
function viewOf(placed: GatedRows, space: BehaviourSpace) {
  try {
    return compareView(placed.gated, space);
  } catch (error) {
    if (error instanceof CollapseAwareError && error.code === 'CA_INPUT_EMPTY') return null;
    throw error;
  }
}

/** What rounding leaves of the mean is taken out, in content order. */
function exactMean(rows: CurationRows, weight: Float64Array): Map<string, WeighedRow> {
  const mean = weight.reduce((sum, value) => sum + value, 0) / Math.max(1, rows.size);
  return new Map(rows.ids.map((id, row) => [id, { hash: hashOf(rows, row), weight: weight[row]! / mean }]));
}

function evenRows(
  batch: Batch,
  left: ReadonlyMap<string, string>,
  people: readonly Trajectory[],
): Map<string, WeighedRow> {
  const out = new Set([...left.keys(), ...people.map(({ id }) => id)]);
  return new Map(
    [...batch.sessions].flatMap(([id, { hash }]) => (out.has(id) ? [] : [[id, { hash, weight: 1 }]])),
  );
}

function withPeople(left: ReadonlyMap<string, string>, people: readonly Trajectory[]): Map<string, string> {
  return new Map([
    ...left,
    ...people.map(({ id }): [string, string] => [id, 'people are the reference and are not weighed']),
  ]);
}

/** Null where no row passes. */
async function sifting(
  { records }: Batch,
  gate: QualityGate | null,
  recipe: Recipe,
  hasReference: boolean,
): Promise<Sifted | null> {
  try {
    return await sift(records, gate, { seed: recipe.seed, recipe: recipe.gate, hasReference, judge: null });
  } catch (error) {
    if (error instanceof CollapseAwareError && error.code === 'CA_INPUT_EMPTY') return null;
    throw error;
  }
}

/** The same gate, which writes down why it drops a row. */
function noted(gate: QualityGate, left: Map<string, string>): QualityGate {
  return {
    ...gate,
    inspect(episode, votes) {
      const verdict = gate.inspect(episode, votes);
      if (!verdict.kept) {
        const { check, reason } = whyDropped(verdict);
        left.set(episode.id, `dropped by the quality gate, ${check}: ${reason}`);
      }
      return verdict;
    },
  };
}
