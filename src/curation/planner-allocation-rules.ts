import { done, NUMBER, type PlanRule, refused, wholeNumber } from './planner-rule.ts';
import { STAGE_DEFAULTS } from './recipe-defaults.ts';

/** What words about the next rollouts mean. */
export const ALLOCATION_RULES: readonly PlanRule[] = [
  {
    examples: ['groups of 16', 'group size 8'],
    pattern: new RegExp(String.raw`\bgroups?(?: size)?(?: of| =|:)? ${NUMBER}(?: rollouts?\b)?`, 'g'),
    change: ({ recipe, match, last }) => {
      const own = recipe.allocation;
      if (own === null)
        return last
          ? refused(
              recipe,
              'allocation.group',
              'groups are as large as the data have them; a size can only be set where the next rollouts are planned: add "budget 500"',
            )
          : { ...done(recipe, 'allocation.group', ''), waits: true };
      const group = wholeNumber(match[1], match[2]);
      return group === null || group < 1 || group > own.budget
        ? refused(recipe, 'allocation.group', `a group has 1 to ${own.budget} rollouts, the budget`)
        : done(
            { ...recipe, allocation: { ...own, group } },
            'allocation.group',
            'rollouts are spent in whole groups',
          );
    },
  },
  {
    examples: ['budget 500', 'spend 2k rollouts'],
    pattern: new RegExp(
      String.raw`\b(?:(?:rollout )?budget(?: of| is| =|:)? ${NUMBER}(?: rollouts?)?|(?:spend )?${NUMBER} (?:more |new |next )?rollouts?\b)`,
      'g',
    ),
    change: ({ recipe, match }) => {
      const budget = wholeNumber(match[1] ?? match[3], match[2] ?? match[4]);
      const own = recipe.allocation ?? STAGE_DEFAULTS.allocation;
      return budget === null || budget < own.group
        ? refused(recipe, 'allocation.budget', `a budget holds at least one group of ${own.group} rollouts`)
        : done(
            { ...recipe, allocation: { ...own, budget } },
            'allocation.budget',
            'a plan says where the next rollouts are worth most',
          );
    },
  },
  {
    examples: ['allocate rollouts', 'zero-variance groups'],
    pattern:
      /\b(?:allocat(?:e|ion|ing)(?: (?:of )?(?:the )?(?:next )?rollouts?)?|zero[- ]variance(?: groups?)?|next rollouts?)\b/g,
    change: ({ recipe }) => {
      const own = recipe.allocation ?? STAGE_DEFAULTS.allocation;
      return done(
        { ...recipe, allocation: own },
        'allocation',
        `cells without reward variance get little of the next ${own.budget} rollouts`,
      );
    },
    negated: ({ recipe, match }) =>
      match[0].startsWith('zero')
        ? done(
            { ...recipe, allocation: recipe.allocation ?? STAGE_DEFAULTS.allocation },
            'allocation',
            'cells without reward variance get little of the next rollouts; rows there are stay',
          )
        : done({ ...recipe, allocation: null }, 'allocation', 'no plan for the next rollouts'),
  },
];
