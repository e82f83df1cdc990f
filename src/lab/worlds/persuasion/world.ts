import { CollapseAwareError } from '../../../errors.ts';
import type { UserTraits } from '../../world/traits.ts';
import type { World } from '../../world/world.ts';
import { AGENT_ACTS, APPEALS, USER_ACTS } from './acts.ts';
import { USUAL_TURNS } from './constants.ts';
import { cutsOf } from './decision.ts';
import { demonstrate } from './demonstration.ts';
import { CUES, OBSERVED, PersuasionEncounter } from './encounter.ts';
import { KINDS } from './kinds.ts';
import { paceOf } from './pace.ts';
import { type Dispositions, dispositionsOf } from './persuadees.ts';
import { HABITS } from './reply-law.ts';
import { settingOf } from './settings.ts';
import { WORDINGS } from './wordings.ts';

/**
 * A persuader (the agent) asks a persuadee (the user) for part of a payment of two dollars; reward = donation / 2,
 * at most 1. Throws CA_CONFIG_INVALID where the horizon is not a whole number of 3 or more.
 */
export function persuasion(horizon = USUAL_TURNS): World {
  if (!Number.isInteger(horizon) || horizon < 3)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `a horizon of ${horizon} turns: the world "persuasion" needs a whole number of 3 or more`,
    );
  const pace = paceOf(horizon);
  const cuts = cutsOf(horizon);
  /** Populations are met again and again: by the array, which nobody changes. */
  const known = new WeakMap<readonly UserTraits[], Dispositions>();
  return {
    id: 'persuasion',
    horizon,
    agentActs: AGENT_ACTS,
    userActs: USER_ACTS,
    appeals: APPEALS,
    habits: HABITS,
    types: KINDS,
    inputs: OBSERVED,
    cues: CUES,
    setting: settingOf,
    begin: (_, users) => {
      const who = known.get(users) ?? checked(users);
      known.set(users, who);
      return new PersuasionEncounter(who, horizon, pace, cuts);
    },
    agreeableness: ({ trust, patience, affinities, politeness }) => {
      const liked = affinities.reduce((sum, one) => sum + one, 0) / affinities.length;
      return 0.45 * trust + 0.25 * ((liked + 1) / 2) + 0.15 * patience + 0.15 * politeness;
    },
    anyTraits: (random) => ({
      trust: random.next(),
      affinities: APPEALS.map(() => 2 * random.next() - 1),
      patience: random.next(),
      disclosure: random.next(),
      consistency: random.next(),
      politeness: random.next(),
      expressiveness: random.next(),
      habit: random.integer(HABITS),
    }),
    demonstrate: (encounter, into) => {
      if (!(encounter instanceof PersuasionEncounter))
        throw new CollapseAwareError('CA_INTERNAL', 'an encounter of another world');
      demonstrate(encounter, into);
    },
    wordings: WORDINGS,
  };
}

function checked(users: readonly UserTraits[]): Dispositions {
  for (const { affinities, habit } of users)
    if (affinities.length !== APPEALS.length || !(habit >= 0 && habit < HABITS))
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `a user of the world "persuasion" has ${APPEALS.length} affinities and a habit of 0 .. ${HABITS - 1}; ` +
          `found ${affinities.length} and ${habit}`,
      );
  return dispositionsOf(users);
}
