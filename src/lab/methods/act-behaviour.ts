import { hash32 } from '../../math/index.ts';
import type { Encounter, Setting } from '../world/index.ts';

/** A dialogue as curation sees it: what it says, and how its user behaves. */
export interface ActBehaviour {
  /** Of the setting and all acts of both sides, 32 hex digits: equal dialogues are one content. */
  readonly hash: string;
  /** Equal in equal settings. */
  readonly context: string;
  /** `behaviourWidth` numbers in 0..1. */
  readonly vector: Float64Array;
}

/** Numbers beside the shares of acts. */
const SHAPE = 4;

export const behaviourWidth = (userActs: number): number => userActs + SHAPE;

/**
 * Share of each act in the user's turns, then four numbers that no topic can move: turns of the user over the horizon,
 * different acts over turns, turns that repeat the act before, and whether the user ended it. Without a turn of the
 * user all are 0 but the last.
 */
export function actBehaviour(
  { scenario }: Setting,
  encounter: Encounter,
  userActs: number,
  horizon: number,
): ActBehaviour {
  const vector = new Float64Array(behaviourWidth(userActs));
  const said = encounter.steps.filter(({ side }) => side === 'user');
  let repeats = 0;
  said.forEach(({ act }, at) => {
    vector[act]! += 1 / said.length;
    if (at > 0 && said[at - 1]!.act === act) repeats += 1;
  });
  vector[userActs] = Math.min(1, said.length / horizon);
  vector[userActs + 1] = said.length === 0 ? 0 : new Set(said.map(({ act }) => act)).size / said.length;
  vector[userActs + 2] = said.length < 2 ? 0 : repeats / (said.length - 1);
  vector[userActs + 3] = encounter.termination === 'user' ? 1 : 0;
  const text = `${scenario}\n${encounter.steps.map(({ side, act }) => `${side[0]}${act}`).join(' ')}`;
  const hash = [1, 2, 3, 4].map((seed) => hex(hash32(text, seed))).join('');
  return { hash, context: hex(hash32(scenario, 1)) + hex(hash32(scenario, 2)), vector };
}

const hex = (word: number) => word.toString(16).padStart(8, '0');
