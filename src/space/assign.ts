import type { Behaviour } from '../embedding/behaviour.ts';
import { CollapseAwareError } from '../errors.ts';
import { hash32 } from '../math/index.ts';
import { minusEffects, stackedTurns, styleVectors, whitenedBlocks } from './blocks.ts';
import { place } from './codebook.ts';
import type { ProfileRow, ReservoirRow } from './profile.ts';
import { placeReference } from './reference-split.ts';
import type { BehaviourSpace, Codebook } from './space.ts';

export interface AssignOptions {
  /** The rows are people of the reference: each gets its part. Default: rows under audit, `part` null. */
  readonly reference?: boolean;
}

/** Rows placed in a space, in the order given; their vectors are made when asked for. */
export interface Placed {
  readonly rows: readonly ProfileRow[];
  reservoirRow(index: number): ReservoirRow;
}

/**
 * Places episodes in a space. A row whose context has no effect in the space has no cell in the full codebook
 * (`cell` and `outside` null): only its interaction block can be compared. Give all episodes of a person of the
 * reference in one call where the space does not know them.
 * @throws CA_SPACE_MISMATCH where the vectors are not as long as the space's.
 */
export function assignAll(
  space: BehaviourSpace,
  behaviours: readonly Behaviour[],
  options: AssignOptions = {},
): Placed {
  for (const row of behaviours) checkLengths(space, row);
  const facts = behaviours.map((row) => row.facts);
  const parts = options.reference === true ? placeReference(facts, space.reference, space.seed) : null;
  const blocks = whitenedBlocks(behaviours, space.semantic, space.interaction);
  const contexts = facts.map((row) => row.context);
  const z = minusEffects(blocks.joint, contexts, space.contextEffects);
  const full = place(z, space.episode.centroids);
  const interaction = place(blocks.interaction, space.interactionEpisode.centroids);
  const semantic = place(styleVectors(behaviours, space.style), space.semanticEpisode.centroids);
  const turns = turnCells(space, behaviours, (row) => row.turns, space.turn);
  const policy = turnCells(space, behaviours, (row) => row.policyTurns, space.policyTurn);
  const eligible = (row: number) => space.singleContext || space.contextEffects.has(contexts[row]!);
  const rows = facts.map((row, i): ProfileRow => {
    const known = eligible(i);
    return {
      hash: row.hash,
      ids: [hash32(row.id)],
      context: row.context,
      contextFrom: row.contextFrom,
      contextLabel: row.contextLabel,
      person: row.person,
      simulator: row.simulator,
      kind: row.kind,
      policy: row.policy,
      checkpoint: row.checkpoint,
      epoch: row.epoch,
      group: row.group,
      split: row.split,
      reward: row.reward,
      part: parts === null ? null : parts.get(row.hash)!,
      cell: known ? full.cell[i]! : null,
      interactionCell: interaction.cell[i]!,
      outside: known && space.episode.radius !== null ? full.distance[i]! > space.episode.radius : null,
      interactionOutside: beyond(interaction.distance[i]!, space.interactionEpisode),
      semanticOutside: beyond(semantic.distance[i]!, space.semanticEpisode),
      turnCells: turns[i]!,
      policyCells: policy[i]!,
      actClass: actClass(row.acts),
      ...historiesOf(space, behaviours[i]!),
    };
  });
  return {
    rows,
    reservoirRow: (i) => ({
      hash: rows[i]!.hash,
      simulator: rows[i]!.simulator,
      context: rows[i]!.context,
      part: rows[i]!.part,
      z: eligible(i) ? z.data.slice(i * z.columns, (i + 1) * z.columns) : null,
      interaction: blocks.interaction.data.slice(
        i * blocks.interaction.columns,
        (i + 1) * blocks.interaction.columns,
      ),
      features: Float32Array.from(behaviours[i]!.interaction),
      excerpt: facts[i]!.excerpt,
    }),
  };
}

