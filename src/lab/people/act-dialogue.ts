import type { Trajectory } from '../../trajectory/trajectory.ts';
import { PERSUADEE_ACTS, PERSUADER_ACTS, persuadeeAct, persuaderAct } from './acts.ts';

/** Acts of a persuadee. */
export const USERS = PERSUADEE_ACTS.length;
/** Rows of a law: one for every strategy, then one for "the persuader said nothing yet". */
export const AGENT_STATES = PERSUADER_ACTS.length + 1;
/** Columns of a law: one for every act, then one for "the persuadee said nothing yet". */
export const USER_STATES = USERS + 1;
export const CONTEXTS = AGENT_STATES * USER_STATES;

/** A persuadee's turns as act indexes: `contexts[i]` = agent state * USER_STATES + user state before `acts[i]`. */
export interface ActDialogue {
  readonly id: string;
  readonly person: string;
  readonly contexts: readonly number[];
  readonly acts: readonly number[];
}

/**
 * The turns of one annotated dialogue. Turns without a known label are left out; the state before the next
 * turn then stays as it was. A dialogue whose person is unknown is a person of its own.
 */
export function actDialogue(trajectory: Trajectory): ActDialogue {
  const contexts: number[] = [];
  const acts: number[] = [];
  let agent = AGENT_STATES - 1;
  let user = USER_STATES - 1;
  for (const turn of trajectory.turns) {
    if (turn.role === 'agent') {
      const act = persuaderAct(turn.acts ?? []);
      if (act >= 0) agent = act;
    } else if (turn.role === 'user') {
      const act = persuadeeAct(turn.acts ?? []);
      if (act < 0) continue;
      contexts.push(agent * USER_STATES + user);
      acts.push(act);
      user = act;
    }
  }
  return { id: trajectory.id, person: trajectory.simulator.person ?? trajectory.id, contexts, acts };
}

/** Acts by third of the dialogue (early, middle, late), counted; a dialogue of n turns has turn i in third 3i/n. */
export function countThirds(dialogues: readonly ActDialogue[]): number[][] {
  const thirds = [0, 1, 2].map(() => new Array<number>(USERS).fill(0));
  for (const { acts } of dialogues)
    acts.forEach((act, i) => {
      thirds[Math.floor((3 * i) / acts.length)]![act]!++;
    });
  return thirds;
}

/** Share of the turns of each dialogue that are one of `acts`, 0..1. */
export function shareOf(dialogue: ActDialogue, acts: readonly number[]): number {
  return dialogue.acts.filter((act) => acts.includes(act)).length / dialogue.acts.length;
}
