import type { Estimate } from './people-table.ts';
import { STRATEGIES } from './strategy-dialogue.ts';
import { STRATEGY_CONTEXTS, type StrategySmoothing, strategyLaw } from './strategy-law.ts';

/** Fitted numbers about the persuaders of a population, and what their persuadees did until they closed. */
export interface PersuaderTable {
  readonly seed: string;
  readonly n: { readonly dialogues: number; readonly people: number; readonly turns: number };
  /** Dialogues that a strategy closed. */
  readonly closed: number;
  /** Dialogues by number of the persuader's turns: `lengths[n]` have n, the closing one included. */
  readonly lengths: readonly number[];
  /** [context, counts of PERSUADER_ACTS]: contexts that occurred only. */
  readonly followed: readonly (readonly [number, readonly number[]])[];
  readonly smoothing: StrategySmoothing;
  /** Held-out log-likelihood per turn by model, and its gain over `frequencies`. */
  readonly goodness: readonly {
    readonly model: string;
    readonly perTurn: Estimate;
    readonly gain: Estimate;
  }[];
  /** Acts of the persuadees until the dialogue was closed: by third, and pairs of successive ones. */
  readonly replies: { readonly thirds: readonly (readonly number[])[]; readonly pairs: readonly number[] };
}

/** P(strategy | persuadee's last act, own last strategy, stage), rows by `strategyContext`. */
export function persuaderLaw(table: Pick<PersuaderTable, 'followed' | 'smoothing'>): Float64Array {
  const counts = new Float64Array(STRATEGY_CONTEXTS * STRATEGIES);
  for (const [context, strategies] of table.followed) counts.set(strategies, context * STRATEGIES);
  return strategyLaw(counts, 'all', table.smoothing);
}
