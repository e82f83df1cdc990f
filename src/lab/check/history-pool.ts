import type { Random } from '../../math/random.ts';
import { type Epsilon, lawErrors, type ResampledHistory, turnCollapse } from '../../metrics/index.ts';
import { drawFrom } from '../simulators/index.ts';

/** A visited history with the law of the reply there. */
export interface PooledHistory {
  /** Context, 0 .. units - 1. */
  readonly unit: number;
  /** Chance with which a data set probes it, in (0, 1]. */
  readonly probability: number;
  /** P(reply class | history), exact. */
  readonly law: Float64Array;
  /** Classes of replies drawn at that time by whoever answers; null: none were. */
  readonly replies: readonly number[] | null;
}

/** Every history of many dialogues. What data sets are drawn from: its truth is a sum, not an estimate. */
export interface HistoryPool {
  readonly units: number;
  readonly histories: readonly PooledHistory[];
}

/** Replies drawn again at a history. */
export const REPLIES = 8;

/** Mean over all histories of a pool, each the same. */
export function poolErrors({ histories }: HistoryPool): { disagreement: number; epsilon: number } {
  let disagreement = 0;
  let epsilon = 0;
  for (const { law } of histories) {
    const own = lawErrors(law);
    disagreement += own.disagreement;
    epsilon += own.epsilon;
  }
  return { disagreement: disagreement / histories.length, epsilon: epsilon / histories.length };
}

/** Chance that a turn is probed: early turns more, so that long dialogues need not be probed everywhere. */
export const probingChance = (depth: number): number => (depth === 0 ? 1 : depth < 6 ? 0.5 : 0.2);

/** The replies that were drawn while the pool was played. */
export function playedErrors(pool: HistoryPool, law: Epsilon['law']): Epsilon {
  const used: ResampledHistory[] = [];
  for (const { unit, probability, replies } of pool.histories)
    if (replies !== null) used.push({ unit, probability, classes: replies });
  return turnCollapse(used, law);
}

/** A data set: `units` contexts of the pool without replacement, probed by chance, with fresh replies by their laws. */
export function drawnErrors(pool: PoolByUnit, units: number, law: Epsilon['law'], random: Random): Epsilon {
  const order = Int32Array.from(pool, (_, unit) => unit);
  random.shufflePart(order);
  const used: ResampledHistory[] = [];
  for (const unit of order.subarray(0, units))
    for (const { probability, law: phi } of pool[unit]!) {
      if (random.next() >= probability) continue;
      const classes = new Int32Array(REPLIES);
      for (let r = 0; r < REPLIES; r++) classes[r] = drawFrom(phi, random);
      used.push({ unit, probability, classes });
    }
  return turnCollapse(used, law);
}

export type PoolByUnit = readonly (readonly PooledHistory[])[];

export function byUnit({ units, histories }: HistoryPool): PoolByUnit {
  const lists: PooledHistory[][] = Array.from({ length: units }, () => []);
  for (const history of histories) lists[history.unit]!.push(history);
  return lists;
}
