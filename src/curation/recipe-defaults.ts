import type { GateAction, GateProfile, GateRecipe } from './gate/gate-recipe.ts';
import { JUDGE_QUESTIONS } from './gate/judge-questions.ts';
import { defaultGate } from './gate/profiles.ts';
import {
  type AdvantageRecipe,
  type AllocationRecipe,
  type BatchesRecipe,
  type ConsistencyRecipe,
  type CorrectionPlace,
  type GradientRecipe,
  RECIPE_SCHEMA,
  type Recipe,
  type SelectionRecipe,
  type WeightsRecipe,
} from './recipe.ts';

/** The checks there are: built-in ones by the gate's profiles, own ones beside them (they drop what they find). */
export interface KnownChecks {
  /** The gate of a profile, without a judge. */
  readonly profile: (profile: GateProfile) => GateRecipe;
  /** Names of own checks. */
  readonly checks: readonly string[];
  /** Questions that a judge can be asked. */
  readonly questions: readonly string[];
}

/** The built-in checks with own ones beside them. */
export function knownChecks(own: readonly string[] = []): KnownChecks {
  return { profile: defaultGate, checks: own, questions: JUDGE_QUESTIONS.map(({ name }) => name) };
}

/** What a stage is set to where the recipe says `true`, or leaves keys out, and batches correct concentration. */
export const STAGE_DEFAULTS = {
  weights: {
    alpha: 1,
    neighbours: 5,
    coverage: false,
    concentration: false,
    bounds: [0.25, 4],
    ess: 0.5,
  } satisfies WeightsRecipe,
  batches: { size: 128, balance: 'mode' } satisfies BatchesRecipe,
  gradient: { beta: 1 } satisfies GradientRecipe,
  advantage: { baseline: 'weighted', normalise: true, consistency: null } satisfies AdvantageRecipe,
  selection: { keep: 4, design: 'conditional-poisson' } satisfies SelectionRecipe,
  allocation: { budget: 512, group: 8, floor: 0.2 } satisfies AllocationRecipe,
} as const;

/** The same where concentration is corrected in `place`. */
export function defaultsFor(place: CorrectionPlace): { weights: WeightsRecipe; batches: BatchesRecipe } {
  const here = place === 'weights';
  return {
    weights: { ...STAGE_DEFAULTS.weights, coverage: here, concentration: here },
    batches: { ...STAGE_DEFAULTS.batches, balance: place === 'batches' ? 'mode' : 'none' },
  };
}

/** lambda is the strength of V-REx's penalty, but the step of group DRO's weights: they have no common scale. */
export const CONSISTENCY_DEFAULTS: Readonly<Record<ConsistencyRecipe['rule'], ConsistencyRecipe>> = {
  'v-rex': { rule: 'v-rex', lambda: 1, base: null },
  'group-dro': { rule: 'group-dro', lambda: 0.1, base: null },
};

/** Answers that a judge is asked for each question. */
export const JUDGE_VOTES = 3;

/** The gate of a profile with own checks in it. */
export function profileGate(profile: GateProfile, known: KnownChecks): GateRecipe {
  const gate = known.profile(profile);
  const own: Record<string, GateAction> = {};
  for (const name of known.checks) own[name] = 'drop';
  return { ...gate, actions: { ...gate.actions, ...own } };
}

/** The recipe of an empty file. */
export function defaultRecipe(known: KnownChecks = knownChecks()): Recipe {
  return {
    schema: RECIPE_SCHEMA,
    seed: 1,
    gate: profileGate('standard', known),
    weights: STAGE_DEFAULTS.weights,
    batches: STAGE_DEFAULTS.batches,
    gradient: null,
    advantage: null,
    selection: null,
    allocation: null,
    export: ['native'],
  };
}

export const DEFAULT_RECIPE: Recipe = defaultRecipe();
