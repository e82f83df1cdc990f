import { seeded } from '../../math/index.ts';
import { simulatorFacts } from '../../trajectory/identity.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { labContext } from './context.ts';
import { playEpisode } from './episode.ts';
import { FAMILIES, type Family } from './family.ts';
import type { AgentMakeup } from './scripted-agent.ts';
import { ARCHETYPES, around } from './traits.ts';

export interface RolloutOptions {
  readonly seed: number;
  /** Contexts shared by all simulators. */
  readonly contexts: number;
  /** Epochs over which the policy grows pushy and a drifting simulator collapses. */
  readonly epochs: number;
  /** Rollouts of a context per simulator and epoch: one GRPO group. */
  readonly group: number;
  readonly families?: readonly Family[];
}

/** Policies that take turns over contexts, so that no simulator meets only one. */
const POLICIES = ['agent-a', 'agent-b'] as const;

/** What training against agreeable users makes of a policy: pushy, and always the same. */
export function trainedAgent(progress: number): AgentMakeup {
  return { pushiness: 0.1 + 0.85 * progress, sympathy: 0.6 - 0.5 * progress, breadth: 1 - 0.6 * progress };
}

/** Rollouts of every family on the same contexts, with rewards, groups and splits. A pure function of its options. */
export function* scriptedEpisodes(options: RolloutOptions): Generator<Trajectory> {
  const { seed, contexts, epochs, group, families = FAMILIES } = options;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const progress = epochs < 2 ? 0 : epoch / (epochs - 1);
    const agent = trainedAgent(progress);
    for (let at = 0; at < contexts; at++) {
      const setting = labContext(at, seed);
      for (const family of families) {
        const simulator = simulatorFacts({ id: family.id, kind: family.kind, recipe: family.truth });
        for (let rollout = 0; rollout < group; rollout++) {
          const key = `${family.id}/${setting.label}/${epoch}/${rollout}`;
          const random = seeded(`lab/rollout/${seed}/${key}`);
          yield playEpisode({
            setting,
            user: family.draw(random.fork('makeup'), progress),
            agent,
            random,
            id: key,
            simulator,
            group: group > 1 ? `${family.id}/${setting.label}/${epoch}` : null,
            epoch,
            run: `lab-${seed}`,
            policy: { id: POLICIES[at % POLICIES.length]!, checkpoint: `step-${epoch * 100}` },
            split: family.split,
          });
        }
      }
    }
  }
}

export interface PeopleOptions {
  readonly seed: number;
  readonly contexts: number;
  readonly persons: number;
  /** Episodes in all; every person has about equally many, in different contexts. */
  readonly episodes: number;
}

/** The lab's people: a broad mixture of kinds, each person the same in all their episodes. */
export function* scriptedPeople(options: PeopleOptions): Generator<Trajectory> {
  const { seed, contexts, persons, episodes } = options;
  const kinds = Object.keys(ARCHETYPES);
  const agent = trainedAgent(0);
  for (let i = 0; i < episodes; i++) {
    const person = i % persons;
    const identity = seeded(`lab/person/${seed}/${person}`);
    const kind = kinds[person % kinds.length]!;
    const traits = around(ARCHETYPES[kind]!, 0.1, identity);
    const first = identity.integer(contexts);
    const at = (first + 7 * Math.floor(i / persons)) % contexts;
    const setting = labContext(at, seed);
    yield playEpisode({
      setting,
      user: { traits, voice: 'plain', breadth: 1, habit: 1 },
      agent,
      random: seeded(`lab/people/${seed}/${i}`),
      id: `people/${person}/${i}`,
      simulator: simulatorFacts({ id: 'people', kind: 'human', person: `person-${person}` }),
      policy: { id: POLICIES[at % POLICIES.length]!, checkpoint: 'step-0' },
    });
  }
}
