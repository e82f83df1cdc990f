import { CollapseAwareError } from '../../../errors.ts';
import type { Random } from '../../../math/random.ts';
import type { Encounter } from '../../world/encounter.ts';
import type { Setting } from '../../world/setting.ts';
import type { UserTraits } from '../../world/traits.ts';
import type { World } from '../../world/world.ts';
import { AGENT_ACTS, APPEALS, USER_ACTS } from './acts.ts';
import { AGENT_WORDINGS } from './agent-wordings.ts';
import { demonstrate } from './demonstrator.ts';
import { ServiceEncounter } from './encounter.ts';
import { HABIT_COUNT } from './habits.ts';
import { CUE_WIDTH, OBSERVATION_WIDTH } from './observation.ts';
import { PEOPLE } from './people.ts';
import { type ServiceSetting, serviceSetting } from './setting.ts';
import { USER_WORDINGS } from './user-wordings.ts';

const MIN_HORIZON = 10;

/**
 * A shop's help desk: the agent has a database, four tools that write to it and rules to keep; users have a goal they
 * may tell late, wrongly or change. Reward 1 where the database ends as the user's final goal and the rules demand,
 * else 0. `horizon`: turns of the agent, look-ups included, at least 10. Throws CA_USAGE below that.
 */
export function service(horizon = 30): World {
  if (!Number.isSafeInteger(horizon) || horizon < MIN_HORIZON)
    throw new CollapseAwareError(
      'CA_USAGE',
      `a horizon of ${horizon} turns is too short for the service world`,
      {
        todo: `Take a whole number of ${MIN_HORIZON} or more.`,
      },
    );
  const allowed = new Uint8Array(AGENT_ACTS.length);
  return {
    id: 'service',
    horizon,
    agentActs: AGENT_ACTS,
    userActs: USER_ACTS,
    appeals: APPEALS,
    habits: HABIT_COUNT,
    types: PEOPLE,
    inputs: OBSERVATION_WIDTH,
    cues: CUE_WIDTH,
    setting: serviceSetting,
    begin: (setting: Setting, users: readonly UserTraits[]) =>
      new ServiceEncounter(setting as ServiceSetting, users, horizon),
    agreeableness,
    anyTraits,
    demonstrate: (encounter: Encounter, into: Float64Array) =>
      demonstrate((encounter as ServiceEncounter).desk, allowed, into),
    wordings: { agent: AGENT_WORDINGS, user: USER_WORDINGS },
  };
}

/** Trusting, patient, open users who know what they want are the easy ones. */
function agreeableness({ trust, patience, disclosure, consistency, politeness }: UserTraits): number {
  return 0.3 * trust + 0.25 * patience + 0.2 * disclosure + 0.15 * consistency + 0.1 * politeness;
}

function anyTraits(random: Random): UserTraits {
  return {
    trust: random.next(),
    affinities: APPEALS.map(() => 2 * random.next() - 1),
    patience: random.next(),
    disclosure: random.next(),
    consistency: random.next(),
    politeness: random.next(),
    expressiveness: random.next(),
    habit: random.integer(HABIT_COUNT),
  };
}
