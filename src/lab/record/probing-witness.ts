import type { Random } from '../../math/random.ts';
import type { Reply, Session, Simulator } from '../simulators/simulator.ts';
import type { Encounter } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';
import { askMember, askPopulation, type Probe, type ProbedReply } from './probe.ts';
import { type ProbeOptions, type ProbePlan, planProbes } from './probe-plan.ts';
import { type PopulationMember, standInsAt } from './stand-ins.ts';

export interface WitnessOptions extends ProbeOptions {
  /** Ask these too, as a population one of whom is drawn for every reply. */
  readonly population?: readonly PopulationMember[];
}

/** What is known of an episode before it is played. */
export interface WitnessedEpisode {
  readonly setting: Setting;
  readonly simulator: Pick<Simulator, 'id'>;
  readonly random: Random;
}

interface Account {
  readonly plan: ProbePlan;
  readonly replies: Map<number, Reply>;
  readonly probes: Probe[];
  depth: number;
}

/**
 * Stands by while episodes are played side by side: keeps what the sessions answered with, and draws again at the
 * turns of its plan. What it finds of an episode depends on that episode alone, and playing depends on it in nothing.
 */
export class ProbingWitness {
  readonly #world: Pick<World, 'begin' | 'userActs'>;
  readonly #episodes: readonly WitnessedEpisode[];
  readonly #population: readonly PopulationMember[];
  readonly #accounts: readonly Account[];

  constructor(
    world: Pick<World, 'begin' | 'userActs'>,
    episodes: readonly WitnessedEpisode[],
    options: WitnessOptions,
  ) {
    this.#world = world;
    this.#episodes = episodes;
    this.#population = options.population ?? [];
    this.#accounts = episodes.map(({ random }) => ({
      plan: planProbes(options, random.fork('probes')),
      replies: new Map(),
      probes: [],
      depth: 0,
    }));
  }

  /** To be called before every act of a user. */
  readonly see = (episode: number, encounter: Encounter, session: Session, reply: Reply): void => {
    const account = this.#accounts[episode]!;
    const step = encounter.steps.length;
    const depth = account.depth++;
    account.replies.set(step, reply);
    const { plan } = account;
    if (!plan.probes(depth)) return;
    const replies = this.#ask(episode, encounter, session, plan.resamples, plan.stream(depth));
    account.probes.push({ step, probability: plan.share, replies });
  };

  /** By index of the step. */
  replies(episode: number): ReadonlyMap<number, Reply> {
    return this.#accounts[episode]!.replies;
  }

  probes(episode: number): readonly Probe[] {
    return this.#accounts[episode]!.probes;
  }

  #ask(episode: number, encounter: Encounter, session: Session, n: number, random: Random): ProbedReply[] {
    const { setting, simulator } = this.#episodes[episode]!;
    const own = askMember(simulator.id, session, encounter, n, random.fork('member'));
    if (this.#population.length === 0) return own;
    const stream = random.fork('population');
    const standIns = standInsAt(this.#world, setting, encounter.steps, this.#population, stream);
    return standIns === null ? own : [...own, ...askPopulation(standIns, n, stream)];
  }
}
