import { fit, place } from '../../audit/index.ts';
import type { BehaviourSpace, Profile } from '../../space/index.ts';
import type { World } from '../world/index.ts';
import { type ReferenceOptions, referenceDialogues } from './reference-dialogues.ts';

/**
 * What all cells of a world are measured in: modes are what recorded people do. `encodeSpace` makes of `space` the
 * file that `audit --space` reads; `people` are the same people placed in it, to be merged with what is measured.
 */
export interface WorldSpace {
  readonly space: BehaviourSpace;
  readonly people: Profile;
}

/**
 * One behaviour space for a world at its horizon, fitted on people met by the demonstrator. Other options give another
 * space, and figures of two spaces are never compared.
 */
export async function worldSpace(world: World, options: ReferenceOptions = {}): Promise<WorldSpace> {
  const people = referenceDialogues(world, options);
  const { space, embedder } = await fit([], people, { seed: options.seed ?? 0, workers: 1 });
  return { space, people: await place(null, people, space, embedder) };
}
