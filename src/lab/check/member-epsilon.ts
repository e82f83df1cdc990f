import type { Random } from '../../math/random.ts';
import { askMember } from '../record/index.ts';
import { DEFAULT_FAMILIES, familySimulator, type Simulator } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import type { Check } from './check-result.ts';
import { epsilonChecks } from './epsilon-checks.ts';
import { type HistoryPool, type PooledHistory, probingChance, REPLIES } from './history-pool.ts';
import { placeOf, playDialogue } from './population-session.ts';

export const GAMMAS = [1, 2, 4, 8] as const;

/** User turns of a pool, about: long dialogues need fewer contexts for the same work. */
const POOL_TURNS = 10_000;
/** Contexts of a data set. */
export const CONTEXTS = 60;

/** Contexts of a pool: a data set is at most a fifth of it, so that its draws are nearly independent. */
export const poolContexts = (world: World): number =>
  Math.max(5 * CONTEXTS, Math.round(POOL_TURNS / world.horizon));

/** A family served at several collapses, at histories that the demonstrator visits with it. */
export function memberEpsilon(world: World, dataSets: number, random: Random): Check[] {
  const family = DEFAULT_FAMILIES.seen[0]!;
  return GAMMAS.flatMap((gamma) => {
    const own = random.fork(`${placeOf(world)}/${gamma}`);
    const simulator = familySimulator(world, family, { gamma });
    return epsilonChecks({
      id: `epsilon.member.${placeOf(world)}.gamma-${gamma}`,
      where: `of a family collapsed by ${gamma} over histories visited in ${placeOf(world)}`,
      law: 'member',
      pool: memberPool(world, simulator, poolContexts(world), own),
      units: CONTEXTS,
      dataSets,
      random: own.fork('data sets'),
    });
  });
}

/** One dialogue a context; the simulator itself is asked again at probed turns. */
export function memberPool(
  world: World,
  simulator: Simulator,
  contexts: number,
  random: Random,
): HistoryPool {
  const histories: PooledHistory[] = [];
  for (let unit = 0; unit < contexts; unit++) {
    const own = random.fork(`context/${unit}`);
    const probe = own.fork('probe');
    playDialogue(world, world.setting(unit, 7), [simulator], 0, own, ([reader], depth) => {
      const { session, encounter, law } = reader!;
      const probability = probingChance(depth);
      const probed = probe.next() < probability;
      const replies = probed
        ? askMember(simulator.id, session, encounter, REPLIES, probe).map(({ act }) => act)
        : null;
      histories.push({ unit, probability, law: law.slice(), replies });
    });
  }
  return { units: contexts, histories };
}
