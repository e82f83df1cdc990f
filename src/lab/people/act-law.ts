import { type ActDialogue, AGENT_STATES, CONTEXTS, USER_STATES, USERS } from './act-dialogue.ts';

/** P(act | context): CONTEXTS rows of USERS probabilities, each row summing to 1. */
export type Law = Float64Array;

/** How often each act followed each context: CONTEXTS rows of USERS counts. */
export type ActCounts = Float64Array;

export const MODELS = ['uniform', 'frequencies', 'user', 'agent', 'both'] as const;
export type Model = (typeof MODELS)[number];

/** Observations that the law one step simpler counts as, by model. */
export interface Smoothing {
  readonly user: number;
  readonly agent: number;
  readonly both: number;
}

/** Added to the count of every act before its overall frequency is taken (Jeffreys' 1/2). */
const FLOOR = 0.5;

export function countActs(dialogues: readonly ActDialogue[]): ActCounts {
  const counts = new Float64Array(CONTEXTS * USERS);
  for (const { contexts, acts } of dialogues)
    acts.forEach((act, i) => {
      counts[contexts[i]! * USERS + act]!++;
    });
  return counts;
}

/**
 * Additive smoothing towards a simpler law: (count + s q) / (n + s) with q the simpler law. `user` (on the
 * persuadee's last act) and `agent` (on the persuader's) have the overall frequencies f as q; `both` has
 * P(act | agent) P(act | user) / f, normalised, which is what holds if the two act independently on the choice.
 */
export function lawOf(counts: ActCounts, model: Model, smoothing: Smoothing): Law {
  const law = new Float64Array(CONTEXTS * USERS);
  if (model === 'uniform') return law.fill(1 / USERS);
  const overall = frequencies(counts);
  const byUser = conditional(
    counts,
    USER_STATES,
    (context) => context % USER_STATES,
    overall,
    smoothing.user,
  );
  const byAgent = conditional(
    counts,
    AGENT_STATES,
    (context) => Math.floor(context / USER_STATES),
    overall,
    smoothing.agent,
  );
  for (let context = 0; context < CONTEXTS; context++) {
    const user = (context % USER_STATES) * USERS;
    const agent = Math.floor(context / USER_STATES) * USERS;
    const row = law.subarray(context * USERS, (context + 1) * USERS);
    for (let act = 0; act < USERS; act++) {
      if (model === 'frequencies') row[act] = overall[act]!;
      else if (model === 'user') row[act] = byUser[user + act]!;
      else if (model === 'agent') row[act] = byAgent[agent + act]!;
      else row[act] = (byUser[user + act]! * byAgent[agent + act]!) / overall[act]!;
    }
    if (model !== 'both') continue;
    const scale = total(row);
    const seen = counts.subarray(context * USERS, (context + 1) * USERS);
    const n = total(seen);
    for (let act = 0; act < USERS; act++)
      row[act] = (seen[act]! + (smoothing.both * row[act]!) / scale) / (n + smoothing.both);
  }
  return law;
}

/** Natural log-likelihood of a dialogue's acts. */
export function logLikelihood({ contexts, acts }: ActDialogue, law: Law): number {
  let value = 0;
  for (let i = 0; i < acts.length; i++) value += Math.log(law[contexts[i]! * USERS + acts[i]!]!);
  return value;
}

function frequencies(counts: ActCounts): Float64Array {
  const overall = new Float64Array(USERS).fill(FLOOR);
  for (let i = 0; i < counts.length; i++) overall[i % USERS]! += counts[i]!;
  const n = total(overall);
  return overall.map((count) => count / n);
}

function conditional(
  counts: ActCounts,
  states: number,
  stateOf: (context: number) => number,
  prior: Float64Array,
  strength: number,
): Float64Array {
  const rows = new Float64Array(states * USERS);
  for (let i = 0; i < counts.length; i++)
    rows[stateOf(Math.floor(i / USERS)) * USERS + (i % USERS)]! += counts[i]!;
  for (let state = 0; state < states; state++) {
    const row = rows.subarray(state * USERS, (state + 1) * USERS);
    const n = total(row);
    for (let act = 0; act < USERS; act++) row[act] = (row[act]! + strength * prior[act]!) / (n + strength);
  }
  return rows;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
