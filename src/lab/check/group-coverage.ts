import type { Random } from '../../math/random.ts';
import { groupExposure, type MemberDraw } from '../../metrics/index.ts';
import { groupDraw, weightedDraw } from '../../population/index.ts';
import { DEFAULT_FAMILIES, drawFrom, familySimulator, type Simulator } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import { bounds, CHECK_LEVEL, type Check, checkOf, digits, shareFigure } from './check-result.ts';
import { placeOf, playDialogue } from './population-session.ts';

/** Rollouts of a GRPO group. */
const GROUP = 8;
/** Settings among which the place is looked for where the two ways of drawing differ most. */
const SETTINGS = 20;

interface Member {
  readonly id: string;
  readonly weight: number;
  readonly simulator: Simulator;
}

/** One reply to the same words: `laws[i]` = law of member i there. */
interface Place {
  readonly laws: readonly Float64Array[];
  readonly act: number;
}

/**
 * A group of rollouts that all begin in one setting with the same words of the agent. The behaviour is one reply to
 * them, so that its chance with each family is known; place and reply are those whose two exact values are farthest
 * apart, for what is to be told apart should differ.
 */
export function groupCoverage(world: World, groups: number, random: Random): Check[] {
  const families = Object.values(DEFAULT_FAMILIES).flat();
  const total = families.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
  const members = families.map(
    (family, i): Member => ({
      id: family.id,
      weight: 1 / (i + 1) / total,
      simulator: familySimulator(world, family),
    }),
  );
  const exactOf = ({ laws, act }: Place, draw: MemberDraw) =>
    groupExposure(
      members.map(({ weight }) => weight),
      laws.map((law) => law[act]!),
      GROUP,
      draw,
    );
  const gap = (place: Place) => exactOf(place, 'per-rollout') - exactOf(place, 'per-group');
  const places = Array.from({ length: SETTINGS }, (_, s) =>
    openingLaws(world, members, s, random.fork(`opening/${s}`)),
  ).flatMap((laws) => world.userActs.map((_, act): Place => ({ laws, act })));
  const place = places.reduce((best, one) => (gap(one) > gap(best) ? one : best));
  const chances = place.laws.map((law) => law[place.act]!);
  const words = `a group of ${GROUP} shows "${world.userActs[place.act]}"`;
  return (['per-rollout', 'per-group'] as const).map((draw) => {
    const shown = groupsShowing(members, place, groups, draw, random.fork(draw));
    return checkOf({
      id: `group.${placeOf(world)}.${draw}`,
      statement:
        draw === 'per-rollout'
          ? `${words} with 1 - (1 - q)^${GROUP}, members drawn per rollout`
          : `${words} with sum w_i (1 - (1 - q_i)^${GROUP}), one member a group`,
      claim: 'equal',
      exact: exactOf(place, draw),
      estimate: shareFigure(shown, groups, CHECK_LEVEL),
      note:
        `95 % interval ${bounds(shareFigure(shown, groups, 0.05))}; ${members.length} families, ` +
        `q_i from ${digits(Math.min(...chances))} to ${digits(Math.max(...chances))}`,
    });
  });
}

/** Laws of the first reply of each, after the same words of the demonstrator. */
function openingLaws(
  world: World,
  members: readonly Member[],
  setting: number,
  random: Random,
): Float64Array[] {
  const simulators = members.map(({ simulator }) => simulator);
  let laws: Float64Array[] = [];
  playDialogue(world, world.setting(setting, 13), simulators, 0, random, (readers, depth) => {
    if (depth === 0) laws = readers.map(({ law }) => law.slice());
  });
  return laws;
}

function groupsShowing(
  members: readonly Member[],
  { laws, act }: Place,
  groups: number,
  draw: MemberDraw,
  random: Random,
): number {
  const weights = new Map(members.map(({ id, weight }) => [id, weight]));
  const lawOf = new Map(members.map(({ id }, i) => [id, laws[i]!]));
  const seed = random.integer(2 ** 31);
  let shown = 0;
  for (let group = 0; group < groups; group++) {
    const shared = draw === 'per-group' ? groupDraw(members, `group ${group}`, seed, weights) : null;
    let any = false;
    for (let rollout = 0; rollout < GROUP; rollout++) {
      const { id } = shared ?? weightedDraw(members, weights, random);
      if (drawFrom(lawOf.get(id)!, random) === act) any = true;
    }
    if (any) shown += 1;
  }
  return shown;
}
