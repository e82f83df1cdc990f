import type { Trajectory } from '../../trajectory/trajectory.ts';
import { scriptedEpisodes, scriptedPeople } from './scripted-episodes.ts';

export interface DemoStudy {
  readonly people: Trajectory[];
  readonly rollouts: Trajectory[];
}

const CONTEXTS = 60;

/**
 * A small study with known truth: 400 dialogues of people, and five simulators on 60 shared contexts over three
 * epochs, two rollouts each. One simulator is narrow, one has an odd hand only, one collapses while the policy
 * trains; reward rises on the training simulators and falls on the held-out ones.
 */
export function demoStudy(seed = 1): DemoStudy {
  return {
    people: [...scriptedPeople({ seed, contexts: CONTEXTS, persons: 160, episodes: 400 })],
    rollouts: [...scriptedEpisodes({ seed, contexts: CONTEXTS, epochs: 3, group: 2 })],
  };
}
