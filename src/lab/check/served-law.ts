import type { Random } from '../../math/random.ts';
import {
  collapseOf,
  DEFAULT_FAMILIES,
  familyShares,
  familySimulator,
  type SimulatorFamily,
} from '../simulators/index.ts';
import type { Encounter, World } from '../world/index.ts';
import { type Check, checkOf } from './check-result.ts';
import { placeOf, playDialogue } from './population-session.ts';

const DIALOGUES = 20;

/**
 * Laws of the default families as they are served, against their definition worked out anew from the laws of kinds at
 * every history: shares s_z^kinds, times the chances of what was said, mixed and raised to gamma.
 */
export function servedLaws(world: World, random: Random): Check[] {
  const families = Object.values(DEFAULT_FAMILIES).flat();
  const simulators = families.map((family) => familySimulator(world, family));
  let worst = 0;
  let histories = 0;
  for (let d = 0; d < DIALOGUES; d++) {
    const setting = world.setting(d, 19);
    const kinds = world.types.map(({ traits }) => traits);
    const encounter = world.begin(setting, kinds);
    const past = new Float64Array(kinds.length);
    playDialogue(world, setting, simulators, d % families.length, random.fork(`dialogue/${d}`), (readers) => {
      follow(encounter, readers[0]!.encounter, past, world);
      const laws = kinds.map((_, z) => lawOf(encounter, z, world));
      families.forEach((family, i) => {
        const law = definedLaw(world, family, past, laws);
        const served = readers[i]!.law;
        for (let act = 0; act < law.length; act++)
          worst = Math.max(worst, Math.abs(law[act]! - served[act]!));
      });
      histories += families.length;
    });
  }
  return [
    checkOf({
      id: `law.${placeOf(world)}.served`,
      statement: `laws of ${families.length} families as served in ${placeOf(world)} are their definition, largest difference`,
      claim: 'equal',
      exact: 0,
      estimate: { value: worst, low: worst, high: worst, n: histories, method: 'exact' },
      note: `${DIALOGUES} dialogues with the demonstrator`,
    }),
  ];
}

function lawOf(encounter: Encounter, who: number, { userActs }: World): Float64Array {
  const law = new Float64Array(userActs.length);
  encounter.law(who, law);
  return law;
}

/** Plays what the other has and this has not; adds log chances of the user's acts of every kind to `past`. */
function follow(own: Encounter, other: Encounter, past: Float64Array, world: World): void {
  for (let step = own.steps.length; step < other.steps.length; step++) {
    const { side, act } = other.steps[step]!;
    if (side === 'agent') own.actAgent(act);
    else {
      for (let z = 0; z < past.length; z++) past[z]! += Math.log(lawOf(own, z, world)[act]!);
      own.actUser(act);
    }
  }
}

function definedLaw(
  world: World,
  family: SimulatorFamily,
  past: Float64Array,
  laws: readonly Float64Array[],
): Float64Array {
  const { kinds, acts } = collapseOf(family);
  const logs = familyShares(world, family).map((share, z) => kinds * Math.log(share) + past[z]!);
  const top = Math.max(...logs);
  const mixed = new Float64Array(world.userActs.length);
  laws.forEach((law, z) => {
    for (let act = 0; act < mixed.length; act++) mixed[act]! += Math.exp(logs[z]! - top) * law[act]!;
  });
  const most = Math.max(...mixed);
  const raised = mixed.map((p) => (p / most) ** acts);
  const total = raised.reduce((sum, p) => sum + p, 0);
  return raised.map((p) => p / total);
}
