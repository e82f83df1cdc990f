import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { Decision, Receipt, SelectReply, WeightsReply } from '../api/control.ts';
import { decideGroups } from './decide.ts';
import type { GroupAsked } from './decide-group.ts';
import { readForeign } from './record.ts';
import { type Candidate, selectCandidates } from './select.ts';
import type { SessionSource } from './session-source.ts';
import { steeringRecipe } from './steering-recipe.ts';
import { type Ground, placedGround, type WindowConcentration } from './weigh-batch.ts';
import { batchWeights } from './weights.ts';

export interface SteeringServices {
  readonly source: SessionSource;
  /** Space, embedder and people of now, the same objects as long as they are the same; null until there is a space. */
  ground(): Promise<Ground | null>;
  /** MCI of simulators in the live window; null = each batch's own. */
  readonly window: WindowConcentration | null;
  /** Whether the gateway has recorded a session of this id itself. */
  isServed(id: string): boolean;
  /** Resolves once it is on record, or with why it is not taken. @throws whatever else keeps it from there. */
  append(episode: Trajectory): Promise<Receipt>;
}

/** What trainers ask once a step, in one call each (integrations: trainers that need a thin adapter). */
export interface Steering {
  record(trajectories: readonly unknown[]): Promise<Receipt>;
  decide(
    groups: readonly GroupAsked[],
    zeroVariance?: 'accept' | 'reject',
    recipe?: unknown,
  ): Promise<Decision[]>;
  weights(ids: readonly string[], recipe?: unknown): Promise<WeightsReply>;
  select(candidates: readonly Candidate[], n: number, recipe?: unknown): Promise<SelectReply>;
}

export function openSteering(services: SteeringServices): Steering {
  const { source, window } = services;
  const ground = placedGround(services.ground);
  return {
    async record(trajectories) {
      const { accepted, rejected } = await readForeign(trajectories, services.isServed);
      const receipts = await Promise.all(accepted.map((episode) => services.append(episode)));
      return {
        accepted: receipts.reduce((sum, receipt) => sum + receipt.accepted, 0),
        // A session of this id may have begun since it was checked.
        rejected: [...rejected, ...receipts.flatMap((receipt) => receipt.rejected)],
      };
    },
    decide: (groups, zeroVariance = 'accept', recipe = null) =>
      decideGroups(groups, source, { gate: steeringRecipe(recipe).recipe.gate, zeroVariance }),
    weights: async (ids, recipe = null) => batchWeights(ids, recipe, source, await ground(), window),
    select: async (candidates, n, recipe = null) =>
      selectCandidates(candidates, n, recipe, source, await ground(), window),
  };
}
