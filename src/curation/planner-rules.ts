import { ALLOCATION_RULES } from './planner-allocation-rules.ts';
import { BEHAVIOUR_RULES } from './planner-behaviour-rules.ts';
import { CORRECTION_RULES } from './planner-correction-rules.ts';
import { exportRules, gateRules } from './planner-fixed-rules.ts';
import {
  correctedBy,
  correctionOf,
  done,
  gateAtLeast,
  NUMBER,
  type Outcome,
  type PlanRule,
  placeTold,
  refused,
  wholeNumber,
  withAdvantage,
  withWeights,
} from './planner-rule.ts';
import { SELECTION_RULES } from './planner-selection-rules.ts';
import type { Recipe } from './recipe.ts';
import { CONSISTENCY_DEFAULTS, defaultsFor, type KnownChecks } from './recipe-defaults.ts';

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
    examples: ['no batches', 'without batches', 'batches'],
    pattern: /\bbatch(?:es|ing)?\b/g,
    change: ({ recipe }) =>
      recipe.batches !== null
        ? done(recipe, 'batches', 'nothing to change: batches are on')
        : done({ ...recipe, batches: defaultsFor('weights').batches }, 'batches', 'batches are made'),
    negated: ({ recipe }) => unbatched(recipe),
  },
  {
    examples: ['no weights', 'without weights', 'unweighted', 'loss weights'],
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
  ...SELECTION_RULES,
  ...ALLOCATION_RULES,
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
  ...BEHAVIOUR_RULES,
];

function unbatched(recipe: Recipe): Outcome {
  const moves = recipe.batches?.balance === 'mode';
  const moved = moves ? correctedBy(recipe, 'weights') : recipe;
  return {
    ...done(
      { ...moved, batches: null },
      'batches',
      moves ? `no batches are made; ${placeTold(moved)}` : 'no batches are made',
    ),
    yields: true,
  };
}

function unweighted(recipe: Recipe): Outcome {
  const next = { ...recipe, weights: null };
  const lost = correctionOf(recipe) === 'weights' ? `; ${placeTold(next)}` : '';
  return done(next, 'weights', `every row that passes the gate weighs 1${lost}`);
}

function weighted(recipe: Recipe): Outcome {
  return recipe.weights !== null
    ? done(recipe, 'weights', `nothing to change: weights are on (weights.alpha: ${recipe.weights.alpha})`)
    : done(
        withWeights(recipe, () => ({})),
        'weights',
        'rows are weighed by density, coverage and concentration as the recipe says',
      );
}
