import type { Decision, Receipt, SelectReply, WeightsReply } from '../gateway/api/control.ts';

// What training goes on with while the service is down: nothing is weighed, dropped or held.

export interface GroupToDecide {
  readonly id?: string;
  /** Ids of its sessions, or of episodes that were recorded. */
  readonly sessions: readonly string[];
}

/** A rollout to choose from, by id; n of each group are kept. The group is the recorded one unless said. */
export type Candidate = string | { readonly id: string; readonly group?: string };

const note = (why: string) => `the service was not asked (${why}): this stands in for its answer`;

export function acceptAll(groups: readonly GroupToDecide[], why: string): Decision[] {
  return groups.map(({ id, sessions }) => ({
    group: id ?? sessions[0] ?? '',
    decision: 'accept',
    reasons: [note(why)],
    usable: [...sessions],
    dropped: [],
  }));
}

export function weightsOfOne(ids: readonly string[], why: string): WeightsReply {
  return {
    weights: Object.fromEntries(ids.map((id) => [id, 1])),
    unknown: [],
    ess: ids.length,
    notes: [note(why)],
  };
}

/** Keeps everybody, each and every pair of a group with certainty. */
export function keepAll(candidates: readonly Candidate[], why: string): SelectReply {
  const all = candidates.map((one) => (typeof one === 'string' ? { id: one } : one));
  const groups = new Map<string, string[]>();
  for (const { id, group } of all)
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), id]);
  const pairs = [...groups.values()].flatMap((ids) =>
    ids.flatMap((a, at) => ids.slice(at + 1).map((b) => ({ a, b, joint: 1 }))),
  );
  return {
    kept: all.map(({ id }) => id),
    inclusion: Object.fromEntries(all.map(({ id }) => [id, 1])),
    pairs,
    unknown: [],
    seed: note(why),
  };
}

export function noneTaken(ids: readonly string[], why: string): Receipt {
  return {
    accepted: 0,
    rejected: ids.map((id) => ({ id, code: 'unavailable', reason: note(why) })),
  };
}
