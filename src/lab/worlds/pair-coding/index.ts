import { CollapseAwareError } from '../../../errors.ts';
import type { Setting } from '../../world/setting.ts';
import type { World } from '../../world/world.ts';
import { AGENT_ACTS, APPEALS, PARTNER_ACTS } from './acts.ts';
import { CUES, INPUTS } from './agent-view.ts';
import { demonstrate } from './demonstrator.ts';
import { HABIT_COUNT } from './habits.ts';
import { PairEncounter } from './pair-encounter.ts';
import { type PairSetting, pairSetting } from './pair-setting.ts';
import { PAIR_WORDINGS } from './pair-wordings.ts';
import { agreeableness, anyTraits } from './partner-traits.ts';
import { PARTNER_TYPES } from './partner-types.ts';

/** Both features must fit in: fewer turns than this leave no time for it. */
const SHORTEST = 10;

/**
 * Two developers, each with a feature of its own, in one repository with overlapping edits; docs/lab-pair-coding.md
 * has the rules. Reward 1 where both features pass in what was pushed. Throws CA_CONFIG_INVALID for a horizon under 10.
 */
export function pairCoding(horizon = 50): World {
  if (!Number.isSafeInteger(horizon) || horizon < SHORTEST)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `pair-coding has a horizon of ${horizon}`, {
      todo: `Give a whole number from ${SHORTEST} on.`,
    });
  return {
    id: 'pair-coding',
    horizon,
    agentActs: AGENT_ACTS,
    userActs: PARTNER_ACTS,
    appeals: APPEALS,
    habits: HABIT_COUNT,
    types: PARTNER_TYPES,
    inputs: INPUTS,
    cues: CUES,
    setting: (index, seed) => pairSetting(index, seed, horizon),
    begin: (setting, users) => new PairEncounter(ownSetting(setting), users, horizon),
    agreeableness,
    anyTraits,
    demonstrate: (encounter, into) => {
      if (!(encounter instanceof PairEncounter))
        throw new CollapseAwareError('CA_INTERNAL', 'a dialogue of another world was given to pair-coding');
      demonstrate(encounter, into);
    },
    wordings: PAIR_WORDINGS,
  };
}

function ownSetting(setting: Setting): PairSetting {
  if (setting.world !== 'pair-coding' || !('kinds' in setting))
    throw new CollapseAwareError('CA_INTERNAL', `a setting of ${setting.world} was given to pair-coding`);
  return setting as PairSetting;
}
