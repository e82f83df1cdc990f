import type { GateAction, GateProfile, GateRecipe } from './gate-recipe.ts';

/** What each profile does with a finding. Findings that blame the policy are noted at most, whatever stands here. */
const ACTIONS: Readonly<
  Record<string, readonly [lenient: GateAction, standard: GateAction, strict: GateAction]>
> = {
  'infrastructure-failure': ['drop', 'drop', 'drop'],
  'role-reversal': ['flag', 'drop', 'drop'],
  'leaked-instructions': ['flag', 'drop', 'drop'],
  'leaked-scenario': ['flag', 'drop', 'drop'],
  'raw-json': ['drop', 'drop', 'drop'],
  'premature-stop': ['flag', 'drop', 'drop'],
  'repeats-itself': ['flag', 'drop', 'drop'],
  'contradicts-task': ['flag', 'drop', 'drop'],
  'degenerate-text': ['drop', 'drop', 'drop'],
  'policy-failure': ['flag', 'flag', 'flag'],
  'invalid-reward': ['drop', 'drop', 'drop'],
  'missing-reward': ['flag', 'drop', 'drop'],
  duplicate: ['drop', 'drop', 'drop'],
};

export const GATE_PROFILES: readonly GateProfile[] = ['lenient', 'standard', 'strict'];

/** A profile as a recipe with everything filled in. */
export function defaultGate(profile: GateProfile = 'standard'): GateRecipe {
  const at = GATE_PROFILES.indexOf(profile);
  return {
    profile,
    actions: Object.fromEntries(Object.entries(ACTIONS).map(([check, actions]) => [check, actions[at]!])),
    rewardRange: null,
    unchecked: profile === 'strict' ? 'drop' : 'keep',
    judge: null,
  };
}
