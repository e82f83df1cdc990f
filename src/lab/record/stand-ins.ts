import type { Random } from '../../math/random.ts';
import { memberPosterior } from '../../metrics/epsilon.ts';
import type { Session, Simulator } from '../simulators/simulator.ts';
import type { Encounter, Step } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';

/** One of a population, with its share in it. */
export interface PopulationMember {
  readonly simulator: Simulator;
  readonly weight: number;
}

/** Who could stand in the session's place, in a dialogue of its own with the same acts. */
export interface StandIn {
  readonly id: string;
  readonly family: string;
  /** P(it is the one who answers here). */
  readonly weight: number;
  readonly session: Session;
  readonly encounter: Encounter;
}

/**
 * Every member at the history of `steps`, as if it had said what was said; weights are the posterior of a session that
 * keeps its member (metrics.md: w_i times the product of phi_i over the past turns). `null` where a member has no exact
 * law and something was said, or none could have said it.
 */
export function standInsAt(
  world: Pick<World, 'begin' | 'userActs'>,
  setting: Setting,
  steps: readonly Step[],
  members: readonly PopulationMember[],
  random: Random,
): StandIn[] | null {
  const law = new Float64Array(world.userActs.length);
  const likelihoods: number[][] = [];
  const open: Omit<StandIn, 'weight'>[] = [];
  for (const { simulator } of members) {
    const session = simulator.open(random.fork(simulator.id));
    const encounter = world.begin(setting, session.users);
    const past: number[] = [];
    for (const { side, act } of steps)
      if (side === 'agent') encounter.actAgent(act);
      else {
        if (!session.law(encounter, law)) return null;
        past.push(law[act]!);
        session.said(encounter, act);
        encounter.actUser(act);
      }
    likelihoods.push(past);
    open.push({ id: simulator.id, family: simulator.family, session, encounter });
  }
  const posterior = memberPosterior(
    members.map(({ weight }) => weight),
    likelihoods,
  );
  return posterior === null ? null : open.map((one, i) => ({ ...one, weight: posterior[i]! }));
}
