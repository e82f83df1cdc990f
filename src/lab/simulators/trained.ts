import type { Random } from '../../math/random.ts';
import { PolicyNetwork } from '../learning/index.ts';
import type { Encounter } from '../world/encounter.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';
import { drawFrom, sharpen } from './draw-act.ts';
import { familyShares, type SimulatorFamily } from './family.ts';
import { collapseOf, coverageOf, openFamily } from './family-simulator.ts';
import type { MixtureSession } from './mixture-session.ts';
import type { Reply, Session, Simulator } from './simulator.ts';

/** Logs of the served law below this are taken as this: a trained simulator can bring an act back, at a price. */
const LOWEST_LOG = -12;

/** Width of what a trained simulator sees: the world's cues, then the log of the law it started from. */
export const trainedInputs = (world: World): number => world.cues + world.userActs.length;

/**
 * Act logits of a simulator that is trained beside the policy: linear in the cues and in the log of the served law,
 * started at that law (identity on its logs, down to LOWEST_LOG; 0 elsewhere). Undoing the collapse is within its reach: a
 * smaller weight on the logs is a smaller gamma.
 */
export function freshLogits(world: World): PolicyNetwork {
  const inputs = trainedInputs(world);
  const acts = world.userActs.length;
  const parameters = new Float64Array(acts * inputs + acts);
  for (let act = 0; act < acts; act++) parameters[act * inputs + world.cues + act] = 1;
  return new PolicyNetwork({ inputs, hidden: [], acts }, parameters);
}

export function trainedSimulator(
  world: World,
  family: SimulatorFamily,
  logits: PolicyNetwork,
  id: string,
): Simulator {
  const covered = coverageOf(world, familyShares(world, family));
  return {
    id,
    family: family.id,
    kind: 'trained',
    recipe: 'trained beside the policy',
    open: (random) =>
      new TrainedSession(
        world,
        openFamily(world, covered, collapseOf(family), null, random),
        logits,
        family.gamma,
      ),
  };
}

/** `seen` and `possible` are what its training needs. */
export class TrainedSession implements Session {
  readonly users: readonly UserTraits[];
  readonly voice: UserTraits;
  readonly breadth: number;
  readonly person = null;
  readonly inputs: number;
  readonly acts: number;
  readonly #base: MixtureSession;
  readonly #gamma: number;
  readonly #cues: number;
  readonly #logits: PolicyNetwork;
  readonly #buffers;
  readonly #served: Float64Array;
  readonly #own: Float64Array;
  readonly #seen: Float64Array;
  readonly #mask: Uint8Array;

  /** `base` is what it started from, collapsed by `gamma`. */
  constructor(world: World, base: MixtureSession, logits: PolicyNetwork, gamma: number) {
    this.#gamma = gamma;
    this.#base = base;
    this.#logits = logits;
    this.#cues = world.cues;
    this.users = base.users;
    this.voice = base.voice;
    this.breadth = base.breadth;
    this.acts = world.userActs.length;
    this.inputs = trainedInputs(world);
    this.#buffers = logits.buffers(1);
    this.#served = new Float64Array(this.acts);
    this.#own = new Float64Array(this.acts);
    this.#seen = new Float64Array(this.inputs);
    this.#mask = new Uint8Array(this.acts);
  }

  /** What it saw at the history of its last `law` or `reply`: `inputs` numbers. */
  get seen(): Float64Array {
    return this.#seen;
  }

  /** By act, at the same history: 1 = possible, that is, some kind of user may do it. */
  get possible(): Uint8Array {
    return this.#mask;
  }

  law(encounter: Encounter, into: Float64Array): boolean {
    const { acts } = this;
    const served = this.#served;
    encounter.cues(this.#seen, 0);
    this.#base.reference(encounter, served);
    for (let act = 0; act < acts; act++) this.#mask[act] = served[act]! > 0 ? 1 : 0;
    sharpen(served, this.#gamma);
    for (let act = 0; act < acts; act++) {
      const p = served[act]!;
      this.#seen[this.#cues + act] = p > 0 ? Math.max(LOWEST_LOG, Math.log(p)) : LOWEST_LOG;
    }
    this.#logits.forward(this.#seen, 1, this.#buffers, this.#mask);
    for (let act = 0; act < acts; act++) into[act] = Math.exp(this.#buffers.logProb[act]!);
    return true;
  }

  reply(encounter: Encounter, random: Random): Reply {
    this.law(encounter, this.#own);
    const act = drawFrom(this.#own, random);
    return { act, probability: this.#own[act]! };
  }

  said(encounter: Encounter, act: number): void {
    this.#base.said(encounter, act);
  }
}
