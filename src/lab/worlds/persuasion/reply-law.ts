import { AGENT_STATES, USER_STATES } from '../../people/act-dialogue.ts';
import { PERSUADEE_ACTS, type PersuadeeAct } from '../../people/acts.ts';
import { P4G_PEOPLE } from '../../people/p4g.ts';
import { typeLaws } from '../../people/people-table.ts';
import { REPLIES } from './acts.ts';

const LAWS = typeLaws(P4G_PEOPLE);
export const HABITS = LAWS.length;

/** How a tilt t moves a reply: its odds are multiplied by exp(t), exp(t / 2) or their inverses. */
const WHOLE: readonly PersuadeeAct[] = ['amount', 'agree', 'warm'];
const SIDE = Int8Array.from(PERSUADEE_ACTS, (act) => {
  if (WHOLE.includes(act)) return 2;
  if (act === 'answer-yes') return 1;
  if (act === 'answer-no') return -1;
  return act === 'refuse' || act === 'push-back' ? -2 : 0;
});

/**
 * P(reply | agent's last act, own last reply) of a habit, tilted, times `scale`, to `into[0 .. REPLIES - 1]`.
 * `own` -1 = none yet.
 */
export function writeReplies(
  habit: number,
  agent: number,
  own: number,
  tilt: number,
  scale: number,
  into: Float64Array,
): void {
  const law = LAWS[habit]!;
  const row =
    ((agent < 0 ? AGENT_STATES - 1 : agent) * USER_STATES + (own < 0 ? USER_STATES - 1 : own)) * REPLIES;
  const half = Math.exp(tilt / 2);
  const whole = half * half;
  let sum = 0;
  for (let act = 0; act < REPLIES; act++) {
    const side = SIDE[act]!;
    let odds = law[row + act]!;
    if (side === 2) odds *= whole;
    else if (side === -2) odds /= whole;
    else if (side === 1) odds *= half;
    else if (side === -1) odds /= half;
    into[act] = odds;
    sum += odds;
  }
  const factor = scale / sum;
  for (let act = 0; act < REPLIES; act++) into[act]! *= factor;
}

/** How a reply takes an appeal, -1 (refusal) .. 1 (consent): what anybody can see. */
export const answerOf = (reply: number): number => SIDE[reply]! / 2;
