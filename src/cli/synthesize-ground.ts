import { audit, embedderOf, place, type Records } from '../audit/index.ts';
import type { Embedder } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { type Figure, missing, realism, tallyOf } from '../metrics/index.ts';
import { type BehaviourSpace, type Control, compareView, type ProfileRow } from '../space/index.ts';
import type { Gap, PlacedRow } from '../synthesis/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** What is there before anything is made: a space, who the people of its modes are, and what is missing. */
export interface Ground {
  readonly space: BehaviourSpace;
  readonly embedder: Embedder;
  /** In which block rows are compared: everything that is made is compared in the same one. */
  readonly control: Control;
  readonly controlReason: string;
  readonly k: number;
  readonly rollouts: readonly Trajectory[];
  /** People of the *fit* part, inside each mode: those who may be described. The others stay fresh for the figures. */
  readonly exemplars: ReadonlyMap<number, readonly Trajectory[]>;
  /** The fit part, which exemplars are told apart from. */
  readonly people: readonly Trajectory[];
  /** Modes that people show and the rollouts do not (`missing` of the audit), largest mass first. */
  readonly gaps: readonly Gap[];
  /** Of people who fitted nothing: what a floor is held against. */
  readonly peopleRealism: Figure;
}

export interface GroundInput {
  readonly rollouts: readonly Trajectory[];
  /** Empty: none are known, and no gaps either. */
  readonly people: readonly Trajectory[];
  readonly space?: BehaviourSpace;
  readonly embedder?: Embedder;
  readonly seed: number;
  readonly k?: number;
  readonly signal: AbortSignal;
}

/** @throws what an audit throws; CA_USAGE for a space that cannot say what lies outside people's support. */
export async function groundOf(input: GroundInput): Promise<Ground> {
  const { rollouts, people, signal, seed, k } = input;
  const { report, space, profile } = await audit(
    {
      records: recordsOf(rollouts),
      ...(people.length === 0 ? {} : { people: recordsOf(people) }),
      ...(input.space === undefined ? {} : { space: input.space }),
      ...(input.embedder === undefined ? {} : { embedder: input.embedder }),
    },
    { seed, signal, ...(k === undefined ? {} : { k }) },
  );
  const view = compareView(profile, space);
  const book = view.codebook === 'interactionEpisode' ? space.interactionEpisode : space.episode;
  if (book.radius === null)
    throw new CollapseAwareError('CA_SPACE_TOO_SMALL', 'too few dialogues to say what lies outside them', {
      todo: 'give more rollouts, or more people (--reference)',
    });
  const byHash = new Map(people.map((one) => [contentHash(one.turns, one.scenario), one]));
  const exemplars = new Map<number, Trajectory[]>();
  const fit: Trajectory[] = [];
  for (let at = 0; at < profile.size; at++) {
    const row = profile.peek(at);
    const dialogue = row.part === 'fit' ? byHash.get(row.hash) : undefined;
    if (dialogue === undefined) continue;
    fit.push(dialogue);
    const placed = placeOf(row, view.control);
    if (placed === null || placed.outside) continue;
    const held = exemplars.get(placed.cell);
    if (held === undefined) exemplars.set(placed.cell, [dialogue]);
    else held.push(dialogue);
  }
  const fresh = view.people?.ceiling ?? null;
  return {
    space,
    embedder: embedderOf(space, input.embedder),
    control: view.control,
    controlReason: view.reason,
    k: view.k,
    rollouts,
    exemplars,
    people: fit,
    gaps: report.missing.map(({ mode, mass }) => ({ mode, mass: mass.value! })),
    peopleRealism:
      fresh === null
        ? missing('no people are given')
        : realism(
            tallyOf({
              k: view.k,
              unit: fresh.unit,
              cell: fresh.cell,
              outside: [...fresh.outside].map(Boolean),
            }),
            { unitNoun: view.unit },
          ),
  };
}

export interface Placement {
  readonly rows: readonly PlacedRow[];
  /** Ids of episodes that have no place, with the reason. */
  readonly lost: readonly { readonly id: string; readonly reason: string }[];
}

/** Episodes placed as the ground is. Episodes of equal content are one row, under the smallest of their ids. */
export async function placedOn(
  ground: Ground,
  episodes: readonly Trajectory[],
  signal: AbortSignal,
): Promise<Placement> {
  if (episodes.length === 0) return { rows: [], lost: [] };
  const profile = await place(recordsOf(episodes), [], ground.space, ground.embedder, { signal, workers: 1 });
  const byKey = new Map<string, Trajectory[]>();
  for (const one of episodes) {
    const key = keyOf({ ...one, hash: contentHash(one.turns, one.scenario), simulator: one.simulator.id });
    const held = byKey.get(key);
    if (held === undefined) byKey.set(key, [one]);
    else held.push(one);
  }
  const rows: PlacedRow[] = [];
  const lost: { id: string; reason: string }[] = [];
  for (let at = 0; at < profile.size; at++) {
    const row = profile.peek(at);
    const [first, ...others] = [...(byKey.get(keyOf(row)) ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (first === undefined) continue;
    for (const { id } of others) lost.push({ id, reason: 'the same dialogue once more' });
    const placed = placeOf(row, ground.control);
    if (placed === null) lost.push({ id: first.id, reason: 'its context is not known to the space' });
    else
      rows.push({
        id: first.id,
        hash: row.hash,
        context: row.context,
        simulator: row.simulator,
        ...placed,
        reward: row.reward,
        turns: first.turns.filter(({ role }) => role === 'user' || role === 'agent').length,
      });
  }
  return { rows, lost };
}

function placeOf(row: ProfileRow, control: Control): { cell: number; outside: boolean } | null {
  if (control === 'interaction') return { cell: row.interactionCell, outside: row.interactionOutside };
  return row.cell === null ? null : { cell: row.cell, outside: row.outside === true };
}

const keyOf = (row: { hash: string; simulator: string; context: string; reward: number | null }): string =>
  JSON.stringify([row.hash, row.simulator, row.context, row.reward]);

export function recordsOf(rows: readonly Trajectory[]): Records {
  return async function* () {
    yield* rows;
  };
}
