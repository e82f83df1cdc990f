import type { UserTraits, UserType } from '../../../../src/lab/world/traits.ts';
import { AGENT } from '../../../../src/lab/worlds/service/acts.ts';
import type { Desk } from '../../../../src/lab/worlds/service/desk.ts';
import type { ServiceEncounter } from '../../../../src/lab/worlds/service/encounter.ts';
import { FIRST_TOOL } from '../../../../src/lab/worlds/service/rules.ts';
import type { ServiceSetting } from '../../../../src/lab/worlds/service/setting.ts';
import { seeded } from '../../../../src/math/random.ts';
import { begin, draw, world } from './desk-plays.ts';

/** The share of each of the world's types that the user is thought to be. */
type Belief = readonly number[];
export type Agent = (encounter: ServiceEncounter, belief: Belief) => number;

const APPEALS = [AGENT.explain, AGENT.apologise, AGENT['offer-alternative']];

/** Fills the form in from the top; what it does about doubt and about denial is given. */
function clerk(desk: Desk, confirms: boolean, appease: number): number {
  if (desk.database.settled || desk.executed >= 0) return AGENT.close;
  if (desk.turnedDown) return appease;
  if (desk.heard < 0) return AGENT['ask-goal'];
  if (!desk.identity) return AGENT['ask-identity'];
  if (desk.told < 0 || desk.toldStale) return AGENT['ask-order'];
  if (desk.looked !== desk.told) return AGENT['look-up'];
  const confirm = confirms && !desk.committed;
  if (desk.ruling === 0) return confirm ? AGENT['confirm-plan'] : AGENT.deny;
  if (desk.detailNeeded && !desk.detailKnown) return AGENT['ask-detail'];
  if (desk.codeNeeded && !desk.code) return AGENT['ask-code'];
  return confirm ? AGENT['confirm-plan'] : FIRST_TOOL + desk.heardKind;
}

const inTurn = (desk: Desk) => APPEALS[APPEALS.reduce((n, act) => n + desk.agentCounts[act]!, 0) % 3]!;

/** Never reads back, and repeats a denial. */
export const hasty: Agent = ({ desk }) => clerk(desk, false, AGENT.deny);
/** Never reads back; one appeal after the other. */
export const quick: Agent = ({ desk }) => clerk(desk, false, inTurn(desk));
/** Reads back whatever it is about to do. */
export const careful: Agent = ({ desk }) => clerk(desk, true, inTurn(desk));

/** Acts by what the people it may have before it are like on average. */
export const adaptive: Agent = ({ desk }, belief) => {
  const mean = (of: (traits: UserTraits) => number) =>
    world.types.reduce((sum, { traits }, type) => sum + belief[type]! * of(traits), 0);
  const worth = APPEALS.map(
    (act, appeal) => 0.6 ** desk.agentCounts[act]! * mean(({ affinities }) => affinities[appeal]!),
  );
  const busy = desk.executed < 0 && !desk.database.settled && !desk.turnedDown && desk.turn > 0;
  if (busy) {
    const alternative = desk.heard >= 0 && !desk.changeable;
    const best =
      worth[2]! > Math.max(worth[0]!, worth[1]!) && alternative ? 2 : worth[1]! > worth[0]! ? 1 : 0;
    if (worth[best]! > 0.4) return APPEALS[best]!;
  }
  if (desk.changeable) worth[2]! += 0.4 * 0.6 ** desk.agentCounts[AGENT['offer-alternative']]!;
  const best = worth.indexOf(Math.max(...worth));
  const unsure = mean(({ consistency }) => consistency) < 0.6;
  return clerk(desk, unsure, worth[best]! < -0.1 ? AGENT.deny : APPEALS[best]!);
};

/** Mean reward over people, weighted by share, with `plays` dialogues a type. */
export function successOnPeople(
  agent: Agent,
  plays: number,
  types: readonly UserType[] = world.types,
  horizon = 30,
): number {
  const traits = world.types.map((type) => type.traits);
  const law = new Float64Array(world.userActs.length);
  let total = 0;
  for (const type of types) {
    const own = world.types.indexOf(type);
    for (let index = 0; index < plays; index++) {
      const random = seeded(`${type.id}/${index}`);
      const encounter = begin(world.setting(index, 2) as ServiceSetting, traits, horizon);
      let belief = world.types.map(({ share }) => share);
      while (encounter.phase !== 'over') {
        if (encounter.phase === 'agent') {
          encounter.actAgent(agent(encounter, belief));
          continue;
        }
        encounter.law(own, law);
        const act = draw(law, random);
        const weights = belief.map((share, who) => {
          encounter.law(who, law);
          return share * law[act]!;
        });
        const sum = weights.reduce((a, b) => a + b, 0);
        belief = weights.map((weight) => weight / sum);
        encounter.actUser(act);
      }
      total += (type.share * encounter.reward!) / plays;
    }
  }
  return total / types.reduce((sum, { share }) => sum + share, 0);
}

/** An agent that draws from the world's demonstration. */
export function demonstrator(seed: string): Agent {
  const random = seeded(seed);
  const shares = new Float64Array(world.agentActs.length);
  return (encounter) => {
    world.demonstrate(encounter, shares);
    return draw(shares, random);
  };
}
