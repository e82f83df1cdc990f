import { A } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { mayAdapt } from '../../../../src/lab/worlds/pair-coding/agent-view.ts';
import type { PairEncounter } from '../../../../src/lab/worlds/pair-coding/pair-encounter.ts';
import { KIND, OWNER } from '../../../../src/lab/worlds/pair-coding/repository.ts';

/** A scripted agent that goes by what it has seen: the next act, from the observable history alone. */
export function adaptive(encounter: PairEncounter): number {
  const { accord, repository, shown } = encounter;
  const counts = encounter.agentHistory.agentCounts;
  const last = encounter.agentHistory.lastUser;
  if (!accord.agentPlanKnown) return A.sharePlan;
  const open = accord.firstOpen();
  if (!accord.partnerPlanKnown && counts[A.askPlan]! < 2) return A.askPlan;
  if (open >= 0) {
    const kind = repository.kind[open]!;
    const mine = kind === KIND.agent;
    const theirs = kind === KIND.partner && accord.partnerPlanKnown;
    if (!mine && (accord.partnerClaim >= 0 || theirs)) return A.yield;
    const tries = accord.claims[0]! + accord.claims[1]! + accord.claims[2]!;
    if (accord.agentClaim >= 0 && tries < 5 && last !== 4) return A.claimExplain + (tries % 3);
    if (tries < (mine ? 4 : 2)) return A.claimExplain + (tries % 3);
    if (!mine) return A.yield;
  }
  if (repository.agentOwn < repository.agentOnly) return A.editOwn;
  const next = repository.nextOfAgent();
  if (next >= 0 && (repository.owner[next] === OWNER.agent || repository.kind[next] === KIND.agent))
    return A.editOverlap;
  if (shown.stale) return A.pull;
  if (mayAdapt(accord, repository)) return A.adapt;
  if (repository.agentUnpushed) return A.push;
  if (shown.passed === null && accord.partnerDone) return A.runTests;
  if (shown.passed === true) return A.done;
  if (accord.partnerDone && shown.passed === false) {
    if (counts[A.warn]! < 8) return A.warn;
    return A.done;
  }
  return A.acknowledge;
}
