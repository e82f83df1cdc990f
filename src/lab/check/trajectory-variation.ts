import type { Random } from '../../math/random.ts';
import { meanFigure } from '../../metrics/index.ts';
import { DEFAULT_FAMILIES, drawFrom, familyShares, type SimulatorFamily } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import { atLevel, CHECK_LEVEL, type Check, checkOf, digits } from './check-result.ts';
import { placeOf } from './population-session.ts';

/**
 * Distance of every default family to people. Of shares it is kappa by construction; of whole dialogues under one
 * policy it can only be less (data processing): TV(p, q) = E_p max(0, 1 - q / p), from dialogues of people whose
 * chances under both mixtures are known. The policy's chances cancel.
 */
export function trajectoryVariation(world: World, dialogues: number, random: Random): Check[] {
  const families = Object.values(DEFAULT_FAMILIES).flat();
  const people = Float64Array.from(world.types, ({ share }) => share);
  const played = likelihoodsOfPeople(world, people, dialogues, random);
  const gaps = families.map((family) =>
    Math.abs(distance(familyShares(world, family), people) - family.kappa),
  );
  const worst = Math.max(...gaps);
  return [
    checkOf({
      id: `variation.${placeOf(world)}.shares`,
      statement: `TV(shares of a family, shares of people) is its kappa in ${placeOf(world)}, largest error of ${families.length} families`,
      claim: 'equal',
      exact: 0,
      estimate: { value: worst, low: worst, high: worst, n: families.length, method: 'exact' },
      note: `kappa ${[...new Set(families.map(({ kappa }) => kappa))].sort().join(', ')}`,
    }),
    ...families.map((family) => ofDialogues(world, family, people, played)),
  ];
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let z = 0; z < a.length; z++) sum += Math.abs(a[z]! - b[z]!);
  return sum / 2;
}

function ofDialogues(
  world: World,
  family: SimulatorFamily,
  people: Float64Array,
  played: readonly Float64Array[],
): Check {
  const shares = familyShares(world, family);
  const terms = played.map((likelihood) => {
    let [p, q] = [0, 0];
    for (let z = 0; z < likelihood.length; z++) {
      p += people[z]! * likelihood[z]!;
      q += shares[z]! * likelihood[z]!;
    }
    return Math.max(0, 1 - q / p);
  });
  const figure = meanFigure(terms, { n: terms.length, unitNoun: 'episode', undefinedReason: 'no dialogue' });
  return checkOf({
    id: `variation.${placeOf(world)}.${family.id}`,
    statement: `TV(dialogues of phi_ref of "${family.id}", dialogues of people) is at most its kappa in ${placeOf(world)}`,
    claim: 'at most',
    exact: family.kappa,
    estimate: atLevel(figure, CHECK_LEVEL),
    note: `${digits((figure.value ?? Number.NaN) / family.kappa)} of kappa shows in ${terms.length} dialogues with the demonstrator`,
  });
}

/** By dialogue of a person: P(its acts | kind) of every kind, up to a factor of the dialogue's own. */
function likelihoodsOfPeople(
  world: World,
  people: Float64Array,
  dialogues: number,
  random: Random,
): Float64Array[] {
  const kinds = world.types.map(({ traits }) => traits);
  const policy = new Float64Array(world.agentActs.length);
  const laws = kinds.map(() => new Float64Array(world.userActs.length));
  return Array.from({ length: dialogues }, (_, d) => {
    const own = random.fork(`dialogue/${d}`);
    const kind = drawFrom(people, own);
    const encounter = world.begin(world.setting(d, 17), kinds);
    const likelihood = new Float64Array(kinds.length).fill(1);
    while (encounter.phase !== 'over') {
      if (encounter.phase === 'agent') {
        world.demonstrate(encounter, policy);
        encounter.actAgent(drawFrom(policy, own));
        continue;
      }
      for (const [z, law] of laws.entries()) encounter.law(z, law);
      const act = drawFrom(laws[kind]!, own);
      // Relative to the speaker's own kind, which is never 0: long products would underflow.
      const scale = laws[kind]![act]!;
      for (const [z, law] of laws.entries()) likelihood[z]! *= law[act]! / scale;
      encounter.actUser(act);
    }
    return likelihood;
  });
}
