import type { Random } from '../../math/random.ts';
import { Adam, decodeCheckpoint, encodeCheckpoint, Grpo, type PolicyNetwork } from '../learning/index.ts';
import { freshLogits } from '../simulators/index.ts';
import type { Rollouts } from '../training/rollout.ts';
import { updateBatch } from '../training/update-batch.ts';
import type { World } from '../world/index.ts';
import type { SimulatorUpdate } from './method.ts';
import { type SimulatorGoal, simulatorAdvantages } from './simulator-reward.ts';

/** The live simulator of co-training: act logits trained by the policy's own GRPO on a reward of its own. */
export class SimulatorLearner {
  readonly logits: PolicyNetwork;
  readonly goal: SimulatorGoal;
  #grpo: Grpo;
  readonly #start: PolicyNetwork;
  readonly #rate: number;

  constructor(world: World, goal: SimulatorGoal, rate: number) {
    this.logits = freshLogits(world);
    this.#start = this.logits.copy();
    this.goal = goal;
    this.#rate = rate;
    this.#grpo = this.#newGrpo(new Adam(this.logits.parameters.length, { learningRate: rate }));
  }

  #newGrpo(adam: Adam): Grpo {
    return new Grpo(this.logits, this.#start, adam);
  }

  /** One update from what simulators of its line played, old checkpoints included: the ratio is to whoever acted. */
  learn(rollouts: Rollouts, random: Random): SimulatorUpdate | null {
    const { advantage, meanReward } = simulatorAdvantages(rollouts, this.goal);
    const batch = rollouts.user === null ? null : updateBatch(rollouts.user, advantage);
    if (batch === null) return null;
    return { update: this.#grpo.update(batch, random), reward: meanReward };
  }

  save(): string {
    return encodeCheckpoint({ policy: this.logits, adam: this.#grpo.adam });
  }

  load(text: string): void {
    const { policy, adam } = decodeCheckpoint(text);
    this.logits.parameters.set(policy.parameters);
    this.#grpo = this.#newGrpo(adam ?? new Adam(policy.parameters.length, { learningRate: this.#rate }));
  }
}
