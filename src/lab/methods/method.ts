import type { Random } from '../../math/random.ts';
import type { GrpoDivergence, GrpoUpdate, PolicyNetwork } from '../learning/index.ts';
import type { Person, Simulator, SimulatorFamily, VerbalizedSettings } from '../simulators/index.ts';
import type { Rollouts, Stage } from '../training/rollout.ts';
import type { World } from '../world/index.ts';

/** What every method is given, the same for all of one world and seed. */
export interface MethodSetup {
  readonly world: World;
  /** Families that may be trained against, in the panel's order. */
  readonly seen: readonly SimulatorFamily[];
  /** People whose dialogues are on record; methods that say so may use them. */
  readonly reference: readonly Person[];
  readonly seed: number;
  readonly verbalized: VerbalizedSettings;
  /** Share of a persona-prompted simulator's prior that follows the prompt. */
  readonly personaStrength: number;
  /** Learning rate of simulators that are trained. */
  readonly simulatorRate: number;
  readonly random: Random;
}

/** A way to come by the users that a policy is trained against, and by the weights of its episodes. */
export interface Method {
  readonly id: string;
  readonly title: string;
  /** In a sentence, how it is modelled. */
  readonly model: string;
  /** Whether it looks at people's dialogues. */
  readonly usesPeople: boolean;
  /** False: the policy stays as it is. */
  readonly trains: boolean;
  start(study: MethodSetup): MethodRun;
}

/** What a method that looks before it trains may look with. */
export interface MethodView {
  readonly stage: Stage;
  readonly policy: PolicyNetwork;
  /** The policy before training. */
  readonly base: PolicyNetwork;
  /** Whom the checkpoint is chosen by; the test panel is nobody's. */
  readonly selection: readonly Simulator[];
  /** Episodes that the run may still play, training included. */
  readonly left: number;
}

/** Episodes that were played beside training. */
export interface Played {
  readonly episodes: number;
  readonly turns: number;
}

/** A method under way in one training run. */
export interface MethodRun {
  /**
   * Before the rollouts of a step: a method may play episodes of its own. They count: a run has as many episodes as its
   * steps would have without them, and ends the earlier.
   */
  before?(step: number, view: MethodView): Played;
  /** Who plays a group of a step. The same call gives the same answer until `learn`. */
  cast(step: number, group: number): Simulator;
  /** Those trained against at present, each once: what the measures of a population are taken of. */
  population(): readonly Simulator[];
  /** Advantages of the policy's update in place of the group-normalised ones; NaN leaves an episode out. */
  advantages?(step: number, rollouts: Rollouts): Float64Array;
  /** After the policy's update of a step: simulators that learn do so. Null where nothing was learned. */
  learn?(step: number, rollouts: Rollouts): SimulatorUpdate | null;
  /** All that a resumed run needs, as plain data. */
  save(): unknown;
  /** Takes back what `save` gave. */
  load(state: unknown): void;
}

export interface SimulatorUpdate {
  readonly update: GrpoUpdate | GrpoDivergence;
  /** Mean reward of the simulator. */
  readonly reward: number;
}
