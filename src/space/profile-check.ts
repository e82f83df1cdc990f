import { CollapseAwareError } from '../errors.ts';
import type { Profile } from './profile.ts';
import type { BehaviourSpace } from './space.ts';

/**
 * Holds a profile to the space it names: it may have been changed since it was placed, and a cell or a vector that
 * the space does not have would be a wrong number, or a fault, far from here.
 * @throws CA_SPACE_MISMATCH where it belongs to another space; CA_FORMAT_INVALID with the row's hash.
 */
export function checkProfile(profile: Profile, space: BehaviourSpace): void {
  checkSpace(profile, space);
  const episode = space.episode.centroids;
  const interaction = space.interactionEpisode.centroids;
  const turns = space.turn.centroids.rows;
  const policyTurns = space.policyTurn.centroids.rows;
  for (let i = 0; i < profile.size; i++) {
    const { hash, cell, interactionCell, turnCells, policyCells } = profile.row(i);
    if (cell !== null && cell >= episode.rows) throw fault(hash, `cell ${cell} of ${episode.rows}`);
    if (interactionCell >= interaction.rows)
      throw fault(hash, `interaction cell ${interactionCell} of ${interaction.rows}`);
    for (const turn of turnCells) if (turn >= turns) throw fault(hash, `turn cell ${turn} of ${turns}`);
    for (const turn of policyCells)
      if (turn >= policyTurns) throw fault(hash, `policy turn cell ${turn} of ${policyTurns}`);
  }
  for (const { hash, z, interaction: own, features } of profile.reservoir) {
    // Features that were not found are NaN; places in the space are numbers.
    if (z !== null) checkVector(hash, 'z', z, episode.columns);
    checkVector(hash, 'interaction', own, interaction.columns);
    if (features.length !== space.features.length)
      throw fault(hash, `${features.length} features, expected ${space.features.length}`);
  }
}

/** @throws CA_SPACE_MISMATCH where the profile belongs to another space. */
export function checkSpace(profile: Profile, space: BehaviourSpace): void {
  if (profile.space !== space.id)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `the profile belongs to the behaviour space ${profile.space}, not to ${space.id}`,
      { todo: 'place the rows in this space' },
    );
}

function checkVector(hash: string, name: string, vector: Float32Array, length: number): void {
  if (vector.length !== length) throw fault(hash, `${name} of ${vector.length} numbers, expected ${length}`);
  if (!vector.every(Number.isFinite)) throw fault(hash, `a number in ${name} that is none`);
}

function fault(hash: string, found: string): CollapseAwareError {
  return new CollapseAwareError('CA_FORMAT_INVALID', `the row ${hash} of the profile has ${found}`, {
    todo: 'the profile was changed or is damaged: make it again',
  });
}
