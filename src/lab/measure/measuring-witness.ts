import type { Random } from '../../math/random.ts';
import { lawErrors } from '../../metrics/index.ts';
import {
  askMember,
  firstReplies,
  type Probe,
  type ProbedReply,
  type ProbePlan,
  planProbes,
} from '../record/index.ts';
import type { Reply, Session, Simulator } from '../simulators/index.ts';
import type { EpisodePlan } from '../training/rollout.ts';
import type { Encounter, World } from '../world/index.ts';

export interface ProbingOptions {
  /** Chance with which a user turn after the first is probed, 0..1; the first always is. */
  readonly share: number;
  readonly resamples: number;
}

/** Means over all visited user turns of laws that are known. */
export interface ExactErrors {
  /** 1 - max phi. */
  readonly epsilon: number;
  /** 1 - sum phi^2. */
  readonly disagreement: number;
  readonly turns: number;
}

interface Account {
  readonly plan: ProbePlan | null;
  readonly replies: Map<number, Reply>;
  readonly probes: Probe[];
  depth: number;
}

/**
 * Stands by while episodes are played: keeps what was answered, draws replies again, and reads the laws themselves.
 * At the first user turn the whole population is asked too, each time by a session of its own: who answers a later
 * turn depends on what was said before.
 */
export class MeasuringWitness {
  readonly #world: World;
  readonly #plans: readonly EpisodePlan[];
  readonly #population: readonly Simulator[];
  readonly #accounts: readonly Account[];
  readonly #law: Float64Array;
  #epsilon = 0;
  #disagreement = 0;
  #turns = 0;
  #closed = true;

  /** Without `probing` the laws alone are read. */
  constructor(
    world: World,
    plans: readonly EpisodePlan[],
    population: readonly Simulator[],
    probing: ProbingOptions | null,
  ) {
    this.#world = world;
    this.#plans = plans;
    this.#population = population;
    this.#law = new Float64Array(world.userActs.length);
    this.#accounts = plans.map(({ random }) => ({
      plan: probing === null ? null : planProbes(probing, random.fork('probes')),
      replies: new Map(),
      probes: [],
      depth: 0,
    }));
  }

  readonly see = (episode: number, encounter: Encounter, session: Session, reply: Reply): void => {
    const account = this.#accounts[episode]!;
    const step = encounter.steps.length;
    const depth = account.depth++;
    account.replies.set(step, reply);
    this.#read(encounter, session);
    const { plan } = account;
    if (plan === null || (depth > 0 && !plan.probes(depth))) return;
    const stream = plan.stream(depth);
    const { id } = this.#plans[episode]!.simulator;
    const replies = askMember(id, session, encounter, plan.resamples, stream.fork('member'));
    if (depth === 0)
      replies.push(...this.#askAnew(episode, encounter, plan.resamples, stream.fork('population')));
    account.probes.push({ step, probability: depth === 0 ? 1 : plan.share, replies });
  };

  /** Null where some session's law has no closed form, or nobody said anything. */
  get exact(): ExactErrors | null {
    if (!this.#closed || this.#turns === 0) return null;
    return {
      epsilon: this.#epsilon / this.#turns,
      disagreement: this.#disagreement / this.#turns,
      turns: this.#turns,
    };
  }

  replies(episode: number): ReadonlyMap<number, Reply> {
    return this.#accounts[episode]!.replies;
  }

  probes(episode: number): readonly Probe[] {
    return this.#accounts[episode]!.probes;
  }

  #read(encounter: Encounter, session: Session): void {
    this.#closed &&= session.law(encounter, this.#law);
    if (!this.#closed) return;
    const { epsilon, disagreement } = lawErrors(this.#law);
    this.#epsilon += epsilon;
    this.#disagreement += disagreement;
    this.#turns += 1;
  }

  /** The first reply in `n` dialogues, with a member drawn for each. */
  #askAnew(episode: number, encounter: Encounter, n: number, random: Random): ProbedReply[] {
    const { setting } = this.#plans[episode]!;
    const anybody = (own: Random) => this.#population[own.integer(this.#population.length)]!;
    return firstReplies(this.#world, setting, encounter, anybody, n, random).map(
      ({ simulator, session: { voice, breadth }, act }) => ({
        law: 'population',
        member: simulator.id,
        act,
        manner: { voice, breadth },
      }),
    );
  }
}
