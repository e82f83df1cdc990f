import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';
import { seeded } from '../../math/random.ts';
import type { Session, Simulator } from '../simulators/index.ts';
import type { Encounter, Phase, World } from '../world/index.ts';

export interface Observation {
  /** The agent's view of the history, `world.inputs` numbers. A copy: the next step changes nothing in it. */
  readonly features: Float64Array;
  /** By act of the agent: 1 = allowed now. */
  readonly allowed: Uint8Array;
}

export interface StepResult {
  readonly observation: Observation;
  /** 0 until the end, then the episode's reward. */
  readonly reward: number;
  /** The dialogue has ended by itself. */
  readonly terminated: boolean;
  /** It was cut off at the horizon. */
  readonly truncated: boolean;
  readonly info: {
    /** What the user answered to this step, by name, in order; none after a tool call of the agent. */
    readonly userActs: readonly string[];
    readonly outcome: string | null;
  };
}

/**
 * A world with somebody in it, for trainers of one's own: reset and step as in Gymnasium (Towers et al. 2024,
 * arXiv 2407.17032). An episode follows from the seed of its reset and the acts.
 */
export class LabEnvironment {
  readonly world: World;
  readonly simulator: Simulator;
  #encounter: Encounter | null = null;
  #session: Session | null = null;
  #random: Random | null = null;

  constructor(world: World, simulator: Simulator) {
    this.world = world;
    this.simulator = simulator;
  }

  /** A new episode. `setting` is the number of the setting, `seed` that of user and settings. */
  reset(options: { readonly seed?: number; readonly setting?: number } = {}): Observation {
    const { seed = 0, setting = 0 } = options;
    const random = seeded(`lab/environment/${this.world.id}/${this.simulator.id}/${seed}/${setting}`);
    this.#session = this.simulator.open(random.fork('session'));
    this.#encounter = this.world.begin(this.world.setting(setting, seed), this.#session.users);
    this.#random = random.fork('user');
    this.#answer();
    return this.#observe();
  }

  /**
   * The agent acts, the user answers.
   * @throws CA_USAGE before a reset, after the end, or for an act that is not allowed.
   */
  step(act: number): StepResult {
    const encounter = this.#encounter;
    const phase: Phase | undefined = encounter?.phase;
    if (encounter === null || phase === 'over')
      throw new CollapseAwareError('CA_USAGE', 'no episode is under way', { todo: 'Call reset first.' });
    const { allowed } = this.#observe();
    if (allowed[act] !== 1)
      throw new CollapseAwareError('CA_USAGE', `act ${act} is not allowed now`, {
        todo: 'Take one that observation.allowed has as 1.',
      });
    encounter.actAgent(act);
    const userActs = this.#answer();
    const over = encounter.phase === 'over';
    const truncated = over && encounter.termination === 'turn limit';
    return {
      observation: this.#observe(),
      reward: encounter.reward ?? 0,
      terminated: over && !truncated,
      truncated,
      info: { userActs, outcome: over ? encounter.outcome : null },
    };
  }

  #answer(): string[] {
    const encounter = this.#encounter!;
    const session = this.#session!;
    const said: string[] = [];
    while (encounter.phase === 'user') {
      const { act } = session.reply(encounter, this.#random!);
      session.said(encounter, act);
      encounter.actUser(act);
      said.push(this.world.userActs[act]!);
    }
    return said;
  }

  #observe(): Observation {
    const features = new Float64Array(this.world.inputs);
    const allowed = new Uint8Array(this.world.agentActs.length);
    this.#encounter!.observe(features, 0);
    if (this.#encounter!.phase === 'agent') this.#encounter!.allowed(allowed, 0);
    return { features, allowed };
  }
}
