import { CollapseAwareError } from '../../errors.ts';
import { methodOf } from '../methods/index.ts';
import type { WorldId } from '../world/index.ts';
import { worldOf } from '../worlds/index.ts';

/** Where a cell stands in a table. */
export interface CellPlace {
  readonly world: WorldId;
  readonly horizon: number;
  readonly method: string;
  readonly seed: number;
}

/** `persuasion-10`: a world at a horizon, as tables name it. */
export const worldName = ({ world, horizon }: Pick<CellPlace, 'world' | 'horizon'>): string =>
  `${world}-${horizon}`;

/** `persuasion-10/single/seed-3`. */
export const cellName = (place: CellPlace): string =>
  `${worldName(place)}/${place.method}/seed-${place.seed}`;

/** A world's name, with or without a horizon. @throws as `worldOf`. */
export function readWorldName(name: string): { readonly world: WorldId; readonly horizon: number } {
  const [, id, horizon] = /^(.*?)(?:-(\d+))?$/.exec(name)!;
  const world = worldOf(id!, horizon === undefined ? undefined : Number(horizon));
  return { world: world.id, horizon: world.horizon };
}

/** The reverse of `cellName`. @throws CA_USAGE for a name that is none. */
export function readCellName(name: string): CellPlace {
  const [, world, method, seed] = /^([^/]+)\/([^/]+)\/seed-(\d+)$/.exec(name) ?? [];
  if (world === undefined || method === undefined || seed === undefined)
    throw new CollapseAwareError('CA_USAGE', `"${name}" names no cell`, {
      todo: 'Give WORLD-HORIZON/METHOD/seed-NUMBER, as in persuasion-10/single/seed-1.',
    });
  return { ...readWorldName(world), method: methodOf(method).id, seed: Number(seed) };
}
