import type { Random } from '../../math/random.ts';
import { Adam, initialise, type PolicyNetwork } from '../learning/index.ts';
import { playDemonstration, type Simulator } from '../simulators/index.ts';
import type { Setting, World } from '../world/index.ts';
import { StepColumns } from './columns.ts';

export interface ImitationSettings {
  readonly hidden: readonly number[];
  /** Dialogues of the demonstrator that are learned from. */
  readonly episodes: number;
  /** Passes over their steps, in parts of `rows`. */
  readonly passes: number;
  readonly rows: number;
  readonly learningRate: number;
}

export const IMITATION: ImitationSettings = {
  hidden: [32],
  episodes: 256,
  passes: 12,
  rows: 256,
  learningRate: 0.005,
};

/**
 * The policy before reinforcement learning: trained to act as the world's demonstrator does (cross entropy to its
 * law) on dialogues with `users`, as a language model was trained on people's text before it is given a reward.
 */
export function imitate(
  world: World,
  users: Simulator,
  settingOf: (episode: number) => Setting,
  random: Random,
  settings: ImitationSettings = IMITATION,
): PolicyNetwork {
  const acts = world.agentActs.length;
  const { columns, laws } = demonstrate(world, users, settingOf, random, settings.episodes);
  const policy = initialise({ inputs: world.inputs, hidden: settings.hidden, acts }, random.fork('weights'));
  const adam = new Adam(policy.parameters.length, { learningRate: settings.learningRate });
  const order = Int32Array.from({ length: columns.length }, (_, i) => i);
  const { observation, mask } = columns.columns;
  const { inputs } = world;
  const buffers = policy.buffers(settings.rows);
  const batch = new Float64Array(settings.rows * inputs);
  const allowed = new Uint8Array(settings.rows * acts);
  const gradient = new Float64Array(policy.parameters.length);
  const dealer = random.fork('deal');
  for (let pass = 0; pass < settings.passes; pass++) {
    dealer.shufflePart(order);
    for (let from = 0; from < order.length; from += settings.rows) {
      const rows = Math.min(settings.rows, order.length - from);
      for (let row = 0; row < rows; row++) {
        const step = order[from + row]!;
        batch.set(observation.subarray(step * inputs, (step + 1) * inputs), row * inputs);
        allowed.set(mask.subarray(step * acts, (step + 1) * acts), row * acts);
      }
      policy.forward(batch, rows, buffers, allowed);
      for (let row = 0; row < rows; row++)
        for (let act = 0; act < acts; act++) {
          const at = row * acts + act;
          const target = laws[order[from + row]! * acts + act]!;
          buffers.logitGradient[at] = (Math.exp(buffers.logProb[at]!) - target) / rows;
        }
      gradient.fill(0);
      policy.backward(batch, rows, buffers, gradient);
      adam.apply(policy.parameters, gradient);
    }
  }
  return policy;
}

function demonstrate(
  world: World,
  users: Simulator,
  settingOf: (episode: number) => Setting,
  random: Random,
  episodes: number,
): { columns: StepColumns; laws: number[] } {
  const acts = world.agentActs.length;
  const columns = new StepColumns(world.inputs, acts);
  const laws: number[] = [];
  const observation = new Float64Array(world.inputs);
  const mask = new Uint8Array(acts);
  for (let episode = 0; episode < episodes; episode++) {
    const own = random.fork(`demonstration/${episode}`);
    const agent = own.fork('agent');
    const user = own.fork('user');
    const session = users.open(own.fork('session'));
    const encounter = world.begin(settingOf(episode), session.users);
    playDemonstration(world, encounter, session, agent, user, (act, law) => {
      encounter.observe(observation, 0);
      encounter.allowed(mask, 0);
      columns.push(episode, observation, 0, mask, 0, act, 0);
      for (const p of law) laws.push(p);
    });
  }
  return { columns, laws };
}
