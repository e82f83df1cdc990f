import { type Family, labContext } from '../../src/lab/index.ts';
import { playEpisode } from '../../src/lab/scripted/episode.ts';
import { scriptedPeople, trainedAgent } from '../../src/lab/scripted/scripted-episodes.ts';
import { ARCHETYPES, around, drawPerson } from '../../src/lab/scripted/traits.ts';
import { seeded } from '../../src/math/index.ts';
import { simulatorFacts } from '../../src/trajectory/identity.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';

export interface TrainingRun {
  readonly seed: number;
  readonly steps: number;
  /** Prompts of a step: new ones in every step, as trainers draw them. */
  readonly prompts: number;
  readonly group: number;
  /** Share of a step's users that are all of one manner, by step from 1. */
  readonly collapsed: (step: number) => number;
  readonly simulators?: readonly string[];
  /** Steps in which a held-out panel plays as well, and how pushy the policy has grown by then. */
  readonly panelEvery?: number;
  readonly pushiness?: (step: number) => number;
}

const NARROW = { ...ARCHETYPES.friendly!, casual: 0, expressiveness: 0.35, trust: 0.7 };

/** Rollouts of one step of a training run whose users collapse as told. */
export function stepOfRun(run: TrainingRun, step: number): Trajectory[] {
  const { seed, prompts, group, simulators = ['user-model'] } = run;
  const rows: Trajectory[] = [];
  const play = (id: string, split: Family['split'], collapsed: number, at: number, rollout: number) => {
    const setting = labContext(at, seed);
    const key = `${id}/${step}/${setting.label}/${rollout}`;
    const random = seeded(`test/run/${seed}/${key}`);
    const narrow = random.next() < collapsed;
    rows.push(
      playEpisode({
        setting,
        user: narrow
          ? { traits: around(NARROW, 0.01, random), voice: 'plain', breadth: 0.2, habit: 20 }
          : { traits: drawPerson(random), voice: 'plain', breadth: 1, habit: 1 },
        agent: trainedAgent(run.pushiness?.(step) ?? 0.1),
        random,
        id: key,
        simulator: simulatorFacts({ id, kind: 'llm' }),
        group: `${id}/${setting.label}/${step}`,
        epoch: step,
        run: `run-${seed}`,
        policy: { id: 'agent', checkpoint: null },
        split,
      }),
    );
  };
  for (let prompt = 0; prompt < prompts; prompt++)
    for (let rollout = 0; rollout < group; rollout++) {
      const at = run.panelEvery === undefined ? (step - 1) * prompts + prompt : prompt;
      for (const id of simulators) play(id, 'seen', run.collapsed(step), at, rollout);
      if (run.panelEvery !== undefined && step % run.panelEvery === 0)
        play('panel', 'selection', 0, at, rollout);
    }
  return rows;
}

export function peopleOfRun(seed: number, episodes = 600): Trajectory[] {
  return [...scriptedPeople({ seed, contexts: 60, persons: 200, episodes })];
}
