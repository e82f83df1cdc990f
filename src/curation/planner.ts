import { withoutBypass } from './gate-guard.ts';
import { correctionOf, type Outcome, type PlanRule } from './planner-rule.ts';
import { planRules } from './planner-rules.ts';
import { clausesOf, leftover, negators, normalised, OFF_AFTER } from './planner-words.ts';
import { recipeFaults } from './read-recipe.ts';
import type { Recipe } from './recipe.ts';
import { type KnownChecks, knownChecks } from './recipe-defaults.ts';
import { faultLine } from './recipe-fault.ts';
import { partialRecipe } from './recipe-merge.ts';
import type { RecipeInput } from './recipe-schema.ts';
import { writtenRecipe } from './written-recipe.ts';

/** A recipe proposed for an intent, before anybody uses it. */
export interface Plan {
  /** What to write over the base: only the keys that change. */
  readonly recipe: RecipeInput;
  /** The base with it, every default filled in. */
  readonly proposed: Recipe;
  readonly reasons: readonly PlanReason[];
  /** Asked for, and not done: what a plan may not do (loosen the gate), or curation cannot. */
  readonly refused: readonly PlanReason[];
  /** Parts of the intent that no rule answers to. */
  readonly notUnderstood: readonly string[];
  /** Behaviours of users that were asked for by name. */
  readonly targets: readonly string[];
}

export interface PlanReason {
  readonly path: string;
  readonly because: string;
  /** Of the intent. */
  readonly words: string;
}

/**
 * A plan by rules alone (docs/planner.md lists them): no model, no network, the same words give the same plan. Never
 * loosens the gate. What it does not understand it says.
 */
export function planRecipe(intent: string, base: Recipe, known: KnownChecks = knownChecks()): Plan {
  const rules = planRules(known);
  const state: State = {
    recipe: base,
    reasons: [],
    refused: [],
    notUnderstood: [],
    targets: new Set(),
    corrected: null,
    waiting: [],
  };
  for (const { text, unclear } of clausesOf(normalised(intent))) {
    if (unclear) state.notUnderstood.push(text);
    else planClause(text, rules, state, known);
  }
  for (const { answer, match, words } of state.waiting)
    take(answer(inputOf(state, match, known, true)), words, state, known);
  return finishedPlan(base, state.recipe, known, {
    reasons: state.reasons,
    refused: state.refused,
    notUnderstood: state.notUnderstood,
    targets: [...state.targets],
  });
}

/** A plan from a proposed recipe, its gate held to the base's. */
export function finishedPlan(
  base: Recipe,
  proposal: Recipe,
  known: KnownChecks,
  told: Pick<Plan, 'reasons' | 'refused' | 'notUnderstood' | 'targets'>,
): Plan {
  const { recipe: proposed, undone } = withoutBypass(base, proposal);
  return {
    recipe: partialRecipe(base, proposed, known),
    proposed,
    ...told,
    refused: [
      ...told.refused,
      ...undone.map(({ path, found, kept }) => ({
        path,
        because: `a plan never loosens the gate: ${kept} stays`,
        words: found,
      })),
    ],
  };
}

interface State {
  recipe: Recipe;
  readonly reasons: PlanReason[];
  readonly refused: PlanReason[];
  readonly notUnderstood: string[];
  readonly targets: Set<string>;
  /** Words that asked for a place to correct concentration in: the first ones have it. */
  corrected: string | null;
  /** Answers that depend on what the other words ask for. */
  readonly waiting: { readonly answer: Answer; readonly match: RegExpExecArray; readonly words: string }[];
}

type Answer = PlanRule['change'];

const inputOf = (state: State, match: RegExpExecArray, known: KnownChecks, last: boolean) => ({
  recipe: state.recipe,
  corrected: state.corrected,
  match,
  known,
  last,
});

function planClause(clause: string, rules: readonly PlanRule[], state: State, known: KnownChecks): void {
  let rest = clause;
  const found: { at: number; words: string; rule: PlanRule; match: RegExpExecArray }[] = [];
  for (const rule of rules)
    for (const match of rest.matchAll(rule.pattern)) {
      if (match[0].includes('\u0000')) continue;
      found.push({ at: match.index, words: match[0].trim(), rule, match });
      rest = blanked(rest, match.index, match[0].length);
    }
  found.sort((a, b) => a.at - b.at);
  for (const { at, words, rule, match } of found) {
    const times = negators(rest.slice(0, at)) + (OFF_AFTER.test(rest.slice(at + match[0].length)) ? 1 : 0);
    const answer = times === 0 ? rule.change : times === 1 ? rule.negated : undefined;
    if (answer === undefined) {
      state.notUnderstood.push(clause);
      continue;
    }
    const outcome = answer(inputOf(state, match, known, false));
    if (outcome.waits === true) state.waiting.push({ answer, match, words });
    else take(outcome, words, state, known);
  }
  if (state.notUnderstood.includes(clause)) return;
  // Where no rule answers, the whole clause says more than its odd words.
  if (found.length === 0) {
    if (leftover(rest).length > 0) state.notUnderstood.push(clause);
  } else for (const run of leftover(rest)) if (!NEGATION_ONLY.test(run)) state.notUnderstood.push(run);
}

function take(outcome: Outcome, words: string, state: State, known: KnownChecks): void {
  const { path, because, refused, target } = outcome;
  const faults = recipeFaults(writtenRecipe(outcome.recipe, known), known);
  if (faults.length > 0) {
    state.refused.push({ path, because: faults.map(faultLine).join('; '), words });
    return;
  }
  const place = correctionOf(outcome.recipe);
  const moves = place !== correctionOf(state.recipe) && place !== 'none';
  if (moves || outcome.claims === true) {
    if (moves && state.corrected !== null) {
      const first = `concentration is corrected once, and "${state.corrected}" came first`;
      state.refused.push({ path, because: first, words });
      return;
    }
    if (outcome.yields !== true) state.corrected ??= words;
  }
  state.recipe = outcome.recipe;
  if (target !== undefined) state.targets.add(target);
  (refused ? state.refused : state.reasons).push({ path, because, words });
}

/** Taken into account with the words it stood before. */
const NEGATION_ONLY =
  /^(?:(?:do|no|not|never|without|don't|avoid|skip|disable|bypass|less|off|remove|ignore|exclude)\s*)+$/;

function blanked(text: string, at: number, length: number): string {
  return text.slice(0, at) + '\u0000'.repeat(length) + text.slice(at + length);
}