/** One episode; assignAll is faster for many. */
export function assign(
  space: BehaviourSpace,
  behaviour: Behaviour,
  options: AssignOptions = {},
): { row: ProfileRow; reservoir: ReservoirRow } {
  const placed = assignAll(space, [behaviour], options);
  return { row: placed.rows[0]!, reservoir: placed.reservoirRow(0) };
}

/** Cells of single vectors (e.g. embedded resamples of a turn), row-major `n x embedder.dimension`. */
export function turnCellsOf(space: BehaviourSpace, vectors: Float32Array): Uint8Array {
  const columns = space.turn.centroids.columns;
  const rows = columns === 0 ? 0 : vectors.length / columns;
  return Uint8Array.from(place({ data: vectors, rows, columns }, space.turn.centroids).cell);
}

/** Class of a reply without words, beside the at most 32 turn cells. */
const SILENT = 255;

function historiesOf(space: BehaviourSpace, { resampled }: Behaviour): Pick<ProfileRow, 'histories'> {
  if (resampled === undefined) return {};
  const histories = resampled.map(({ depth, law, probability, replies, silent, acts }) => ({
    depth,
    law,
    probability,
    classes: [...turnCellsOf(space, replies), ...new Array<number>(silent).fill(SILENT)].sort(
      (a, b) => a - b,
    ),
    ...(acts === undefined ? {} : { acts: acts.map(turnClass).sort() }),
  }));
  return { histories };
}

/** A turn of several acts is a class of its own, whatever their order. */
function turnClass(acts: readonly string[]): string {
  return [...new Set(acts)].sort().join(' + ');
}

/** Turns placed at a time: bounds the copy that the kernel reads. */
const CHUNK = 65_536;

function turnCells(
  space: BehaviourSpace,
  behaviours: readonly Behaviour[],
  of: (behaviour: Behaviour) => Float32Array,
  book: Codebook,
): Uint8Array[] {
  const columns = space.embedder.dimension;
  const cells: Uint8Array[] = [];
  let start = 0;
  while (start < behaviours.length) {
    let end = start;
    let turns = 0;
    while (end < behaviours.length && (end === start || turns < CHUNK)) {
      turns += of(behaviours[end]!).length / columns;
      end++;
    }
    const part = behaviours.slice(start, end);
    const { cell } =
      book.centroids.rows === 0
        ? { cell: new Uint16Array(0) }
        : place(stackedTurns(part, of, columns), book.centroids);
    let at = 0;
    for (const behaviour of part) {
      const count = book.centroids.rows === 0 ? 0 : of(behaviour).length / columns;
      cells.push(Uint8Array.from(cell.subarray(at, at + count)));
      at += count;
    }
    start = end;
  }
  return cells;
}

function beyond(distance: number, book: Codebook): boolean {
  return book.radius !== null && distance > book.radius;
}

/** The most frequent annotated act of the episode's turns; ties go to the one that comes first by name. */
function actClass(acts: readonly (readonly string[])[] | null): string | null {
  if (acts === null) return null;
  const counts = new Map<string, number>();
  for (const turn of acts) for (const act of turn) counts.set(act, (counts.get(act) ?? 0) + 1);
  let best: string | null = null;
  for (const act of [...counts.keys()].sort())
    if (best === null || counts.get(act)! > counts.get(best)!) best = act;
  return best;
}

function checkLengths(space: BehaviourSpace, { semantic, interaction, turns, policyTurns }: Behaviour): void {
  const d = space.embedder.dimension;
  if (semantic.length !== d || turns.length % d !== 0 || policyTurns.length % d !== 0)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `an episode has vectors of ${semantic.length} numbers, the space was fitted on ${d} (${space.embedder.id})`,
      { todo: 'use the embedder of the space' },
    );
  if (interaction.length !== space.features.length)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `an episode has ${interaction.length} behaviour features, the space was fitted on ${space.features.length}`,
      { todo: 'fit the space again with this version' },
    );
}
