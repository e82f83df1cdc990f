import type { Trajectory } from '../../trajectory/trajectory.ts';
import { AGENT_STATES, USER_STATES } from './act-dialogue.ts';
import { PERSUADEE_ACTS, PERSUADER_ACTS, persuadeeAct, persuaderAct } from './acts.ts';

export const STRATEGIES = PERSUADER_ACTS.length;
/** Early, middle, late. */
export const STAGES = 3;
const CLOSE = PERSUADER_ACTS.indexOf('close');
const RAPPORT = PERSUADER_ACTS.indexOf('rapport');

/** One turn of a dialogue that is a known act, in the order of the dialogue. */
interface Said {
  readonly agent: boolean;
  readonly act: number;
}

/** A persuader's turns as strategies, each with what it followed; the turns of the persuadee up to the last of them. */
export interface StrategyDialogue {
  readonly id: string;
  readonly person: string;
  readonly strategies: readonly number[];
  /** By strategy: the persuadee's act before it, USER_STATES - 1 = none yet. */
  readonly users: readonly number[];
  /** By strategy: the persuader's own before it, AGENT_STATES - 1 = none yet. */
  readonly own: readonly number[];
  /** By strategy: turn i of n is in stage 3 i / n. */
  readonly stages: readonly number[];
  /** The persuadee's acts, without those after the dialogue was closed. */
  readonly replies: readonly number[];
  /** Whether a strategy closed it, the last one. */
  readonly closed: boolean;
}

/**
 * The dialogue up to where the persuader closes it: the first `close` after which only thanks and talk follow. A
 * `close` before that is thanks in passing and counts as `rapport`. Turns without a known label are left out. Of a
 * person's own turns in a row each counts.
 */
export function strategyDialogue(trajectory: Trajectory): StrategyDialogue {
  const all = saidIn(trajectory);
  const end = closing(all);
  const strategies: number[] = [];
  const users: number[] = [];
  const own: number[] = [];
  const replies: number[] = [];
  let user = USER_STATES - 1;
  let agent = AGENT_STATES - 1;
  for (const [i, { agent: isAgent, act }] of all.entries()) {
    if (end !== null && i > end) break;
    if (!isAgent) {
      replies.push(act);
      user = act;
      continue;
    }
    const strategy = act === CLOSE && i !== end ? RAPPORT : act;
    strategies.push(strategy);
    users.push(user);
    own.push(agent);
    agent = strategy;
  }
  return {
    id: trajectory.id,
    person: trajectory.simulator.person ?? trajectory.id,
    strategies,
    users,
    own,
    stages: strategies.map((_, i) => Math.floor((STAGES * i) / strategies.length)),
    replies,
    closed: end !== null,
  };
}

function saidIn(trajectory: Trajectory): Said[] {
  const all: Said[] = [];
  for (const turn of trajectory.turns) {
    const agent = turn.role === 'agent';
    if (!agent && turn.role !== 'user') continue;
    const act = agent ? persuaderAct(turn.acts ?? []) : persuadeeAct(turn.acts ?? []);
    if (act >= 0) all.push({ agent, act });
  }
  return all;
}

/** Place of the closing strategy; null where there is none. */
function closing(all: readonly Said[]): number | null {
  let end: number | null = null;
  for (let i = all.length - 1; i >= 0; i--) {
    const { agent, act } = all[i]!;
    if (!agent) continue;
    if (act === CLOSE) end = i;
    else if (act !== RAPPORT) break;
  }
  return end;
}

/** Pairs of successive acts of the persuadee: PERSUADEE_ACTS squared counts, the earlier act first. */
export function countPairs(replies: Iterable<readonly number[]>): number[] {
  const width = PERSUADEE_ACTS.length;
  const pairs = new Array<number>(width * width).fill(0);
  for (const acts of replies) for (let i = 1; i < acts.length; i++) pairs[acts[i - 1]! * width + acts[i]!]!++;
  return pairs;
}

/** Acts of the persuadee by third of the dialogue: act i of n is in third 3 i / n. */
export function countByThird(replies: Iterable<readonly number[]>): number[][] {
  const thirds = [0, 1, 2].map(() => new Array<number>(PERSUADEE_ACTS.length).fill(0));
  for (const acts of replies)
    acts.forEach((act, i) => {
      thirds[Math.floor((3 * i) / acts.length)]![act]!++;
    });
  return thirds;
}
