import { AGENT, AGENT_ACTS, USER } from './acts.ts';
import type { Desk } from './desk.ts';
import { writeAllowed } from './observation.ts';
import { FIRST_TOOL } from './rules.ts';

/** Probability that goes to any allowed act, evenly. */
const NOISE = 0.16;

/**
 * A competent agent that treats everybody alike: it fills in the form from the top, looks the order up, and does or
 * denies what the rules say. It reads plans back sometimes, and answers anger with whatever comes to mind.
 */
export function demonstrate(desk: Desk, allowed: Uint8Array, into: Float64Array): void {
  writeAllowed(desk, allowed, 0);
  const acts = AGENT_ACTS.length;
  let open = 0;
  for (let act = 0; act < acts; act++) open += allowed[act]!;
  for (let act = 0; act < acts; act++) into[act] = (NOISE * allowed[act]!) / open;
  const rest = 1 - NOISE;
  const last = desk.lastUser;
  const take = (act: number, share: number) => {
    into[act]! += rest * share;
  };
  if (desk.database.settled || desk.executed >= 0) {
    take(AGENT.close, 1);
    return;
  }
  if (desk.turnedDown) {
    take(AGENT.explain, 0.3);
    take(AGENT.apologise, 0.3);
    take(AGENT['offer-alternative'], 0.15);
    take(AGENT.deny, 0.15);
    take(AGENT.close, 0.1);
    return;
  }
  if (desk.heard < 0) {
    take(AGENT['ask-goal'], 1);
    return;
  }
  // A question or a complaint is answered now and then, else passed over.
  const answer =
    last === USER['ask-back'] || last === USER['push-back']
      ? AGENT.explain
      : last === USER.complain
        ? AGENT.apologise
        : -1;
  const aside = answer >= 0 && desk.lastAgent !== answer ? 0.5 : 0;
  if (aside > 0) take(answer, aside);
  const on = 1 - aside;
  if (!desk.identity) take(AGENT['ask-identity'], on);
  else if (desk.told < 0) take(AGENT['ask-order'], on);
  else if (desk.looked !== desk.told) take(AGENT['look-up'], on);
  else if (desk.ruling === 0) take(AGENT.deny, on);
  else if (desk.detailNeeded && !desk.detailKnown) take(AGENT['ask-detail'], on);
  else if (desk.codeNeeded && !desk.code) {
    take(AGENT['ask-code'], 0.8 * on);
    take(FIRST_TOOL + desk.heardKind, 0.2 * on);
  } else {
    const confirm = desk.committed ? 0 : 0.25;
    take(AGENT['confirm-plan'], confirm * on);
    take(FIRST_TOOL + desk.heardKind, (1 - confirm) * on);
  }
}
