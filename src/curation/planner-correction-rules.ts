import {
  claimed,
  correctedBy,
  correctionOf,
  costOfBalance,
  done,
  type Outcome,
  type PlanRule,
  placeInstead,
  withWeights,
} from './planner-rule.ts';
import type { Recipe } from './recipe.ts';

/** What words about the place where concentration is corrected mean. */
export const CORRECTION_RULES: readonly PlanRule[] = [
  {
    examples: ['balanced batches', 'mode-balanced', 'equal share of every mode'],
    pattern:
      /\b(?:mode[- ]?balanc(?:ed|ing)|balanc(?:ed?|ing)|unbalanced|equal shares?(?: (?:of|for) (?:every|each|all))?)(?: (?:modes?|batch(?:es)?(?!(?: size)?(?: of| to)? \d)|behaviou?rs?|data))*\b/g,
    change: ({ recipe, match }) =>
      match[0].startsWith('unbalanced')
        ? unbalanced(recipe)
        : claimed(
            recipe,
            'batches',
            'batches.balance',
            `every mode gets an equal share of the batches, so weights correct neither concentration nor coverage${costOfBalance(correctedBy(recipe, 'batches'))}`,
          ),
    negated: ({ recipe }) => unbalanced(recipe),
  },
  {
    examples: ['scale the gradient', 'gradient scaling'],
    pattern: /\b(?:gradient[- ]scal(?:e|es|ing)|scal(?:e|ing) (?:the )?gradients?)\b/g,
    change: ({ recipe }) =>
      claimed(
        recipe,
        'gradient',
        'gradient.beta',
        'advantages of concentrated simulators are scaled down, so weights and batches correct nothing',
      ),
    negated: ({ recipe }) =>
      done(
        recipe.gradient === null ? recipe : correctedBy(recipe, placeInstead(recipe)),
        'gradient',
        'no gradient scale',
      ),
  },
  {
    examples: ['correct by weights', 'coverage boost'],
    pattern:
      /\b(?:correct(?:ed|ion|ing)?(?: (?:the |of )*concentration)? (?:by|with|in|through) (?:the )?(?:loss )?weights|(?:coverage )?boost(?:ing)?(?: (?:of )?(?:coverage|missing modes))?)\b/g,
    change: ({ recipe }) =>
      claimed(
        withWeights(recipe, () => ({})),
        'weights',
        'weights.concentration',
        'weights correct concentration and raise modes that people show more often, so batches are filled by hash alone',
      ),
    negated: ({ recipe, match }) => {
      if (match[0].includes('boost'))
        return done(
          recipe.weights?.coverage === true ? withWeights(recipe, () => ({ coverage: false })) : recipe,
          'weights.coverage',
          'no mode is raised by weights',
        );
      const next = correctionOf(recipe) === 'weights' ? correctedBy(recipe, 'batches') : recipe;
      return done(next, 'weights.concentration', `weights correct nothing${costOfBalance(next)}`);
    },
  },
];

function unbalanced(recipe: Recipe): Outcome {
  return {
    ...done(
      recipe.batches?.balance === 'mode' ? correctedBy(recipe, 'weights') : recipe,
      'batches.balance',
      'batches are filled by hash alone',
    ),
    yields: true,
  };
}
