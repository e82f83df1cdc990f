import { CollapseAwareError } from '../../errors.ts';
import type { Stage } from '../../loop/index.ts';
import { DEFAULT_PANELS, type Panels } from '../stage-zero/panels.ts';
import type { World } from '../world/index.ts';
import { worldOf } from '../worlds/index.ts';

/** A place of the lab that a run is played in, as plain data. */
export interface LabStage extends Stage {
  readonly kind: 'lab';
  readonly world: string;
  readonly horizon: number;
  readonly seed: number;
  /** Whether dialogues of people are on record. */
  readonly people: boolean;
  readonly panels: Panels;
}

export function labStage(
  world: World,
  seed: number,
  people: boolean,
  panels: Panels = DEFAULT_PANELS,
): LabStage {
  return { kind: 'lab', world: world.id, horizon: world.horizon, seed, people, panels };
}

/** @throws CA_CONFIG_INVALID for the stage of something else; CA_USAGE for a world that there is not. */
export function readLabStage(stage: Stage): { readonly stage: LabStage; readonly world: World } {
  const { kind, world, horizon, seed, people, panels } = stage as Partial<LabStage>;
  if (
    kind !== 'lab' ||
    typeof world !== 'string' ||
    typeof horizon !== 'number' ||
    typeof seed !== 'number' ||
    typeof people !== 'boolean' ||
    typeof panels !== 'object'
  )
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `a stage of the kind "${stage.kind}" is none of the lab`,
      {
        todo: 'Resume the run with the program that began it.',
      },
    );
  return { stage: { kind, world, horizon, seed, people, panels }, world: worldOf(world, horizon) };
}
