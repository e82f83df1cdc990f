import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';
import { drawAct, type PassBuffers, type PolicyNetwork } from '../learning/index.ts';
import { type Reply, type Session, type Simulator, TrainedSession } from '../simulators/index.ts';
import type { Encounter, Setting, World } from '../world/index.ts';
import { StepColumns } from './columns.ts';

/** One episode to be played. */
export interface EpisodePlan {
  readonly setting: Setting;
  readonly simulator: Simulator;
  /** GRPO group. */
  readonly group: number;
  readonly random: Random;
}

/** One episode as it went. */
export interface Episode {
  readonly setting: Setting;
  readonly simulator: Simulator;
  readonly session: Session;
  readonly group: number;
  readonly encounter: Encounter;
  /** 0..1; NaN where the policy's probabilities were no numbers. */
  readonly reward: number;
  /** Turns of both sides: what the environment was asked for. */
  readonly turns: number;
}

export interface Rollouts {
  readonly episodes: readonly Episode[];
  readonly reward: Float64Array;
  readonly group: Int32Array;
  /** The policy's steps. */
  readonly agent: StepColumns;
  /** Steps of simulators that are trained, by episode as above; no rows where none is. */
  readonly user: StepColumns | null;
  readonly turns: number;
}

/** Called before every act of the user, with what it is going to say. */
export type Witness = (episode: number, encounter: Encounter, session: Session, reply: Reply) => void;

/**
 * Plays episodes side by side, so that the policy is asked for all of them at once. An episode depends on its plan and
 * the policy alone: neither on its neighbours nor on their number. Buffers are kept from call to call.
 */
export class Stage {
  readonly world: World;
  readonly #agent: StepColumns;
  #user: StepColumns | null = null;
  #observation = new Float64Array(0);
  #mask = new Uint8Array(0);
  #buffers: PassBuffers | null = null;
  #shape: PolicyNetwork['shape'] | null = null;

  constructor(world: World) {
    this.world = world;
    this.#agent = new StepColumns(world.inputs, world.agentActs.length);
  }

  play(policy: PolicyNetwork, plans: readonly EpisodePlan[], witness?: Witness): Rollouts {
    const { world } = this;
    const { inputs } = world;
    const acts = world.agentActs.length;
    if (policy.shape.inputs !== inputs || policy.shape.acts !== acts)
      throw new CollapseAwareError('CA_CONFIG_INVALID', `a policy of another world than ${world.id}`);
    this.#room(policy, plans.length);
    const buffers = this.#buffers!;
    const observation = this.#observation;
    const mask = this.#mask;
    const agent = this.#agent;
    agent.clear();
    this.#user?.clear();

    const sessions = plans.map(({ simulator, random }) => simulator.open(random.fork('session')));
    const encounters = plans.map(({ setting }, e) => world.begin(setting, sessions[e]!.users));
    const agentRandom = plans.map(({ random }) => random.fork('agent'));
    const userRandom = plans.map(({ random }) => random.fork('user'));
    const lost = new Uint8Array(plans.length);
    const active = plans.map((_, e) => e);
    while (active.length > 0) {
      // Users first: an episode may begin with one.
      for (const e of active) {
        const encounter = encounters[e]!;
        if (encounter.phase === 'user') this.#answer(e, encounter, sessions[e]!, userRandom[e]!, witness);
      }
      let rows = 0;
      for (let i = 0; i < active.length; i++) {
        const encounter = encounters[active[i]!]!;
        if (encounter.phase === 'over') continue;
        active[rows] = active[i]!;
        encounter.observe(observation, rows * inputs);
        encounter.allowed(mask, rows * acts);
        rows += 1;
      }
      active.length = rows;
      if (rows === 0) break;
      policy.forward(observation, rows, buffers, mask);
      let kept = 0;
      for (let row = 0; row < rows; row++) {
        const e = active[row]!;
        const act = drawAct(buffers.logProb, row * acts, acts, agentRandom[e]!);
        if (act < 0) {
          lost[e] = 1;
          continue;
        }
        agent.push(e, observation, row * inputs, mask, row * acts, act, buffers.logProb[row * acts + act]!);
        encounters[e]!.actAgent(act);
        active[kept++] = e;
      }
      active.length = kept;
    }

    const reward = Float64Array.from(encounters, (encounter, e) =>
      lost[e] === 1 || encounter.reward === null ? Number.NaN : encounter.reward,
    );
    let turns = 0;
    const episodes = plans.map(({ setting, simulator, group }, e): Episode => {
      const encounter = encounters[e]!;
      turns += encounter.steps.length;
      return {
        setting,
        simulator,
        session: sessions[e]!,
        group,
        encounter,
        reward: reward[e]!,
        turns: encounter.steps.length,
      };
    });
    return {
      episodes,
      reward,
      group: Int32Array.from(plans, ({ group }) => group),
      agent,
      user: this.#user,
      turns,
    };
  }

  #answer(
    episode: number,
    encounter: Encounter,
    session: Session,
    random: Random,
    witness: Witness | undefined,
  ): void {
    const reply = session.reply(encounter, random);
    if (session instanceof TrainedSession) {
      this.#user ??= new StepColumns(session.inputs, session.acts);
      const { seen, possible } = session;
      this.#user.push(episode, seen, 0, possible, 0, reply.act, Math.log(reply.probability!));
    }
    witness?.(episode, encounter, session, reply);
    session.said(encounter, reply.act);
    encounter.actUser(reply.act);
  }

  #room(policy: PolicyNetwork, rows: number): void {
    const { inputs, acts } = policy.shape;
    if (this.#observation.length < rows * inputs) {
      this.#observation = new Float64Array(rows * inputs);
      this.#mask = new Uint8Array(rows * acts);
    }
    // Policies of one shape share buffers: nothing in them outlives a pass.
    if (this.#buffers === null || this.#buffers.rows < rows || !sameShape(this.#shape!, policy.shape)) {
      this.#buffers = policy.buffers(rows);
      this.#shape = policy.shape;
    }
  }
}

function sameShape(a: PolicyNetwork['shape'], b: PolicyNetwork['shape']): boolean {
  return (
    a.inputs === b.inputs &&
    a.acts === b.acts &&
    a.hidden.length === b.hidden.length &&
    a.hidden.every((width, i) => width === b.hidden[i])
  );
}
