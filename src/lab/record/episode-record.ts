import { type Random, seeded } from '../../math/random.ts';
import { composeTrajectory } from '../../trajectory/compose.ts';
import { fingerprint } from '../../trajectory/identity.ts';
import type {
  Candidate,
  Resample,
  SimulatorFacts,
  Split,
  Trajectory,
  Turn,
} from '../../trajectory/trajectory.ts';
import type { Reply, Session, Simulator } from '../simulators/simulator.ts';
import { type Speaker, speakerOf } from '../speech/manner.ts';
import { type Rendered, renderSteps, renderUserAct } from '../speech/render.ts';
import type { Step } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';
import { mannerOf, type Probe } from './probe.ts';
import { stepInstead } from './step-instead.ts';

export const LAB_BENCHMARK = 'collapse-aware-lab';

/** An episode as it was played, and who played it. */
export interface PlayedEpisode {
  readonly world: Pick<World, 'id' | 'agentActs' | 'userActs' | 'wordings' | 'begin'>;
  readonly setting: Setting;
  readonly steps: readonly Step[];
  /** 0..1; null where it was not scored. */
  readonly reward: number | null;
  readonly outcome: string;
  readonly termination: string | null;
  readonly simulator: Pick<Simulator, 'id' | 'family' | 'kind' | 'recipe'>;
  readonly session: Pick<Session, 'person' | 'voice' | 'breadth'>;
  readonly policy: { readonly id: string; readonly checkpoint: string | null };
  /** Of the words. Give every episode one of its own: equal acts under equal seeds are equal texts. */
  readonly seed: number | string;
  /** Absent: the content hash. */
  readonly id?: string;
  readonly group?: string | null;
  readonly epoch?: number | null;
  readonly run?: string | null;
  readonly split?: Split | null;
  /** What the session answered with, by index of the step. */
  readonly replies?: ReadonlyMap<number, Pick<Reply, 'probability' | 'candidates'>>;
  readonly probes?: readonly Probe[];
}

/**
 * The record of a played episode, which `audit` reads like any other: the same one for the same input, whatever else
 * is recorded.
 * @throws RangeError where a wording is missing or a probe stands at no user's step.
 */
export function recordEpisode(episode: PlayedEpisode): Trajectory {
  const { world, setting, simulator, policy, group, epoch, run, split, id } = episode;
  return composeTrajectory({
    ...(id === undefined ? {} : { id }),
    benchmark: LAB_BENCHMARK,
    domain: world.id,
    scenario: setting.scenario,
    contextLabel: setting.label,
    simulator: factsOf(simulator, episode.session.person),
    policy,
    turns: turnsOf(episode),
    reward: episode.reward,
    outcome: episode.outcome,
    termination: episode.termination,
    group: group ?? null,
    epoch: epoch ?? null,
    run: run ?? null,
    split: split ?? null,
    source: { file: 'lab', line: null },
  });
}

/** Where no model is asked, only family, recipe and id together say what answers. */
function factsOf(
  { id, family, kind, recipe }: PlayedEpisode['simulator'],
  person: string | null,
): SimulatorFacts {
  return {
    id,
    kind,
    person,
    model: null,
    recipe,
    fingerprint: fingerprint({ model: null, recipe: JSON.stringify([family, recipe, id]) }),
  };
}

function turnsOf(episode: PlayedEpisode): Turn[] {
  const { world, setting, steps, simulator, session, replies, probes = [] } = episode;
  const random = seeded(`lab/record/${episode.seed}`);
  const speaker = speakerOf(mannerOf(simulator.family, session), random);
  const turns = renderSteps(world, setting, steps, speaker, random);
  for (const [at, reply] of replies ?? [])
    amend(turns, at, (own) =>
      answered(episode, at, own, reply, { speaker, before: saidBefore(turns, at) }, random),
    );
  for (const probe of probes)
    amend(turns, probe.step, (own) => {
      if (own.resamples !== undefined) throw new RangeError(`step ${probe.step} is probed twice`);
      return {
        ...own,
        resamples: resamplesOf(
          episode,
          probe,
          { speaker, before: saidBefore(turns, probe.step) },
          random.fork(`probe ${probe.step}`),
        ),
        probeProbability: probe.probability,
      };
    });
  return turns.flat();
}

/** Who speaks, and what was said in the dialogue so far. */
interface Voiced {
  readonly speaker: Speaker;
  readonly before: ReadonlySet<string>;
}

function saidBefore(turns: readonly (readonly Turn[])[], at: number): ReadonlySet<string> {
  const said = turns.slice(0, at).map(([own]) => own!);
  return new Set(said.flatMap(({ role, text }) => (role === 'user' && text !== null ? [text] : [])));
}

function amend(turns: Turn[][], at: number, change: (own: Turn) => Turn): void {
  const own = turns[at]?.[0];
  if (own?.role !== 'user') throw new RangeError(`step ${at} is no step of the user`);
  turns[at]![0] = change(own);
}

function answered(
  episode: PlayedEpisode,
  at: number,
  own: Turn,
  { probability, candidates }: Pick<Reply, 'probability' | 'candidates'>,
  voiced: Voiced,
  random: Random,
): Turn {
  const listed = candidates?.map(({ act, probability }, i): Candidate => {
    const text =
      act === episode.steps[at]!.act
        ? own.text
        : worded(episode, at, act, voiced, random.fork(`candidate ${at} ${i}`)).text;
    return { text: text ?? '', probability };
  });
  return {
    ...own,
    ...(probability === null ? {} : { probability }),
    ...(listed === undefined ? {} : { candidates: listed }),
  };
}

function resamplesOf(episode: PlayedEpisode, probe: Probe, voiced: Voiced, random: Random): Resample[] {
  return probe.replies.map(({ law, member, act, manner }, i) => {
    const stream = random.fork(`${i}`);
    const speaker = manner === undefined ? voiced.speaker : speakerOf(manner, stream);
    const { text, toolCalls, acts } = worded(episode, probe.step, act, { ...voiced, speaker }, stream);
    return { law, member, text: text ?? '', ...(toolCalls === undefined ? {} : { toolCalls }), acts };
  });
}

/** Another act said at a step of the episode. */
function worded(
  { world, setting, steps, session }: PlayedEpisode,
  at: number,
  act: number,
  { speaker, before }: Voiced,
  random: Random,
): Rendered {
  const step = stepInstead(world, setting, [session.voice], steps, at, act);
  return renderUserAct(world, setting, step, speaker, before, random);
}
