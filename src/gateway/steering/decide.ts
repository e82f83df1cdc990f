import { type GateRecipe, type GateVerdict, planGate } from '../../curation/gate/index.ts';
import type { Decision } from '../api/control.ts';
import { decideGroup, type GroupAsked, type SessionVerdict } from './decide-group.ts';
import { type FoundSession, type SessionSource, sessionsOf } from './session-source.ts';

export interface DecideOptions {
  /** Null = no gate: whatever is over and has a reward is usable. */
  readonly gate: GateRecipe | null;
  readonly zeroVariance?: 'accept' | 'reject';
}

/**
 * Decides groups of one training step: reads their sessions twice (duplicates and missing rewards are questions about
 * all of them), a chunk at a time, and keeps verdicts alone. Decisions stand in the order of the groups.
 */
export async function decideGroups(
  groups: readonly GroupAsked[],
  source: SessionSource,
  { gate: recipe, zeroVariance }: DecideOptions,
): Promise<Decision[]> {
  const ids = groups.flatMap(({ sessions }) => sessions);
  const gate = recipe === null ? null : planGate(recipe);
  // A session without a reward would teach the first gate that rewards are missing.
  const unpaid = recipe === null ? null : planGate(recipe);
  // One session may be asked for by two ids.
  const met = new Set<string>();
  for await (const { found } of sessionsOf(ids, source)) {
    if (found === null || !isSettled(found) || met.has(found.trajectory.id)) continue;
    met.add(found.trajectory.id);
    gate?.observe(found.trajectory);
  }
  const verdicts = new Map<string, SessionVerdict>();
  const ownId = new Map<string, string>();
  for await (const { id, found } of sessionsOf(ids, source)) {
    const own = found?.trajectory.id ?? id;
    ownId.set(id, own);
    if (!verdicts.has(own)) verdicts.set(own, verdictOf(found, gate, unpaid, met.has(own)));
  }
  return groups.map(({ id, sessions }) => {
    const first = new Map([...sessions].reverse().map((session) => [ownId.get(session)!, session]));
    const distinct = [...new Set(sessions)].filter((session) => first.get(ownId.get(session)!) === session);
    return decideGroup(
      { id, sessions: distinct },
      (session) => verdicts.get(ownId.get(session)!)!,
      zeroVariance,
    );
  });
}

/** Over, and nothing more is to come. */
function isSettled({ state, rewarded, trajectory }: FoundSession): boolean {
  return state === 'closed' && (rewarded || trajectory.reward !== null);
}

type Gate = ReturnType<typeof planGate> | null;

function verdictOf(found: FoundSession | null, gate: Gate, unpaid: Gate, observed: boolean): SessionVerdict {
  if (found === null)
    return { kind: 'dropped', group: null, check: 'unknown', reason: 'no such session is on record' };
  const { trajectory, state } = found;
  const { group, reward } = trajectory;
  if (state === 'orphan')
    return { kind: 'dropped', group, check: 'orphan', reason: 'the client never came back for its reply' };
  if (state === 'open') return { kind: 'waiting', group, reason: 'is still open' };
  if (!isSettled(found)) {
    const broken = unpaid?.inspect(trajectory).findings.find(({ blame }) => blame === 'infrastructure');
    return broken === undefined
      ? { kind: 'waiting', group, reason: 'has no reward yet' }
      : { kind: 'dropped', group, check: broken.check, reason: broken.reason };
  }
  // Its reward came between the two readings: the gate has not seen it among the others.
  if (!observed) return { kind: 'waiting', group, reason: 'has only just got its reward' };
  const verdict = gate?.inspect(trajectory) ?? null;
  if (verdict === null || verdict.kept) return { kind: 'usable', group, reward };
  return { kind: 'dropped', group, ...whyDropped(verdict) };
}

/** The first finding that drops a row, as `curate` counts it. */
export function whyDropped({ findings, unchecked }: GateVerdict): { check: string; reason: string } {
  const [first] = findings;
  if (first !== undefined) return { check: first.check, reason: first.reason };
  return { check: 'unchecked', reason: `could not be checked for ${unchecked.join(', ')}` };
}
