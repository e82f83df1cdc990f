import type { Step } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';

/**
 * What the step at `at` had been, had the user acted so: the dialogue is played again up to there, for only the world
 * knows the facts and the calls that go with an act.
 * @throws RangeError where `at` is no step of the user, or the world takes the same acts for another dialogue.
 */
export function stepInstead(
  world: Pick<World, 'begin'>,
  setting: Setting,
  users: readonly UserTraits[],
  steps: readonly Step[],
  at: number,
  act: number,
): Step {
  const own = steps[at];
  if (own?.side !== 'user') throw new RangeError(`step ${at} is no step of the user`);
  if (own.act === act) return own;
  const encounter = world.begin(setting, users);
  for (const step of steps.slice(0, at))
    if (step.side === 'agent') encounter.actAgent(step.act);
    else encounter.actUser(step.act);
  encounter.actUser(act);
  const instead = encounter.steps[at];
  if (instead?.side !== 'user' || instead.act !== act)
    throw new RangeError(`the world did not come to step ${at} again`);
  return instead;
}
