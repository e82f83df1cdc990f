import { seeded } from '../../math/random.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import { recordEpisode } from '../record/index.ts';
import { openPerson, peopleOf, type Simulator } from '../simulators/index.ts';
import type { Episode, EpisodePlan, Stage } from '../training/rollout.ts';
import { type ExactErrors, MeasuringWitness, type ProbingOptions } from './measuring-witness.ts';
import { PEOPLE } from './reference-dialogues.ts';

export interface ProbeSettings {
  /** Settings that nothing else of a run meets, and episodes in each. */
  readonly settings: number;
  readonly perSetting: number;
  /** Replies drawn again at the first user turn, and at a later one with chance `share`. */
  readonly share: number;
  readonly resamples: number;
}

export const PROBE: ProbeSettings = { settings: 64, perSetting: 5, share: 0.15, resamples: 8 };

/** Settings from here on. */
const FIRST = 200_000;

/** Whom the measured policy meets, and what the record says of it. */
export interface MeasuredRun {
  readonly stage: Stage;
  readonly policy: PolicyNetwork;
  readonly population: readonly Simulator[];
  readonly seed: number;
  /** For the record. */
  readonly method: string;
  readonly checkpoint: string;
}

export interface ProbeEpisodes {
  readonly trajectories: readonly Trajectory[];
  /** Null where a law has no closed form. */
  readonly exact: ExactErrors | null;
  readonly members: number;
}

/**
 * The population's episodes: members take turns of two, in an order drawn anew for each round, so that each has as many
 * (give or take two) and a setting has some with two episodes each, which consistency needs.
 */
export function populationEpisodes(run: MeasuredRun, settings: ProbeSettings = PROBE): ProbeEpisodes {
  const { population } = run;
  const random = seeded(`lab/measure/turns/${run.seed}`);
  const order: Simulator[] = [];
  while (2 * order.length < settings.settings * settings.perSetting)
    order.push(...random.shuffle([...population]));
  const cast = (at: number) => order[Math.floor(at / 2)]!;
  return played(run, settings, 'population', cast, settings);
}

/** The same with test people, each in one episode: what people do with this policy. Nothing is drawn again. */
export function peopleEpisodes(run: MeasuredRun, settings: ProbeSettings = PROBE): ProbeEpisodes {
  const { world } = run.stage;
  const people = peopleOf(world, 'test', settings.settings * settings.perSetting, run.seed);
  const cast = (at: number): Simulator => ({
    ...PEOPLE,
    open: () => openPerson(world, people[at]!),
  });
  return played(run, settings, 'people', cast, null);
}

function played(
  run: MeasuredRun,
  { settings, perSetting }: ProbeSettings,
  who: 'population' | 'people',
  cast: (at: number) => Simulator,
  probing: ProbingOptions | null,
): ProbeEpisodes {
  const { stage, policy, seed } = run;
  const { world } = stage;
  const random = seeded(`lab/measure/${world.id}/${world.horizon}/${seed}/${who}`);
  const plans = Array.from({ length: settings * perSetting }, (_, at): EpisodePlan => {
    const group = Math.floor(at / perSetting);
    const own = random.fork(`${group}/${at % perSetting}`);
    return { setting: world.setting(FIRST + group, seed), simulator: cast(at), group, random: own };
  });
  const witness = new MeasuringWitness(world, plans, run.population, probing);
  const { episodes } = stage.play(policy, plans, witness.see);
  return {
    trajectories: episodes.map((episode, at) => {
      const place = `${world.id}-${world.horizon}/${seed}/${who}/${episode.group}/${at % perSetting}`;
      return recorded(run, episode, place, witness, at);
    }),
    exact: witness.exact,
    members: who === 'people' ? 1 : run.population.length,
  };
}

function recorded(
  { stage, method, checkpoint, seed }: MeasuredRun,
  { setting, encounter, reward, simulator, session }: Episode,
  place: string,
  witness: MeasuringWitness,
  at: number,
): Trajectory {
  return recordEpisode({
    world: stage.world,
    setting,
    steps: encounter.steps,
    reward: Number.isNaN(reward) ? null : reward,
    outcome: encounter.outcome,
    termination: encounter.termination,
    simulator,
    session,
    policy: { id: method, checkpoint },
    // The same words for every method where the same is said.
    seed: place,
    id: `${place}/${method}/${checkpoint}`,
    run: `${method}/${seed}`,
    replies: witness.replies(at),
    probes: witness.probes(at),
  });
}
