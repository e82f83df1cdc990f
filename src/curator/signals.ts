import type { CurationPlan } from '../curation/plan.ts';
import { rowsOfHash } from '../curation/row-search.ts';
import { hashOf } from '../curation/rows.ts';
import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { groupOf, policyOf } from './place-gated.ts';

/** What a plan says of row `row`. */
export function signalsOf(plan: CurationPlan, row: number): TrainingSignals {
  const advantage = plan.advantages?.advantage[row] ?? Number.NaN;
  return {
    hash: hashOf(plan.rows, row),
    weight: plan.weight[row]!,
    gradientScale: plan.scale[plan.rows.simulator[row]!]!,
    inclusionProbability: plan.selection === null ? null : plan.selection.inclusion[row]!,
    mode: plan.rows.mode[row]! < 0 ? null : plan.rows.mode[row]!,
    advantage: Number.isNaN(advantage) ? null : advantage,
    batch: plan.batchOf[row]! < 0 ? null : plan.batchOf[row]!,
  };
}

/** Finds the rows of a plan for episodes that are read again, each once. */
export class RowFinder {
  readonly #plan: CurationPlan;
  readonly #taken: Uint8Array;

  constructor(plan: CurationPlan) {
    this.#plan = plan;
    this.#taken = new Uint8Array(plan.rows.size);
  }

  /** -1 where no row is left for it. */
  take(episode: Trajectory, hash: string): number {
    const { rows } = this.#plan;
    const group = groupOf(episode);
    const policy = policyOf(episode);
    for (const row of rowsOfHash(rows, hash)) {
      if (this.#taken[row] === 1 || rows.ids[row] !== episode.id) continue;
      if (rows.simulators[rows.simulator[row]!] !== episode.simulator.id) continue;
      if (rows.policies[rows.policy[row]!] !== policy) continue;
      if ((rows.group[row]! < 0 ? null : rows.groups[rows.group[row]!]) !== group) continue;
      // One id may stand for two rewards, or in two contexts: advantage and mode are then each row's own.
      if (rows.contexts[rows.context[row]!] !== episode.context) continue;
      if (!Object.is(rows.reward[row], episode.reward ?? Number.NaN)) continue;
      this.#taken[row] = 1;
      return row;
    }
    return -1;
  }
}
