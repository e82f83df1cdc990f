import { AGENT_STATES, USER_STATES } from '../../people/act-dialogue.ts';
import { P4G_PERSUADERS } from '../../people/p4g-persuaders.ts';
import { persuaderLaw } from '../../people/persuader-table.ts';
import { STAGES, STRATEGIES } from '../../people/strategy-dialogue.ts';
import { strategyContext } from '../../people/strategy-law.ts';
import type { PersuasionEncounter } from './encounter.ts';

const LAW = persuaderLaw(P4G_PERSUADERS);

/** P(strategy | user's last act, own last strategy, third of the horizon) of the persuaders of P4G. */
export function demonstrate(
  { lastUser, lastAgent, turn, horizon }: PersuasionEncounter,
  into: Float64Array,
): void {
  const user = lastUser < 0 ? USER_STATES - 1 : lastUser;
  const own = lastAgent < 0 ? AGENT_STATES - 1 : lastAgent;
  const stage = Math.min(STAGES - 1, Math.floor((STAGES * turn) / horizon));
  const row = strategyContext(user, own, stage) * STRATEGIES;
  for (let act = 0; act < STRATEGIES; act++) into[act] = LAW[row + act]!;
}
