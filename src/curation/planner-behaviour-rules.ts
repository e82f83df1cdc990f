import {
  correctionOf,
  done,
  type Outcome,
  type PlanRule,
  refused,
  withAdvantage,
  withWeights,
} from './planner-rule.ts';
import type { Recipe } from './recipe.ts';
import { CONSISTENCY_DEFAULTS } from './recipe-defaults.ts';

/** What words about users, and about a policy that learns only some of them, mean. */
export const BEHAVIOUR_RULES: readonly PlanRule[] = [
  {
    examples: ['less overfitting to one simulator', 'does not overfit'],
    pattern:
      /\b(?:(?:less|reduce|reducing|avoid|prevent|against|no|not|without|stop|never|do not|don't|does not|doesn't) )*over[- ]?fit(?:s|ted|ting)?\b(?: (?:to|on|towards)(?: (?:a|an|all|any|each|few|llm|one|only|our|my|same|simulated|single|some|that|the|these|this|those))*(?: (?:(simulators?|users?|personas?|customers?|callers?|people)|([a-z][a-z-]*) (?:users?|personas?|customers?|callers?|people)|([a-z][a-z-]*)))?)?/g,
    change: ({ recipe, match }) => overfitted(recipe, match),
  },
  {
    examples: ['impatient users', 'rude customers', 'confused'],
    pattern:
      /\b(?:((?!(?:all|any|the|my|our|real|human|simulated|many|most|some|other|few|new|every|each|for|of|to|and|with|from|by|on|in|as|is|are|these|those|end|no|not|llm|across|between|over|against|handle|than|like|towards?)\b)[a-z][a-z-]{2,30}) (?:users?|customers?|callers?|personas?|people)|(impatient|rude|angry|frustrated|confused|hesitant|terse|verbose|talkative|polite|sceptical|skeptical|stubborn|forgetful|anxious|elderly|uncooperative|non-native))\b/g,
    change: ({ recipe, match }) => targeted(recipe, match[1] ?? match[2]!),
    negated: ({ recipe, match }) =>
      refused(recipe, 'gate', `modes have no names, so "${match[1] ?? match[2]}" users cannot be left out`),
  },
];

/** Curation cannot know what a policy overfits to; it can hold back what only some simulators or modes teach. */
function overfitted(recipe: Recipe, [, simulators, behaviour]: RegExpExecArray): Outcome {
  if (behaviour !== undefined) return targeted(recipe, behaviour);
  if (simulators === undefined)
    return refused(
      recipe,
      'advantage.consistency',
      'no setting of a recipe stands for it; name simulators ("overfitting to one simulator") for gains that are held to all of them, or ask for a "coverage boost"',
    );
  return done(
    withAdvantage(recipe, ({ consistency }) => ({
      consistency: consistency ?? CONSISTENCY_DEFAULTS['v-rex'],
    })),
    'advantage.consistency',
    'gains that only some simulators show count less; it needs several simulators, and whether the policy overfits less only training shows',
  );
}

function targeted(recipe: Recipe, behaviour: string): Outcome {
  const place = correctionOf(recipe);
  const inWeights = place === 'weights';
  const next = inWeights ? withWeights(recipe, () => ({ coverage: true })) : recipe;
  const how =
    place === 'batches'
      ? 'the equal share of every mode raises what there is of it'
      : inWeights
        ? 'the coverage boost raises modes that people show more often than the data, where a reference is given'
        : 'nothing in this recipe raises it: concentration is not corrected by weights or batches';
  return {
    ...done(
      next,
      place === 'batches' ? 'batches.balance' : 'weights.coverage',
      `modes have no names, so "${behaviour}" cannot be selected; ${how}. What no row shows cannot be raised: new simulators must bring it`,
    ),
    target: behaviour,
  };
}
