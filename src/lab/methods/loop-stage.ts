import {
  drawnByShare,
  type ExamAnswer,
  type ExamRequest,
  type LoopPopulation,
  type ProbeAnswer,
  type ProbeRequest,
  type RepliedTurn,
} from '../../loop/index.ts';
import { type Random, seeded } from '../../math/random.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import { firstReplies } from '../record/index.ts';
import { type MemberWorld, memberSimulator, type Simulator } from '../simulators/index.ts';
import type { EpisodePlan, Rollouts, Stage, Witness } from '../training/rollout.ts';
import { type ActBehaviour, actBehaviour } from './act-behaviour.ts';
import { type ActModes, placeBehaviours } from './act-modes.ts';

/** Settings from here on are for probes, those from there on for the loop's exams: nothing else is played in them. */
const PROBES = 400_000;
const EXAMS = 500_000;

/** Plays what a loop asks for, in a world of the lab. A dialogue depends on its request and the policy alone. */
export class LoopStage {
  readonly #setup: MemberWorld;
  readonly #seed: number;
  readonly #members = new Map<string, { readonly key: string; readonly simulator: Simulator }>();

  constructor(setup: MemberWorld, seed: number) {
    this.#setup = setup;
    this.#seed = seed;
  }

  probe(stage: Stage, policy: PolicyNetwork, request: ProbeRequest, modes: ActModes): ProbeAnswer {
    const { rollouts, names, replied } = this.#probed(stage, policy, request);
    const { world } = this.#setup;
    const kept = rollouts.episodes.flatMap((_, e) => (Number.isNaN(rollouts.reward[e]!) ? [] : [e]));
    const behaviours = kept.map((e) => this.#behaviour(rollouts, e));
    const placed = placeBehaviours(modes, behaviours);
    const lost = new Map<string, number>();
    rollouts.episodes.forEach(({ simulator }, e) => {
      if (Number.isNaN(rollouts.reward[e]!)) lost.set(simulator.id, (lost.get(simulator.id) ?? 0) + 1);
    });
    return {
      kind: 'probe',
      rows: kept.map((e, at) => ({
        id: `${request.id}/${names[e]}`,
        hash: behaviours[at]!.hash,
        context: `${world.id} ${names[e]!.split('/')[0]}`,
        simulator: rollouts.episodes[e]!.simulator.id,
        cell: placed.mode[at]!,
        outside: placed.outside[at] === 1,
        reward: rollouts.reward[e]!,
        turns: rollouts.episodes[e]!.turns,
      })),
      lost: [...lost]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([simulator, count]) => ({ simulator, count, reason: 'no reward' })),
      ...(replied.length === 0 ? {} : { replied }),
    };
  }

  /** Behaviours of probed episodes, for a space that is yet to be fitted. */
  behaviours(
    stage: Stage,
    policy: PolicyNetwork,
    request: ProbeRequest,
  ): { readonly rows: readonly ActBehaviour[]; readonly turns: number } {
    const { rollouts } = this.#probed(stage, policy, request);
    return { rows: rollouts.episodes.map((_, e) => this.#behaviour(rollouts, e)), turns: rollouts.turns };
  }

  exam(stage: Stage, policy: PolicyNetwork, request: ExamRequest, panel: readonly Simulator[]): ExamAnswer {
    const { world } = this.#setup;
    const { contexts, dialogues, population, luck: other } = request;
    const label = `lab/loop-exam/${world.id}/${world.horizon}/${this.#seed}`;
    const random = seeded(other === undefined ? label : `${label}/${other}`);
    const plans = Array.from({ length: contexts }, (_, c) => {
      const setting = world.setting(EXAMS + c, this.#seed);
      const plan = (simulator: Simulator, luck: string): EpisodePlan => ({
        setting,
        simulator,
        group: c,
        random: random.fork(`${luck}/${c}`),
      });
      if (request.panel !== 'population')
        return panel.flatMap((simulator) =>
          Array.from({ length: dialogues }, (_, d) => plan(simulator, `${simulator.id}/${d}`)),
        );
      return Array.from({ length: dialogues }, (_, d) =>
        plan(this.#drawn(population, `${c}/${d}${other === undefined ? '' : `/${other}`}`), `drawn/${d}`),
      );
    }).flat();
    const rollouts = stage.play(policy, plans);
    return {
      kind: 'exam',
      rows: rollouts.episodes.map(({ simulator, group }, e) => ({
        context: `exam ${group}`,
        simulator: simulator.id,
        reward: Number.isNaN(rollouts.reward[e]!) ? null : rollouts.reward[e]!,
      })),
      turns: rollouts.turns,
    };
  }

  #probed(
    stage: Stage,
    policy: PolicyNetwork,
    { population, contexts, rollouts, draw, seed, replies = 0 }: ProbeRequest,
  ): {
    readonly rollouts: Rollouts;
    readonly names: readonly string[];
    readonly replied: readonly RepliedTurn[];
  } {
    const { world } = this.#setup;
    const random = seeded(`lab/loop-probe/${world.id}/${world.horizon}/${this.#seed}/${seed}`);
    const names: string[] = [];
    const plans = Array.from({ length: contexts }, (_, c) => {
      const setting = world.setting(PROBES + c, this.#seed);
      return Array.from({ length: rollouts }, (_, r) => {
        const whom =
          draw === 'each'
            ? population.map(({ member }) => this.#simulator(member))
            : [this.#drawn(population, `${seed}/${c}/${r}`)];
        return whom.map((simulator): EpisodePlan => {
          names.push(`${c}/${r}${draw === 'each' ? `/${simulator.id}` : ''}`);
          return { setting, simulator, group: c, random: random.fork(`${c}/${r}`) };
        });
      }).flat();
    }).flat();
    if (replies === 0 || draw === 'each') return { rollouts: stage.play(policy, plans), names, replied: [] };
    const replied = new Map<number, RepliedTurn>();
    const witness: Witness = (e, encounter) => {
      if (replied.has(e)) return;
      const { setting, group, random: own } = plans[e]!;
      const whom = (_: Random, at: number) => this.#drawn(population, `${seed}/${names[e]}/again/${at}`);
      replied.set(e, {
        context: `${world.id} ${group}`,
        replies: firstReplies(world, setting, encounter, whom, replies, own.fork('again')).map(
          ({ simulator, act }) => ({ simulator: simulator.id, kind: act }),
        ),
      });
    };
    return { rollouts: stage.play(policy, plans, witness), names, replied: [...replied.values()] };
  }

  #behaviour({ episodes }: Rollouts, e: number): ActBehaviour {
    const { world } = this.#setup;
    const { setting, encounter } = episodes[e]!;
    return actBehaviour(setting, encounter, world.userActs.length, world.horizon);
  }

  #simulator(member: LoopPopulation[number]['member']): Simulator {
    const key = JSON.stringify(member);
    const known = this.#members.get(member.id);
    if (known !== undefined && known.key === key) return known.simulator;
    const simulator = memberSimulator(this.#setup, member);
    this.#members.set(member.id, { key, simulator });
    return simulator;
  }

  #drawn(population: LoopPopulation, place: string): Simulator {
    return this.#simulator(drawnByShare(population, place, this.#seed).member);
  }
}
