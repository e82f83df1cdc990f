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
 * of its id from an earlier round, so that no member descends from itself. A line may be as long as the run.
 */
export function lineageOf(members: readonly EvolveMember[]): readonly Descent[] {
  const byId = new Map<string, EvolveMember[]>();
  for (const member of members) {
    const own = byId.get(member.id);
    if (own === undefined) byId.set(member.id, [member]);
    else own.push(member);
  }
  const parentOf = (member: EvolveMember) =>
    parentsOf(member)
      .map((id) => byId.get(id)?.findLast(({ round }) => round < member.round))
      .find((one) => one !== undefined);
  const made = new Map<EvolveMember, Descent>();
  const below = new Map<EvolveMember, Descent[]>();
  // Parents are of earlier rounds.
  for (const member of [...members].sort((a, b) => a.round - b.round)) {
    const parent = parentOf(member);
    const children: Descent[] = [];
    const depth = parent === undefined ? 0 : made.get(parent)!.depth + 1;
    made.set(member, { member, depth, children });
    below.set(member, children);
  }
  const roots: Descent[] = [];
  for (const member of members) {
    const parent = parentOf(member);
    (parent === undefined ? roots : below.get(parent)!).push(made.get(member)!);
  }
  return roots;
}

/** Parents before their children. */
export function flatLineage(descents: readonly Descent[]): Descent[] {
  const flat: Descent[] = [];
  const open = [...descents].reverse();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    flat.push(one);
    for (let at = one.children.length - 1; at >= 0; at--) open.push(one.children[at]!);
  }
  return flat;
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
