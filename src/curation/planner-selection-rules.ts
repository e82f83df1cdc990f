import {
  correctedBy,
  costOfBalance,
  done,
  type Outcome,
  type PlanRule,
  placeTold,
  type RuleInput,
  refused,
  wholeNumber,
} from './planner-rule.ts';
import { STAGE_DEFAULTS } from './recipe-defaults.ts';

/** What words about rollouts that are kept of a group mean. */
export const SELECTION_RULES: readonly PlanRule[] = [
  {
    examples: ['keep the best 4 of 8', 'best of 8', 'top 4 rollouts'],
    pattern:
      /\b(?:(?:keep|select|choose|pick|take|use)(?:ing)? )?(?:only )?(?:the )?(?:best|top|highest|worst)(?:[- ](?:scoring|rewarded|reward))?[- ](?:of[- ](?:n|\d+)|\d+|rollouts?|episodes?|samples?)\b(?: (?:rollouts?|rows?|episodes?|samples?))?(?: (?:of|from|per|in|out of)(?: (?:every|each|a|the))?(?: (?:\d+|groups?))+)?/g,
    change: ({ recipe }) =>
      refused(
        recipe,
        'selection',
        'selection is random, with known chances that do not see rewards; keeping the best biases gradients, and no weight repairs that. Write "keep 4 of 8" for such a draw',
      ),
    negated: ({ recipe }) => done(recipe, 'selection', 'nothing to change: no selection looks at rewards'),
  },
  {
    examples: ['keep 4 of every group', 'selection of 6 rollouts', 'select 4 of 16', '4 of 8 rollouts'],
    pattern:
      /\b(?:(?:keep|select(?:ion of)?|choose|pick|(?:down|sub)sampl(?:e|ing)(?: to)?)(?: the)? |(?=\d+ (?:out )?of \d+ (?:rollout|sample)))(\d+)(?: (?:rollouts?|rows?|samples?))?(?: (?:of|from|per|in|out of)(?: (?:every|each|a|the))?(?: (?:\d+|groups?))+(?: of (?:size )?\d+)?| a group)?\b/g,
    change: (input) => {
      const keep = wholeNumber(input.match[1]);
      return keep === null || keep < 2 || keep > 64
        ? refused(
            input.recipe,
            'selection.keep',
            'selection keeps 2 to 64 rollouts of a group; it never cuts the data to a total',
          )
        : selected(
            input,
            'selection.keep',
            'drawn at random inside each group with known inclusion probabilities, so that gradients stay unbiased',
            keep,
          );
    },
  },
  {
    examples: ['no selection', 'selection'],
    pattern: /\b(?:selection|subsampling|downsampling)\b/g,
    change: (input) =>
      selected(
        input,
        'selection',
        `rollouts kept of every group: ${(input.recipe.selection ?? STAGE_DEFAULTS.selection).keep}`,
      ),
    negated: ({ recipe }) =>
      done({ ...recipe, selection: null }, 'selection', 'every gated rollout of a group stays'),
  },
];

/**
 * A selection, with what it needs where it is new: advantages with pair weights, not divided by a deviation that is not
 * the group's; and no balanced batches, unless they were asked for.
 */
function selected({ recipe, corrected }: RuleInput, path: string, because: string, keep?: number): Outcome {
  const selection = recipe.selection ?? STAGE_DEFAULTS.selection;
  const moves = recipe.selection === null && corrected === null && recipe.batches?.balance === 'mode';
  const below = moves ? correctedBy(recipe, 'weights') : recipe;
  const brings = recipe.selection === null && recipe.advantage === null;
  const next = {
    ...below,
    selection: { ...selection, keep: keep ?? selection.keep },
    advantage: brings
      ? { ...STAGE_DEFAULTS.advantage, normalise: false }
      : recipe.advantage && { ...recipe.advantage, normalise: false },
  };
  const told = [
    because,
    ...(brings ? ['advantages are written, since they hold the pair weights'] : []),
    ...(recipe.advantage?.normalise === true ? ['advantages are no longer divided by the deviation'] : []),
    ...(moves
      ? [`batches are not balanced, since that would leave whole groups out: ${placeTold(next)}`]
      : []),
  ];
  return { ...done(next, path, `${told.join('; ')}${costOfBalance(next)}`), yields: true };
}
