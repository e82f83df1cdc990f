import type { Session } from '../../src/lab/simulators/index.ts';
import type { Encounter, Setting, Step, World } from '../../src/lab/world/index.ts';

/** P(agent act | what it can have seen); sums to 1. */
export type AgentPolicy = (encounter: Encounter) => ArrayLike<number>;

/** One whole dialogue, with its chance under each of the users that were followed. */
export interface Dialogue {
  readonly steps: readonly Step[];
  readonly reward: number;
  /** Product of the policy's chances. */
  readonly agent: number;
  /** By user: product of its chances, so that P(dialogue) = agent * users[i]. */
  readonly users: Float64Array;
  /** By user turn and user: the law at that history, as it answers there. */
  readonly laws: readonly (readonly Float64Array[])[];
}

/**
 * Every dialogue that the policy and at least one of the users can have: exact laws, nothing sampled. `open` begins
 * the users anew, since encounters cannot be copied and every branch is therefore played from the start.
 */
export function everyDialogue(
  world: World,
  setting: Setting,
  policy: AgentPolicy,
  open: () => readonly Session[],
): Dialogue[] {
  const found: Dialogue[] = [];
  const follow = (acts: readonly number[], agent: number, users: Float64Array, laws: Dialogue['laws']) => {
    // What has happened does not hang on who listens: one of them is enough to see whose turn it is.
    const { encounter } = replay(world, setting, open()[0]!, acts);
    if (encounter.phase === 'over') {
      found.push({ steps: encounter.steps, reward: encounter.reward!, agent, users, laws });
      return;
    }
    if (encounter.phase === 'agent') {
      const chances = Float64Array.from(policy(encounter));
      chances.forEach((chance, act) => {
        if (chance > 0) follow([...acts, act], agent * chance, users, laws);
      });
      return;
    }
    const here = open().map((user) => {
      const { session, encounter: own } = replay(world, setting, user, acts);
      const law = new Float64Array(world.userActs.length);
      if (!session.law(own, law)) throw new Error('a user without a closed form');
      return law;
    });
    for (let act = 0; act < world.userActs.length; act++) {
      const next = users.map((chance, i) => chance * here[i]![act]!);
      if (next.some((chance) => chance > 0)) follow([...acts, act], agent, next, [...laws, here]);
    }
  };
  follow([], 1, new Float64Array(open().length).fill(1), []);
  return found;
}

interface Follower {
  readonly session: Session;
  readonly encounter: Encounter;
}

function replay(world: World, setting: Setting, session: Session, acts: readonly number[]): Follower {
  const encounter = world.begin(setting, session.users);
  for (const act of acts) {
    if (encounter.phase === 'agent') encounter.actAgent(act);
    else {
      session.said(encounter, act);
      encounter.actUser(act);
    }
  }
  return { session, encounter };
}

/** Law over dialogues with a mixture of the users, weights summing to 1. */
export function mixedLaw(dialogues: readonly Dialogue[], weights: ArrayLike<number>): Float64Array {
  return Float64Array.from(dialogues, ({ agent, users }) => {
    let chance = 0;
    for (let i = 0; i < users.length; i++) chance += weights[i]! * users[i]!;
    return agent * chance;
  });
}

/** Law over dialogues with user `i` alone. */
export const lawOf = (dialogues: readonly Dialogue[], i: number): Float64Array =>
  Float64Array.from(dialogues, ({ agent, users }) => agent * users[i]!);

export const expectedReward = (dialogues: readonly Dialogue[], law: Float64Array): number =>
  dialogues.reduce((sum, { reward }, at) => sum + law[at]! * reward, 0);
