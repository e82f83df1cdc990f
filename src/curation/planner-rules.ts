import { CORRECTION_RULES } from './planner-correction-rules.ts';
import { exportRules, gateRules } from './planner-fixed-rules.ts';
import {
  correctionOf,
  done,
  gateAtLeast,
  type Outcome,
  type PlanRule,
  refused,
  wholeNumber,
  withWeights,
} from './planner-rule.ts';
import type { AdvantageRecipe, Recipe } from './recipe.ts';
import { CONSISTENCY_DEFAULTS, defaultsFor, type KnownChecks, STAGE_DEFAULTS } from './recipe-defaults.ts';

const NUMBER = String.raw`(\d[\d,_]*)(?:\s?(k))?\b`;

/** The dictionary of the rule-based planner, in the order in which rules take their words. */
export function planRules(known: KnownChecks): readonly PlanRule[] {
  return [...gateRules(known), ...CORRECTION_RULES, ...STAGE_RULES, ...exportRules()];
}

const STAGE_RULES: readonly PlanRule[] = [
  {
    examples: ['batches of 64', 'batch size 256'],
    pattern: new RegExp(String.raw`\bbatch(?:es)?(?: size)?(?: of| to| =|:)? ${NUMBER}`, 'g'),
    change: ({ recipe, match }) => {
      const size = wholeNumber(match[1], match[2]);
      return size === null || size < 2
        ? refused(recipe, 'batches.size', 'a batch has at least 2 rows')
        : done(
            // Batches that were off correct nothing yet, and a size is no wish that they did.
            { ...recipe, batches: { ...(recipe.batches ?? defaultsFor('weights').batches), size } },
            'batches.size',
            'the batch size that was named; groups stay whole',
          );
    },
  },
  {
    examples: ['without weights', 'unweighted', 'loss weights'],
    pattern: /\b(?:un|re)?(?:loss )?weight(?:s|ing|ed)?\b/g,
    change: ({ recipe, match }) => (match[0].startsWith('un') ? unweighted(recipe) : weighted(recipe)),
    negated: ({ recipe }) => unweighted(recipe),
  },
  {
    examples: ['small data', 'few rows'],
    pattern:
      /\b(?:small|little|few|tiny|limited|scarce)(?: amounts? of)? (?:data(?: ?sets?)?|rows|rollouts|episodes|samples)\b/g,
    change: ({ recipe }) =>
      done(
        withWeights(recipe, ({ ess, bounds: [low, high] }) => ({
          ess: Math.max(ess, 0.8),
          bounds: [Math.max(low, 0.5), Math.min(high, 2)],
        })),
        'weights',
        'flat weights keep the effective sample size: at least 0.8 of the rows, none weighs more than 2',
      ),
  },
  {
    examples: ['reduce noise', 'less noise', 'noisy data'],
    pattern: /\b(?:(?:reduce|less|low(?:er)?|avoid|without|no|fight) noise|noisy|denois(?:e|ed|ing))\b/g,
    change: ({ recipe, known }) =>
      done(
        withWeights(gateAtLeast(recipe, 'strict', known), ({ alpha, neighbours }) => ({
          alpha: Math.min(alpha, 0.5),
          neighbours: Math.max(neighbours, 10),
        })),
        'weights.alpha',
        'rare is often broken: a strict gate, and weights that lean less on rarity and look at more neighbours',
      ),
  },
  {
    examples: ['diverse', 'more variety', 'rare behaviours', 'long tail'],
    pattern:
      /\b(?:divers(?:e|ity|ify|ified)|variety|varied|long[- ]tail|rare(?: behaviou?rs?| users| modes?)?)\b/g,
    change: ({ recipe }) => {
      const here = correctionOf(recipe) === 'weights';
      return done(
        withWeights(recipe, ({ alpha, coverage }) => ({
          alpha: Math.max(alpha, 2),
          coverage: coverage || here,
        })),
        'weights.alpha',
        'rows in sparse parts of behaviour space weigh more',
      );
    },
  },
  {
    examples: ['worst case', 'group DRO'],
    pattern: /\b(?:worst[- ](?:case|simulators?|users?|groups?)|minimax|group[- ]dro)\b/g,
    change: ({ recipe }) =>
      done(
        withAdvantage(recipe, () => ({ consistency: CONSISTENCY_DEFAULTS['group-dro'] })),
        'advantage.consistency',
        'group DRO weighs the simulators that gain least most',
      ),
  },
  {
    examples: ['fair across simulators', 'consistent over users'],
    pattern:
      /\b(?:fair(?:ly|ness)?|consisten(?:t|tly|cy)|equally good)(?: (?:across|over|between|for|to|with) (?:all |every |the )*(?:simulators?|users?|members?))?\b/g,
    change: ({ recipe }) =>
      done(
        withAdvantage(recipe, ({ consistency }) => ({
          baseline: 'simulator',
          consistency: consistency ?? CONSISTENCY_DEFAULTS['v-rex'],
        })),
        'advantage',
        "each simulator's rows are compared with its own mean, and gains are drawn together (V-REx)",
      ),
  },
  {
    examples: ['robust', 'V-REx'],
    pattern: /\b(?:robust(?:ness|ly)?|v-?rex)\b(?: across (?:all |the )*(?:simulators?|users?))?/g,
    change: ({ recipe }) =>
      done(
        withAdvantage(recipe, ({ consistency }) => ({
          consistency: consistency ?? CONSISTENCY_DEFAULTS['v-rex'],
        })),
        'advantage.consistency',
        'V-REx holds back gains that only some simulators show',
      ),
  },
  {
    examples: ['per-simulator baseline'],
    pattern: /\b(?:per[- ]simulator|simulator|own) baselines?\b/g,
    change: ({ recipe }) =>
      done(
        withAdvantage(recipe, () => ({ baseline: 'simulator' })),
        'advantage.baseline',
        "each simulator's own mean inside the group",
      ),
  },
  {
    examples: ['normalise advantages', 'without normalisation'],
    pattern: /\bnormali[sz](?:e|ed|ation|ing)(?: (?:of )?(?:the )?advantages?)?\b/g,
    change: ({ recipe }) =>
      done(
        withAdvantage(recipe, () => ({ normalise: true })),
        'advantage.normalise',
        "divided by the group's standard deviation, as GRPO does",
      ),
    negated: ({ recipe }) =>
      done(
        withAdvantage(recipe, () => ({ normalise: false })),
        'advantage.normalise',
        "not divided by the group's standard deviation",
      ),
  },
  {
    examples: ['keep 4 of every group', 'selection of 6 rollouts', 'select 4 of 16', '4 of 8 rollouts'],
    pattern:
      /\b(?:(?:keep|select(?:ion of)?|choose|pick|(?:down|sub)sampl(?:e|ing)(?: to)?)(?: the)? |(?=\d+ (?:out )?of \d+ (?:rollout|sample)))(\d+)(?: (?:rollouts?|rows?|samples?))?(?: (?:of|from|per|in|out of)(?: (?:every|each|a|the))?(?: (?:\d+|groups?))+| a group)?\b/g,
    change: ({ recipe, match }) => {
      const keep = wholeNumber(match[1]);
      return keep === null || keep < 2 || keep > 64
        ? refused(
            recipe,
            'selection.keep',
            'selection keeps 2 to 64 rollouts of a group; it never cuts the data to a total',
          )
        : done(
            selected(recipe, keep),
            'selection.keep',
            `drawn inside each group with known inclusion probabilities, so that gradients stay unbiased${undivided(recipe)}`,
          );
    },
  },
  {
    examples: ['no selection', 'selection'],
    pattern: /\b(?:selection|subsampling|downsampling)\b/g,
    change: ({ recipe }) =>
      done(
        selected(recipe),
        'selection',
        `rollouts kept of every group: ${(recipe.selection ?? STAGE_DEFAULTS.selection).keep}${undivided(recipe)}`,
      ),
    negated: ({ recipe }) =>
      done({ ...recipe, selection: null }, 'selection', 'every gated rollout of a group stays'),
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
    examples: ['groups of 16', 'group size 8'],
    pattern: new RegExp(String.raw`\bgroups?(?: size)?(?: of| =|:)? ${NUMBER}`, 'g'),
    change: ({ recipe, match }) => {
      const group = wholeNumber(match[1], match[2]);
      const own = recipe.allocation ?? STAGE_DEFAULTS.allocation;
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
  {
    examples: ['seed 7'],
    pattern: new RegExp(String.raw`\bseed(?: of| =|:)? ${NUMBER}`, 'g'),
    change: ({ recipe, match }) => {
      const seed = wholeNumber(match[1]);
      return seed === null
        ? refused(recipe, 'seed', 'a seed is a whole number')
        : done({ ...recipe, seed }, 'seed', 'the seed that was named');
    },
  },
  {
    examples: ['impatient users', 'rude customers', 'confused'],
    pattern:
      /\b(?:((?!(?:all|any|the|my|our|real|human|simulated|many|most|some|other|few|new|every|each|for|of|to|and|with|from|by|on|in|as|is|are|these|those|end|no|not|llm|across|between|over|against|handle|than|like|towards?)\b)[a-z][a-z-]{2,30}) (?:users?|customers?|callers?|personas?|people)|(impatient|rude|angry|frustrated|confused|hesitant|terse|verbose|talkative|polite|sceptical|skeptical|stubborn|forgetful|anxious|elderly|uncooperative|non-native))\b/g,
    change: ({ recipe, match }) => {
      const behaviour = match[1] ?? match[2]!;
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
    },
    negated: ({ recipe, match }) =>
      refused(recipe, 'gate', `modes have no names, so "${match[1] ?? match[2]}" users cannot be left out`),
  },
];

function unweighted(recipe: Recipe): Outcome {
  return done({ ...recipe, weights: null }, 'weights', 'every row that passes the gate weighs 1');
}

function weighted(recipe: Recipe): Outcome {
  return done(
    withWeights(recipe, () => ({})),
    'weights',
    'rows are weighed by density, coverage and concentration as the recipe says',
  );
}

/** The deviation of kept rows is not their group's: what is selected from is not normalised. */
function selected(recipe: Recipe, keep?: number): Recipe {
  const selection = recipe.selection ?? STAGE_DEFAULTS.selection;
  return {
    ...recipe,
    selection: { ...selection, keep: keep ?? selection.keep },
    advantage: recipe.advantage && { ...recipe.advantage, normalise: false },
  };
}

const undivided = ({ advantage }: Recipe) =>
  advantage?.normalise === true ? '; advantages are no longer divided by the deviation' : '';

function withAdvantage(
  recipe: Recipe,
  change: (advantage: AdvantageRecipe) => Partial<AdvantageRecipe>,
): Recipe {
  const advantage = recipe.advantage ?? {
    ...STAGE_DEFAULTS.advantage,
    normalise: recipe.selection === null,
  };
  return { ...recipe, advantage: { ...advantage, ...change(advantage) } };
}
