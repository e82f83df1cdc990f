import { type CurationRows, DensityScale, RowsBuilder } from '../../curation/index.ts';
import type { Rollouts } from '../training/rollout.ts';
import type { World } from '../world/index.ts';
import { type ActBehaviour, actBehaviour } from './act-behaviour.ts';
import { type ActModes, placeBehaviours } from './act-modes.ts';

/** An episode of a step in its mode, as plain data: what the window holds. */
export interface PlacedEpisode {
  /** `step/episode` */
  readonly id: string;
  readonly hash: string;
  readonly simulator: string;
  readonly context: string;
  /** `step/group` */
  readonly group: string;
  readonly reward: number;
  readonly mode: number;
  readonly outside: boolean;
}

/** A step's episodes that have a reward: the gate's one check that acts alone can be put to. */
export interface StepEpisodes {
  /** Indexes in the rollouts. */
  readonly index: readonly number[];
  readonly behaviours: readonly ActBehaviour[];
}

export function stepEpisodes(world: World, { episodes, reward }: Rollouts): StepEpisodes {
  const index = episodes.flatMap((_, e) => (Number.isNaN(reward[e]!) ? [] : [e]));
  const behaviours = index.map((e) => {
    const { setting, encounter } = episodes[e]!;
    return actBehaviour(setting, encounter, world.userActs.length, world.horizon);
  });
  return { index, behaviours };
}

/** The episodes placed, and the distance of each to its `neighbours`-th nearest different content of the step. */
export function placeStep(
  step: number,
  rollouts: Rollouts,
  { index, behaviours }: StepEpisodes,
  modes: ActModes,
  neighbours: number,
): { readonly placed: PlacedEpisode[]; readonly distance: Float32Array } {
  const { vectors, mode, outside } = placeBehaviours(modes, behaviours);
  const placed = index.map((e, row): PlacedEpisode => {
    const { simulator, group } = rollouts.episodes[e]!;
    const { hash, context } = behaviours[row]!;
    return {
      id: `${step}/${e}`,
      hash,
      simulator: simulator.id,
      context,
      group: `${step}/${group}`,
      reward: rollouts.reward[e]!,
      mode: mode[row]!,
      outside: outside[row] === 1,
    };
  });
  // Without a direction to vary in, nobody has neighbours.
  if (vectors.columns === 0 || placed.length === 0)
    return { placed, distance: new Float32Array(placed.length).fill(Number.NaN) };
  const sample = {
    columns: vectors.columns,
    vectors: vectors.data,
    hashes: placed.map(({ hash }) => hash),
  };
  return { placed, distance: new DensityScale(sample, neighbours).distances(sample) };
}

/** Columns for the stages of curation; `distance` by place in the list, null = not asked for. */
export function curationRows(
  placed: readonly PlacedEpisode[],
  distance: Float32Array | null,
  k: number,
): CurationRows {
  const builder = new RowsBuilder();
  placed.forEach(({ id, hash, simulator, context, group, reward, mode, outside }, at) => {
    const position = { mode, outside, distance: distance === null ? Number.NaN : distance[at]! };
    // Spelt out: spreading a thousand rows took as long as the rest of the allocation.
    builder.add({
      id,
      hash,
      simulator,
      policy: 'policy',
      context,
      group,
      reward,
      full: position,
      interaction: position,
    });
  });
  return builder.build('interaction', k);
}
