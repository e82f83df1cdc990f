import { nearestName } from '../../curation/recipe-fault.ts';
import { CollapseAwareError } from '../../errors.ts';
import type { World, WorldId } from '../world/index.ts';
import { pairCoding } from './pair-coding/index.ts';
import { persuasion } from './persuasion/index.ts';
import { service } from './service/index.ts';

/** Makers of the worlds, in the order of the tables. Without a horizon, a world has its usual one. */
const WORLDS: Readonly<Record<WorldId, (horizon?: number) => World>> = {
  persuasion,
  service,
  'pair-coding': pairCoding,
};

/** Beyond this a run takes hours, and dialogues of people end long before. */
const MOST_TURNS = 1000;

export const WORLD_IDS = Object.keys(WORLDS) as readonly WorldId[];

/** @throws CA_USAGE for a name that is none, CA_CONFIG_INVALID for a horizon that the world has not. */
export function worldOf(id: string, horizon?: number): World {
  const make = Object.hasOwn(WORLDS, id) ? WORLDS[id as WorldId] : undefined;
  if (make !== undefined && (horizon ?? 0) > MOST_TURNS)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `a horizon of ${horizon} turns`, {
      todo: `Give at most ${MOST_TURNS}.`,
    });
  if (make !== undefined) return make(horizon);
  const near = nearestName(id, WORLD_IDS);
  throw new CollapseAwareError('CA_USAGE', `unknown world "${id}"`, {
    todo: `${near === null ? '' : `Did you mean "${near}"? `}Worlds: ${WORLD_IDS.join(', ')}.`,
  });
}
