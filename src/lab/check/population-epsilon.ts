import type { Random } from '../../math/random.ts';
import { memberPosterior, populationLaw } from '../../metrics/index.ts';
import { uniformDraw } from '../../population/index.ts';
import { askPopulation } from '../record/index.ts';
import { DEFAULT_FAMILIES, drawFrom, familySimulator, type Simulator } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import type { Check } from './check-result.ts';
import { epsilonChecks } from './epsilon-checks.ts';
import { type HistoryPool, type PooledHistory, probingChance, REPLIES } from './history-pool.ts';
import { CONTEXTS, poolContexts } from './member-epsilon.ts';
import { placeOf, playDialogue } from './population-session.ts';

const TURNS = 10;

/** K users who each have one reply and share none: 1 - 1/K where they change per turn or at a first turn, else 0. */
export function disjointEpsilon(dataSets: number, random: Random): Check[] {
  return [2, 5, 10].flatMap((k) => {
    const uniform = { disagreement: 1 - 1 / k, epsilon: 1 - 1 / k };
    const none = { disagreement: 0, epsilon: 0 };
    const check = (kind: DisjointKind, truth: typeof uniform, where: string, sets: number) => {
      const own = random.fork(`${k}/${kind}`);
      return epsilonChecks({
        id: `epsilon.population.disjoint-${k}.${kind}`,
        where: `of ${k} users with one reply each, ${where}`,
        law: kind === 'member' ? 'member' : 'population',
        pool: disjointPool(k, kind, own),
        truth,
        units: CONTEXTS,
        dataSets: sets,
        random: own.fork('data sets'),
      });
    };
    return [
      ...check('per-turn', uniform, 'drawn per turn', dataSets),
      ...check('first-turn', uniform, 'drawn per session, at first turns', 0),
      ...check('later', none, 'drawn per session, at later turns', 0),
      ...check('member', none, 'each by itself', 0),
    ];
  });
}

type DisjointKind = 'per-turn' | 'first-turn' | 'later' | 'member';

function disjointPool(k: number, kind: DisjointKind, random: Random): HistoryPool {
  const members = Array.from({ length: k }, (_, i) => ({ id: `user-${i}`, reply: i }));
  const laws = members.map(({ reply }) => Float64Array.from({ length: k }, (_, c) => (c === reply ? 1 : 0)));
  const even = members.map(() => 1 / k);
  const units = 5 * CONTEXTS;
  const histories: PooledHistory[] = [];
  for (let unit = 0; unit < units; unit++) {
    const own = random.fork(`context/${unit}`);
    const speaker = own.integer(k);
    const past: number[][] = members.map(() => []);
    for (let depth = 0; depth < (kind === 'first-turn' ? 1 : TURNS); depth++) {
      const weights =
        kind === 'member'
          ? even.map((_, i) => (i === speaker ? 1 : 0))
          : kind === 'per-turn'
            ? even
            : memberPosterior(even, past)!;
      for (const [i, likelihoods] of past.entries()) likelihoods.push(i === speaker ? 1 : 0);
      if (kind === 'later' && depth === 0) continue;
      const draw = () =>
        kind === 'per-turn' ? uniformDraw(members, own).reply : drawFrom(Float64Array.from(weights), own);
      histories.push({
        unit,
        probability: 1,
        law: populationLaw(weights, laws),
        replies: Array.from({ length: REPLIES }, draw),
      });
    }
  }
  return { units, histories };
}

/** The seen families as one population, a member drawn per dialogue: the mixture by its posterior at every history. */
export function mixtureEpsilon(world: World, dataSets: number, random: Random): Check[] {
  const members = DEFAULT_FAMILIES.seen.map((family) => familySimulator(world, family));
  return (['first-turn', 'all-turns'] as const).flatMap((turns) => {
    const own = random.fork(`${placeOf(world)}/${turns}`);
    const where = turns === 'first-turn' ? 'first turns' : 'visited histories';
    return epsilonChecks({
      id: `epsilon.population.${placeOf(world)}.${turns}`,
      where: `of ${members.length} families mixed by their posterior at ${where} of ${placeOf(world)}`,
      law: 'population',
      pool: mixturePool(world, members, turns === 'first-turn', own),
      units: CONTEXTS,
      dataSets,
      random: own.fork('data sets'),
    });
  });
}

function mixturePool(
  world: World,
  members: readonly Simulator[],
  first: boolean,
  random: Random,
): HistoryPool {
  const units = first ? 10 * CONTEXTS : Math.max(5 * CONTEXTS, Math.round(poolContexts(world) / 2));
  const even = members.map(() => 1 / members.length);
  const histories: PooledHistory[] = [];
  for (let unit = 0; unit < units; unit++) {
    const own = random.fork(`context/${unit}`);
    const probe = own.fork('probe');
    const speaker = own.fork('member').integer(members.length);
    playDialogue(world, world.setting(unit, 11), members, speaker, own, (readers, depth) => {
      if (first && depth > 0) return;
      const posterior = memberPosterior(
        even,
        readers.map(({ likelihoods }) => likelihoods),
      )!;
      const probability = probingChance(depth);
      const probed = probe.next() < probability;
      const standIns = readers.map(({ session, encounter }, i) => ({
        family: members[i]!.family,
        id: members[i]!.id,
        weight: posterior[i]!,
        session,
        encounter,
      }));
      histories.push({
        unit,
        probability,
        law: populationLaw(
          posterior,
          readers.map(({ law }) => law),
        ),
        replies: probed ? askPopulation(standIns, REPLIES, probe).map(({ act }) => act) : null,
      });
    });
  }
  return { units, histories };
}
