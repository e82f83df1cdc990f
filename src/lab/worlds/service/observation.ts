import { AGENT, AGENT_ACTS, USER, USER_ACTS } from './acts.ts';
import type { Desk } from './desk.ts';
import { FIRST_TOOL, KINDS } from './rules.ts';

/** The agent cannot tell a wrong order number from a right one: both look like `give-order`. */
const seenAs = (act: number): number => (act === USER['give-wrong-order'] ? USER['give-order'] : act);

const COUNTED_USER: readonly number[] = [
  USER.hint,
  USER['give-order'],
  USER['not-sure'],
  USER['correct-self'],
  USER['push-back'],
  USER.insist,
  USER['ask-back'],
  USER.complain,
];
const COUNTED_AGENT: readonly number[] = [
  AGENT.explain,
  AGENT['confirm-plan'],
  AGENT.deny,
  AGENT['offer-alternative'],
  AGENT.apologise,
];
const FACTS = 16;

export const OBSERVATION_WIDTH =
  AGENT_ACTS.length +
  USER_ACTS.length +
  COUNTED_USER.length +
  COUNTED_AGENT.length +
  KINDS.length +
  FACTS +
  1;

const saturating = (n: number): number => n / (n + 2);
const flag = (yes: boolean): number => (yes ? 1 : 0);

/** The agent's view: last act of each side, counts of what tells people apart, and what it has been told or found. */
export function writeObservation(desk: Desk, horizon: number, into: Float64Array, at: number): void {
  let to = at;
  for (let act = 0; act < AGENT_ACTS.length; act++) into[to++] = flag(act === desk.lastAgent);
  const last = seenAs(desk.lastUser);
  for (let act = 0; act < USER_ACTS.length; act++) into[to++] = flag(act === last);
  for (let i = 0; i < COUNTED_USER.length; i++) {
    const act = COUNTED_USER[i]!;
    const n = desk.userCounts[act]!;
    into[to++] = saturating(act === USER['give-order'] ? n + desk.userCounts[USER['give-wrong-order']]! : n);
  }
  for (let i = 0; i < COUNTED_AGENT.length; i++)
    into[to++] = saturating(desk.agentCounts[COUNTED_AGENT[i]!]!);
  const kind = desk.heardKind;
  for (let k = 0; k < KINDS.length; k++) into[to++] = flag(k === kind);
  const ruling = desk.ruling;
  into[to++] = flag(desk.identity);
  into[to++] = flag(desk.told >= 0);
  into[to++] = flag(desk.toldStale);
  into[to++] = flag(desk.told >= 0 && desk.looked === desk.told);
  into[to++] = flag(ruling === 1);
  into[to++] = flag(ruling === 0);
  into[to++] = flag(desk.detailNeeded);
  into[to++] = flag(desk.detailKnown);
  into[to++] = flag(desk.codeNeeded);
  into[to++] = flag(desk.code);
  into[to++] = flag(desk.changed);
  into[to++] = flag(desk.committed);
  into[to++] = flag(desk.executed >= 0);
  into[to++] = flag(desk.toolFailed);
  into[to++] = flag(desk.turnedDown);
  into[to++] = flag(desk.database.settled);
  into[to++] = desk.turn / horizon;
}

const USER_FACTS = 12;
const CUE_COUNTS: readonly number[] = [
  USER.hint,
  USER['not-sure'],
  USER['correct-self'],
  USER['push-back'],
  USER.insist,
  USER['ask-back'],
  USER.complain,
  USER['give-wrong-order'],
];

export const CUE_WIDTH =
  AGENT_ACTS.length +
  USER_ACTS.length +
  CUE_COUNTS.length +
  COUNTED_AGENT.length +
  KINDS.length +
  USER_FACTS +
  1;

/** The user's view: it knows its goal and whether the number it gave was the right one, and no look-ups. */
export function writeCues(desk: Desk, horizon: number, into: Float64Array, at: number): void {
  let to = at;
  for (let act = 0; act < AGENT_ACTS.length; act++) into[to++] = flag(act === desk.lastAgent);
  for (let act = 0; act < USER_ACTS.length; act++) into[to++] = flag(act === desk.lastUser);
  for (let i = 0; i < CUE_COUNTS.length; i++) into[to++] = saturating(desk.userCounts[CUE_COUNTS[i]!]!);
  for (let i = 0; i < COUNTED_AGENT.length; i++)
    into[to++] = saturating(desk.agentCounts[COUNTED_AGENT[i]!]!);
  const kind = desk.setting.goals[desk.goal]!.kind;
  for (let k = 0; k < KINDS.length; k++) into[to++] = flag(k === kind);
  into[to++] = flag(desk.heard >= 0);
  into[to++] = flag(desk.identity);
  into[to++] = flag(desk.told >= 0);
  into[to++] = flag(desk.orderWrong);
  into[to++] = flag(desk.detail === desk.goal);
  into[to++] = flag(desk.code);
  into[to++] = flag(desk.changed);
  into[to++] = flag(desk.changeable);
  into[to++] = flag(desk.committed);
  into[to++] = flag(desk.executed >= 0);
  into[to++] = flag(desk.turnedDown);
  into[to++] = flag(desk.database.settled);
  into[to++] = desk.turn / horizon;
}

/** Turns after which the agent may close with nothing done. */
const CLOSE_EMPTY = 8;

/** Which acts make sense: 1 or 0 by act. Asking for the goal always does. */
export function writeAllowed(desk: Desk, into: Uint8Array, at: number): void {
  const heard = desk.heard >= 0;
  const told = desk.told >= 0;
  const first = desk.turn === 0;
  const set = (act: number, yes: boolean) => {
    into[at + act] = yes ? 1 : 0;
  };
  set(AGENT['ask-goal'], true);
  set(AGENT['ask-identity'], true);
  set(AGENT['ask-order'], true);
  set(AGENT['ask-detail'], heard);
  set(AGENT['look-up'], desk.identity && told && desk.looked !== desk.told);
  set(AGENT.explain, !first);
  set(AGENT['confirm-plan'], heard && told && desk.executed < 0);
  set(AGENT['ask-code'], heard && desk.identity);
  const free = desk.identity && heard && told && desk.database.kind[desk.told]! < 0;
  for (let kind = 0; kind < KINDS.length; kind++) {
    // Both what was asked for last and what was asked for before can be done, the one rightly.
    const asked = free && (desk.heardKind === kind || (desk.changed && desk.setting.goals[0].kind === kind));
    set(FIRST_TOOL + kind, asked && (kind < 2 || desk.detail >= 0));
  }
  set(AGENT.deny, heard && told && desk.executed < 0 && !desk.database.settled);
  set(AGENT['offer-alternative'], heard && desk.executed < 0);
  set(AGENT.apologise, !first);
  set(AGENT.close, desk.executed >= 0 || desk.database.deniedGoal >= 0 || desk.turn >= CLOSE_EMPTY);
}
