import type { GateProfile } from './gate/gate-recipe.ts';
import type { AdvantageRecipe, CorrectionPlace, Recipe, WeightsRecipe } from './recipe.ts';
import { defaultsFor, type KnownChecks, profileGate, STAGE_DEFAULTS } from './recipe-defaults.ts';

/** What a rule makes of the words it answers to. */
export interface Outcome {
  readonly recipe: Recipe;
  /** Key that it is about. */
  readonly path: string;
  readonly because: string;
  /** The words ask for what a plan cannot or may not do; `because` says why and what helps instead. */
  readonly refused: boolean;
  /** The words name the place where concentration is to be corrected, if it is there already, too. */
  readonly claims?: true;
  /** The place moves only because something else was asked for: words that name a place still have it. */
  readonly yields?: true;
  /** Asked again when all other words have had their say. */
  readonly waits?: true;
  /** A behaviour of users that was asked for. */
  readonly target?: string;
}

export interface RuleInput {
  readonly recipe: Recipe;
  readonly match: RegExpExecArray;
  readonly known: KnownChecks;
  /** Words that named the place where concentration is corrected; null = none did yet. */
  readonly corrected: string | null;
  /** All other words have had their say. */
  readonly last: boolean;
}

/** One entry of the planner's dictionary. */
export interface PlanRule {
  /** Words that it answers to, as docs/planner.md lists them; a test plans each. */
  readonly examples: readonly string[];
  /** On normalised text; global. */
  readonly pattern: RegExp;
  readonly change: (input: RuleInput) => Outcome;
  /** What the words mean under "no", "not", "without"; absent: they are then listed as not understood. */
  readonly negated?: (input: RuleInput) => Outcome;
}

export const done = (recipe: Recipe, path: string, because: string): Outcome => ({
  recipe,
  path,
  because,
  refused: false,
});

export const refused = (recipe: Recipe, path: string, because: string): Outcome => ({
  recipe,
  path,
  because,
  refused: true,
});

/** The weights changed; switched on with the defaults where they were off. */
export function withWeights(
  recipe: Recipe,
  change: (weights: WeightsRecipe) => Partial<WeightsRecipe>,
): Recipe {
  const place = correctionOf(recipe);
  const weights = recipe.weights ?? defaultsFor(place === 'none' ? 'weights' : place).weights;
  return { ...recipe, weights: { ...weights, ...change(weights) } };
}

/** Concentration corrected in one place, and nowhere else. */
export function correctedBy(recipe: Recipe, place: CorrectionPlace): Recipe {
  const inWeights = place === 'weights';
  return {
    ...recipe,
    weights:
      recipe.weights === null ? null : { ...recipe.weights, concentration: inWeights, coverage: inWeights },
    batches:
      place === 'batches'
        ? { ...(recipe.batches ?? STAGE_DEFAULTS.batches), balance: 'mode' }
        : recipe.batches && { ...recipe.batches, balance: 'none' },
    gradient: place === 'gradient' ? (recipe.gradient ?? STAGE_DEFAULTS.gradient) : null,
  };
}

/** The same, because the words say so. */
export const claimed = (recipe: Recipe, place: CorrectionPlace, path: string, because: string): Outcome => ({
  ...done(correctedBy(recipe, place), path, because),
  claims: true,
});

/** Where concentration is corrected when another place was taken away. */
export function placeInstead({ batches, selection }: Recipe): CorrectionPlace {
  return batches === null || selection !== null ? 'weights' : 'batches';
}

/** What balanced batches cost after a selection; empty where there is only one of them. */
export function costOfBalance({ batches, selection }: Recipe): string {
  return batches?.balance === 'mode' && selection !== null
    ? '; balanced batches leave whole groups out after the selection, with unknown chances: the gradient is no longer unbiased for all groups'
    : '';
}

/** Where the recipe corrects concentration now. */
export function correctionOf(recipe: Recipe): CorrectionPlace | 'none' {
  if (recipe.batches?.balance === 'mode') return 'batches';
  if (recipe.gradient !== null) return 'gradient';
  return recipe.weights?.concentration === true || recipe.weights?.coverage === true ? 'weights' : 'none';
}

/** The gate at a profile or a stricter one; every check as strict as it was, or stricter. */
export function gateAtLeast(recipe: Recipe, profile: GateProfile, known: KnownChecks): Recipe {
  const order: readonly GateProfile[] = ['lenient', 'standard', 'strict'];
  const asked = profileGate(profile, known);
  const { gate } = recipe;
  if (gate === null) return { ...recipe, gate: asked };
  if (order.indexOf(profile) <= order.indexOf(gate.profile)) return recipe;
  const actions = { ...asked.actions };
  const rank = { off: 0, flag: 1, drop: 2 };
  for (const [name, action] of Object.entries(gate.actions))
    if (actions[name] === undefined || rank[action] > rank[actions[name]]) actions[name] = action;
  return {
    ...recipe,
    gate: { ...gate, profile, actions, unchecked: gate.unchecked === 'drop' ? 'drop' : asked.unchecked },
  };
}

/** Where concentration is corrected now, where that is weights or nothing. */
export function placeTold(recipe: Recipe): string {
  return correctionOf(recipe) === 'weights'
    ? 'weights correct concentration instead'
    : 'nothing corrects concentration then';
}

/** The advantage changed; switched on where it was off. */
export function withAdvantage(
  recipe: Recipe,
  change: (advantage: AdvantageRecipe) => Partial<AdvantageRecipe>,
): Recipe {
  const advantage = recipe.advantage ?? {
    ...STAGE_DEFAULTS.advantage,
    normalise: recipe.selection === null,
  };
  return { ...recipe, advantage: { ...advantage, ...change(advantage) } };
}

/** Source of a pattern: a whole number as people write it, and a "k" that stands for thousands. */
export const NUMBER = String.raw`(\d[\d,_]*)(?:\s?(k))?\b`;

/** A whole number as people write it: 500, 1,000, 2k; null where it is not usable. */
export function wholeNumber(text: string | undefined, thousands?: string): number | null {
  if (text === undefined) return null;
  const value = Number(text.replace(/[,_]/g, '')) * (thousands === 'k' ? 1000 : 1);
  return Number.isSafeInteger(value) ? value : null;
}
