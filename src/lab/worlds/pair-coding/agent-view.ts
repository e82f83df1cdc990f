import { History } from '../../world/history.ts';
import type { Accord } from './accord.ts';
import { AGENT_ACTS, AGENT_MESSAGES, PARTNER_ACTS, SEEN_ACTS } from './acts.ts';
import { KIND, OWNER, type Repository } from './repository.ts';

/** Beside the history: see `writeFacts`. */
const FACTS = 12;
export const INPUTS = History.width(AGENT_ACTS.length, SEEN_ACTS) + FACTS;

const PARTNER_FACTS = 14;
export const CUES = History.width(AGENT_MESSAGES, PARTNER_ACTS.length) + PARTNER_FACTS;

/** What the agent has been shown by its tools. */
export interface Shown {
  /** Something was said to be pushed since the last pull. */
  stale: boolean;
  /** Of the last run of the tests with nothing changed since; null = none. */
  passed: boolean | null;
  /** Conflicts of the last run, as bits; 0 after somebody reworked something. */
  conflicts: number;
}

/** The agent knows of something to rework: an edit it has seen, a plan it has learned, or a conflict in the tests. */
export function mayAdapt(accord: Accord, repository: Repository): boolean {
  for (let o = 0; o < repository.overlaps; o++)
    if (repository.agentMayAdapt(o, accord.partnerPlanKnown)) return true;
  return false;
}

/** Overlapping regions that the agent has edited. */
export function agentEdits(repository: Repository): number {
  let n = 0;
  for (let o = 0; o < repository.overlaps; o++) n += repository.agentEdited[o]!;
  return n;
}

/** Writes FACTS numbers of 0..1, each of which the agent can know. */
export function writeFacts(
  accord: Accord,
  repository: Repository,
  shown: Shown,
  into: Float64Array,
  at: number,
): void {
  const n = repository.overlaps;
  let signs = 0;
  for (let o = 0; o < n; o++) {
    if (repository.kind[o] === KIND.agent) signs += 1;
    // Its own needs are in its task; the partner's it learns with the partner's plan.
    else if (accord.partnerPlanKnown && repository.kind[o] === KIND.partner) signs -= 1;
  }
  let to = at;
  into[to++] = repository.agentOwn / repository.agentOnly;
  into[to++] = agentEdits(repository) / n;
  into[to++] = repository.agentUnpushed ? 1 : 0;
  into[to++] = accord.partnerPlanKnown ? 1 : 0;
  into[to++] = shown.stale ? 1 : 0;
  into[to++] = shown.conflicts > 0 || mayAdapt(accord, repository) ? 1 : 0;
  into[to++] = accord.ownedBy(OWNER.agent) / n;
  into[to++] = accord.ownedBy(OWNER.partner) / n;
  into[to++] = accord.partnerClaim >= 0 ? 1 : 0;
  into[to++] = accord.partnerDone ? 1 : 0;
  into[to++] = shown.passed === null ? 0.5 : shown.passed ? 1 : 0;
  into[to++] = 0.5 + (0.5 * signs) / n;
}

/** Writes PARTNER_FACTS numbers of 0..1 that the partner can know. */
export function writePartnerFacts(
  accord: Accord,
  repository: Repository,
  into: Float64Array,
  at: number,
): void {
  const n = repository.overlaps;
  let edited = 0;
  let own = 0;
  let others = 0;
  for (let o = 0; o < n; o++) {
    if (repository.partnerVersion[o]! > 0) edited += 1;
    if (repository.kind[o] === KIND.partner) own += 1;
    if (repository.kind[o] === KIND.agent) others += 1;
  }
  let to = at;
  into[to++] = repository.partnerOwn / repository.partnerOnly;
  into[to++] = edited / n;
  into[to++] = repository.partnerUnpushed ? 1 : 0;
  into[to++] = accord.agentPlanKnown ? 1 : 0;
  into[to++] = accord.partnerPlanKnown ? 1 : 0;
  into[to++] = accord.agentClaim >= 0 ? 1 : 0;
  into[to++] = accord.partnerClaim >= 0 ? 1 : 0;
  into[to++] = accord.ownedBy(OWNER.agent) / n;
  into[to++] = accord.ownedBy(OWNER.partner) / n;
  into[to++] = accord.agentDone ? 1 : 0;
  into[to++] = accord.partnerDone ? 1 : 0;
  into[to++] = repository.adaptable() >= 0 ? 1 : 0;
  into[to++] = own / n;
  into[to++] = accord.agentPlanKnown ? others / n : 0;
}
