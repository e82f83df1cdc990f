import type { EvolveMember } from './evolve-payload.ts';

/** A member below the one that it was made from. */
export interface Descent {
  readonly member: EvolveMember;
  /** Generations above it; 0 = made from nobody that the run knows. */
  readonly depth: number;
  readonly children: readonly Descent[];
}

export const ORIGINS = ['given', 'path', 'gap', 'adversary', 'unknown'] as const;
export type OriginKind = (typeof ORIGINS)[number];

export function originKind({ origin }: Pick<EvolveMember, 'origin'>): OriginKind {
  return ORIGINS.find((kind) => kind === origin?.kind) ?? 'unknown';
}

/** Whom a member was made from, the first of them first. */
export function parentsOf({ origin }: Pick<EvolveMember, 'origin'>): readonly string[] {
  switch (origin?.kind) {
    case 'path':
      return [origin.a, origin.b];
    case 'gap':
    case 'adversary':
      return [origin.base];
    default:
      return [];
  }
}

/**
 * Everybody below the first of those they were made from: a path has two, and says so. A parent is the newest record
 * of its id from an earlier round, so that no member descends from itself.
 */
export function lineageOf(members: readonly EvolveMember[]): readonly Descent[] {
  const byId = new Map<string, EvolveMember[]>();
  for (const member of members) byId.set(member.id, [...(byId.get(member.id) ?? []), member]);
  const below = new Map<EvolveMember | null, EvolveMember[]>();
  for (const member of members) {
    const parent = parentsOf(member)
      .map((id) => byId.get(id)?.findLast(({ round }) => round < member.round) ?? null)
      .find((one) => one !== null);
    const key = parent ?? null;
    below.set(key, [...(below.get(key) ?? []), member]);
  }
  const grow = (parent: EvolveMember | null, depth: number): Descent[] =>
    (below.get(parent) ?? []).map((member) => ({ member, depth, children: grow(member, depth + 1) }));
  return grow(null, 0);
}

/** Share of the population by origin, at the start and after each round. */
export function sharesByOrigin(
  members: readonly EvolveMember[],
): readonly Readonly<Record<OriginKind, number>>[] {
  const columns = members.reduce((most, { shares }) => Math.max(most, shares.length), 0);
  return Array.from({ length: columns }, (_, at) => {
    const sums: Record<OriginKind, number> = { given: 0, path: 0, gap: 0, adversary: 0, unknown: 0 };
    for (const member of members) sums[originKind(member)] += member.shares[at] ?? 0;
    return sums;
  });
}

export function hasServed({ shares }: EvolveMember): boolean {
  return shares.some((share) => share !== null);
}
