import { AGENT_STATES, USER_STATES } from './act-dialogue.ts';
import { STAGES, STRATEGIES, type StrategyDialogue } from './strategy-dialogue.ts';

export const STRATEGY_MODELS = ['uniform', 'frequencies', 'stage', 'own', 'user', 'product', 'all'] as const;
export type StrategyModel = (typeof STRATEGY_MODELS)[number];

/** Observations that the law one step simpler counts as. */
export interface StrategySmoothing {
  /** Of the laws on one thing alone (stage, own last strategy, persuadee's last act). */
  readonly one: number;
  /** Of the law on all three, towards their product. */
  readonly all: number;
}

export const STRATEGY_CONTEXTS = USER_STATES * AGENT_STATES * STAGES;
/** Added to the count of every strategy before its overall frequency is taken (Jeffreys' 1/2). */
const FLOOR = 0.5;

export const strategyContext = (user: number, own: number, stage: number): number =>
  (user * AGENT_STATES + own) * STAGES + stage;

/** How often each strategy followed each context: STRATEGY_CONTEXTS rows of STRATEGIES counts. */
export function countStrategies(dialogues: readonly StrategyDialogue[]): Float64Array {
  const counts = new Float64Array(STRATEGY_CONTEXTS * STRATEGIES);
  for (const { strategies, users, own, stages } of dialogues)
    strategies.forEach((strategy, i) => {
      counts[strategyContext(users[i]!, own[i]!, stages[i]!) * STRATEGIES + strategy]!++;
    });
  return counts;
}

/**
 * P(strategy | persuadee's last act, own last strategy, stage): STRATEGY_CONTEXTS rows. `product` is
 * P(a | user) P(a | own) P(a | stage) / f(a)^2, normalised; `all` smooths the counts of a context towards it.
 */
export function strategyLaw(
  counts: Float64Array,
  model: StrategyModel,
  { one, all }: StrategySmoothing,
): Float64Array {
  const law = new Float64Array(counts.length);
  if (model === 'uniform') return law.fill(1 / STRATEGIES);
  const overall = new Float64Array(STRATEGIES).fill(FLOOR);
  for (let i = 0; i < counts.length; i++) overall[i % STRATEGIES]! += counts[i]!;
  const n = total(overall);
  for (let a = 0; a < STRATEGIES; a++) overall[a]! /= n;
  const byUser = alone(counts, USER_STATES, userOf, overall, one);
  const byOwn = alone(counts, AGENT_STATES, ownOf, overall, one);
  const byStage = alone(counts, STAGES, stageOf, overall, one);
  for (let context = 0; context < STRATEGY_CONTEXTS; context++) {
    const row = context * STRATEGIES;
    const [user, own, stage] = [userOf(context), ownOf(context), stageOf(context)].map((s) => s * STRATEGIES);
    let scale = 0;
    let visits = 0;
    for (let a = 0; a < STRATEGIES; a++) {
      let p = overall[a]!;
      if (model === 'stage') p = byStage[stage! + a]!;
      else if (model === 'own') p = byOwn[own! + a]!;
      else if (model === 'user') p = byUser[user! + a]!;
      else if (model !== 'frequencies')
        p = (byUser[user! + a]! * byOwn[own! + a]! * byStage[stage! + a]!) / p ** 2;
      law[row + a] = p;
      scale += p;
      visits += counts[row + a]!;
    }
    const prior = model === 'all' ? all : 1;
    const seen = model === 'all' ? 1 : 0;
    for (let a = 0; a < STRATEGIES; a++)
      law[row + a] = (seen * counts[row + a]! + (prior * law[row + a]!) / scale) / (seen * visits + prior);
  }
  return law;
}

/** Natural log-likelihood of a dialogue's strategies. */
export function strategyLikelihood(
  { strategies, users, own, stages }: StrategyDialogue,
  law: Float64Array,
): number {
  let value = 0;
  for (let i = 0; i < strategies.length; i++)
    value += Math.log(law[strategyContext(users[i]!, own[i]!, stages[i]!) * STRATEGIES + strategies[i]!]!);
  return value;
}

const userOf = (context: number) => Math.floor(context / (AGENT_STATES * STAGES));
const ownOf = (context: number) => Math.floor(context / STAGES) % AGENT_STATES;
const stageOf = (context: number) => context % STAGES;

function alone(
  counts: Float64Array,
  states: number,
  stateOf: (context: number) => number,
  prior: Float64Array,
  strength: number,
): Float64Array {
  const rows = new Float64Array(states * STRATEGIES);
  for (let i = 0; i < counts.length; i++)
    rows[stateOf(Math.floor(i / STRATEGIES)) * STRATEGIES + (i % STRATEGIES)]! += counts[i]!;
  for (let state = 0; state < states; state++) {
    const row = rows.subarray(state * STRATEGIES, (state + 1) * STRATEGIES);
    const n = total(row);
    for (let a = 0; a < STRATEGIES; a++) row[a] = (row[a]! + strength * prior[a]!) / (n + strength);
  }
  return rows;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
