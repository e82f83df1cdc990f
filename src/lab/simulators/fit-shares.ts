import type { Random } from '../../math/random.ts';
import type { World } from '../world/index.ts';
import type { Person } from './people.ts';
import { watchedDialogue } from './watched-dialogue.ts';

/** Turns of a prior observation of every kind, so that a kind not met among few people is not ruled out. */
const PRIOR = 0.5;
const ROUNDS = 200;

/**
 * Shares of the world's kinds of people by maximum a posteriori (EM, Dirichlet prior), from dialogues of `people` with
 * the demonstrator: only acts are looked at, whose kind a person is stays hidden.
 */
export function fitShares(
  world: World,
  people: readonly Person[],
  dialogues: number,
  random: Random,
): Float64Array {
  const kinds = world.types.length;
  const posteriors: Float64Array[] = [];
  for (let d = 0; d < dialogues; d++) {
    const stream = random.fork(`dialogue/${d}`);
    const { posterior } = watchedDialogue(
      world,
      people[d % people.length]!,
      world.setting(d, 1_000_003),
      stream.fork('agent'),
      stream.fork('user'),
    );
    posteriors.push(posterior);
  }
  // With a uniform prior, a posterior is a likelihood up to scale.
  let shares = new Float64Array(kinds).fill(1 / kinds);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(kinds).fill(PRIOR);
    for (const likelihood of posteriors) {
      let sum = 0;
      for (let z = 0; z < kinds; z++) sum += shares[z]! * likelihood[z]!;
      for (let z = 0; z < kinds; z++) next[z]! += (shares[z]! * likelihood[z]!) / sum;
    }
    const total = posteriors.length + kinds * PRIOR;
    shares = next.map((count) => count / total);
  }
  return shares;
}
