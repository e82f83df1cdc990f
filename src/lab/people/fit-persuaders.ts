import { type Jackknife, type Random, seeded } from '../../math/index.ts';
import { foldsByPerson, perTurn, STRENGTHS } from './held-out.ts';
import type { Estimate } from './people-table.ts';
import type { PersuaderTable } from './persuader-table.ts';
import { countByThird, countPairs, STRATEGIES, type StrategyDialogue } from './strategy-dialogue.ts';
import {
  countStrategies,
  STRATEGY_CONTEXTS,
  STRATEGY_MODELS,
  type StrategyModel,
  type StrategySmoothing,
  strategyLaw,
  strategyLikelihood,
} from './strategy-law.ts';

interface Fold {
  readonly fit: readonly StrategyDialogue[];
  readonly test: readonly StrategyDialogue[];
}

/**
 * The strategies of one population's persuaders. Equal for any order of the dialogues. Folds and intervals are by
 * persuadee, as in `fitPeople`. Numbers are rounded to 4 digits after the point.
 */
export function fitPersuaders(
  dialogues: readonly StrategyDialogue[],
  { seed, folds: count = 5 }: { readonly seed: string; readonly folds?: number },
): PersuaderTable {
  const sorted = dialogues
    .filter(({ strategies }) => strategies.length > 0)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const random = seeded(seed);
  const folds = dealt(sorted, count, random.fork('folds'));
  const models = heldOut(folds, random.fork('nested'));
  const plain = models.get('frequencies')!;
  const counts = countStrategies(sorted);
  const turns = sorted.map(({ id, person, strategies }) => ({ id, person, acts: strategies, contexts: [] }));
  const longest = Math.max(...sorted.map(({ strategies }) => strategies.length));
  const lengths = new Array<number>(longest + 1).fill(0);
  for (const { strategies } of sorted) lengths[strategies.length]!++;
  const replies = sorted.map((one) => one.replies);
  return {
    seed,
    n: {
      dialogues: sorted.length,
      people: new Set(sorted.map(({ person }) => person)).size,
      turns: sorted.reduce((sum, { strategies }) => sum + strategies.length, 0),
    },
    closed: sorted.filter(({ closed }) => closed).length,
    lengths,
    followed: Array.from({ length: STRATEGY_CONTEXTS }, (_, context) => {
      return [context, [...counts.subarray(context * STRATEGIES, (context + 1) * STRATEGIES)]] as const;
    }).filter(([, row]) => row.some((value) => value > 0)),
    smoothing: strengths(folds),
    goodness: STRATEGY_MODELS.map((model) => ({
      model,
      perTurn: rounded(perTurn(turns, models.get(model)!)),
      gain: rounded(perTurn(turns, models.get(model)!, plain)),
    })),
    replies: { thirds: countByThird(replies), pairs: countPairs(replies) },
  };
}

/** Folds of people: none is in two. */
function dealt(dialogues: readonly StrategyDialogue[], count: number, random: Random): Fold[] {
  const byId = new Map(dialogues.map((one) => [one.id, one]));
  const bare = dialogues.map(({ id, person }) => ({ id, person, acts: [], contexts: [] }));
  const back = (part: readonly { readonly id: string }[]) => part.map(({ id }) => byId.get(id)!);
  return foldsByPerson(bare, count, random).map(({ fit, test }) => ({ fit: back(fit), test: back(test) }));
}

/** The strength of each law with the highest held-out likelihood, that of the simpler ones being set. */
function strengths(folds: readonly Fold[]): StrategySmoothing {
  const counted = folds.map(({ fit, test }) => ({ counts: countStrategies(fit), test }));
  let chosen: StrategySmoothing = { one: 1, all: 1 };
  for (const [name, model] of [
    ['one', 'product'],
    ['all', 'all'],
  ] as const) {
    let best = Number.NEGATIVE_INFINITY;
    let strength = 1;
    for (const tried of STRENGTHS) {
      let value = 0;
      for (const { counts, test } of counted) {
        const law = strategyLaw(counts, model, { ...chosen, [name]: tried });
        for (const dialogue of test) value += strategyLikelihood(dialogue, law);
      }
      if (value > best) [best, strength] = [value, tried];
    }
    chosen = { ...chosen, [name]: strength };
  }
  return chosen;
}

/** Held-out log-likelihood of every dialogue by model; strengths are chosen inside the part that is fitted on. */
function heldOut(
  folds: readonly Fold[],
  random: Random,
): ReadonlyMap<StrategyModel, ReadonlyMap<string, number>> {
  const values = new Map<StrategyModel, Map<string, number>>(
    STRATEGY_MODELS.map((model) => [model, new Map()]),
  );
  folds.forEach(({ fit, test }, i) => {
    const smoothing = strengths(dealt(fit, folds.length, random.fork(`inner ${i}`)));
    const counts = countStrategies(fit);
    for (const model of STRATEGY_MODELS) {
      const law = strategyLaw(counts, model, smoothing);
      for (const one of test) values.get(model)!.set(one.id, strategyLikelihood(one, law));
    }
  });
  return values;
}

function rounded({ estimate, low, high }: Jackknife): Estimate {
  return { estimate: round(estimate), low: round(low), high: round(high) };
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;
