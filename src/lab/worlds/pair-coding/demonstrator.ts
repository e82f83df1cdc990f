import { A, AGENT_ACTS } from './acts.ts';
import type { PairEncounter } from './pair-encounter.ts';
import { OWNER } from './repository.ts';

const allowed = new Uint8Array(AGENT_ACTS.length);

/**
 * A developer of some experience who treats every partner alike: tells the plan, claims or yields without looking
 * who it talks to, edits, pushes, looks at the other's work now and then.
 */
export function demonstrate(encounter: PairEncounter, into: Float64Array): void {
  const { accord, repository, shown } = encounter;
  const counts = encounter.agentHistory.agentCounts;
  encounter.allowed(allowed, 0);
  const open = accord.firstOpen() >= 0;
  const mine = accord.ownedBy(OWNER.agent) > 0;
  const theirs = accord.ownedBy(OWNER.partner);
  const edited = repository.agentOwn === repository.agentOnly;
  const overlapLeft = repository.nextOfAgent() >= 0 && theirs < repository.overlaps;
  const finished = edited && !repository.agentUnpushed && !overlapLeft;

  into.fill(0.02, 0, AGENT_ACTS.length);
  into[A.sharePlan] = accord.agentPlanKnown ? 0.05 : 2.5;
  into[A.askPlan] = accord.partnerPlanKnown ? 0.03 : 0.8 / (1 + counts[A.askPlan]!);
  const claim = open ? 0.5 / (1 + accord.refused) : 0;
  into[A.claimExplain] = claim;
  into[A.claimTrade] = claim;
  into[A.claimAsk] = claim;
  into[A.yield] = open ? (accord.partnerClaim >= 0 ? 1 : 0.15) : 0;
  into[A.askStatus] = finished ? 0.5 : 0.25;
  into[A.acknowledge] = finished ? 0.5 : 0.5;
  into[A.warn] = shown.conflicts > 0 ? 0.8 : 0.05;
  into[A.editOwn] = 1;
  into[A.editOverlap] = mine ? 1.6 : theirs > 0 && !open ? 0.03 : 0.35;
  into[A.pull] = shown.stale ? 0.4 : 0.06;
  into[A.adapt] = 1;
  into[A.push] = edited && !overlapLeft ? 2.5 : 0.3;
  into[A.runTests] = finished && shown.passed === null ? 0.25 : 0.03;
  into[A.done] = finished ? (accord.partnerDone ? 3 : 1) : 0.02;

  let sum = 0;
  for (let act = 0; act < AGENT_ACTS.length; act++) {
    if (allowed[act] === 0) into[act] = 0;
    sum += into[act]!;
  }
  for (let act = 0; act < AGENT_ACTS.length; act++) into[act]! /= sum;
}
