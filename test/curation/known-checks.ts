import type { GateAction, GateProfile } from '../../src/curation/gate/gate-recipe.ts';
import type { KnownChecks } from '../../src/curation/recipe-defaults.ts';

/** A gate of four checks, small enough to see through. */
export const KNOWN: KnownChecks = {
  profile: (profile: GateProfile) => ({
    profile,
    actions: {
      leak: profile === 'lenient' ? 'flag' : 'drop',
      'repeats-itself': profile === 'strict' ? 'drop' : 'flag',
      duplicate: 'drop',
      'premature-stop': profile === 'strict' ? 'drop' : 'off',
    } satisfies Record<string, GateAction>,
    rewardRange: null,
    unchecked: profile === 'strict' ? 'drop' : 'keep',
    judge: null,
  }),
  checks: [],
  questions: ['out-of-role', 'contradicts-task'],
};
