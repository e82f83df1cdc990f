import { hashText } from '../../trajectory/identity.ts';
import type { Decision } from '../api/control.ts';

/** What is known of one session when its group is decided. */
export type SessionVerdict =
  | { readonly kind: 'usable'; readonly group: string | null; readonly reward: number | null }
  | { readonly kind: 'waiting'; readonly group: string | null; readonly reason: string }
  | {
      readonly kind: 'dropped';
      readonly group: string | null;
      readonly check: string;
      readonly reason: string;
    };

export interface GroupAsked {
  readonly id?: string | undefined;
  readonly sessions: readonly string[];
}

/** Rollouts that are compared with one another are at least two. */
const LEAST = 2;

/**
 * `defer` while a session of the group may still come to something; `reject` where fewer than two usable rollouts are
 * left (a session that stands alone needs no other), or all rewards are equal and `zeroVariance` says so; else `accept`,
 * with what had to be dropped named: one failed rollout costs a rollout, not a step.
 * A session that stands twice in the group counts once.
 */
export function decideGroup(
  asked: GroupAsked,
  verdictOf: (session: string) => SessionVerdict,
  zeroVariance: 'accept' | 'reject' = 'accept',
): Decision {
  const sessions = [...new Set(asked.sessions)];
  const verdicts = sessions.map((session) => ({ session, verdict: verdictOf(session) }));
  const usable = verdicts.flatMap(({ session, verdict }) => (verdict.kind === 'usable' ? [session] : []));
  const dropped = verdicts.flatMap(({ session, verdict }) =>
    verdict.kind === 'dropped' ? [{ session, check: verdict.check, reason: verdict.reason }] : [],
  );
  const made = (decision: Decision['decision'], reasons: readonly string[]): Decision => ({
    group:
      asked.id ??
      nameOf(
        verdicts.map(({ verdict }) => verdict.group),
        sessions,
      ),
    decision,
    reasons,
    usable,
    dropped,
  });
  if (sessions.length === 0) return made('reject', ['the group has no session']);
  const waiting = verdicts.flatMap(({ session, verdict }) =>
    verdict.kind === 'waiting' ? [`session ${session} ${verdict.reason}`] : [],
  );
  if (waiting.length > 0) return made('defer', waiting);
  const lost = dropped.length === 0 ? [] : [`${dropped.length} of ${sessions.length} sessions dropped`];
  if (usable.length < Math.min(LEAST, sessions.length))
    return made('reject', [
      ...lost,
      usable.length === 0
        ? 'no usable rollout is left'
        : 'one usable rollout is left: nothing to compare it with',
    ]);
  const rewards = verdicts.flatMap(({ verdict }) => (verdict.kind === 'usable' ? [verdict.reward] : []));
  const equal = rewards.length > 1 && rewards[0] !== null && rewards.every((reward) => reward === rewards[0]);
  if (!equal) return made('accept', lost);
  const why = `all ${rewards.length} rewards are ${rewards[0]}: no advantage to learn from`;
  return made(zeroVariance, [...lost, why]);
}

/** The name on record where all agree, else one made of the sessions, whatever their order. */
function nameOf(groups: readonly (string | null)[], sessions: readonly string[]): string {
  const [first] = groups;
  if (first != null && groups.every((group) => group === first)) return first;
  return `sessions/${hashText(JSON.stringify([...sessions].sort())).slice(0, 16)}`;
}
