import { hashOrder } from '../math/index.ts';
import type { Member } from '../population/index.ts';
import { type Origin, planGaps, planPath } from '../synthesis/index.ts';
import type { OpenAnswer } from './answer.ts';
import { type MemberLaws, type ModeLaw, mixtureLaw } from './mode-law.ts';

/** Given members whose model can be asked to be somebody else. */
export const basesOf = (members: readonly Member[]): Member[] =>
  members.filter(({ recipe }) => recipe.kind === 'direct' || recipe.kind === 'persona');

/** Somebody who is to be auditioned. */
export interface Candidate {
  readonly member: Member;
  readonly origin: Origin;
}

/** A mode that the population shows less than it should. */
export interface ModeGap {
  readonly mode: number;
  /** What it should have: p_ref, or 1 / K. */
  readonly mass: number;
  /** What it has. */
  readonly share: number;
}

/** Modes by how much mass is lacking, the most first; those that lack less than 1 % are no gaps. */
export function modeGaps(target: ArrayLike<number>, law: ModeLaw): ModeGap[] {
  return Array.from({ length: target.length }, (_, mode) => ({
    mode,
    mass: target[mode]!,
    share: law[mode]!,
  }))
    .filter(({ mass, share }) => mass - share > 0.01)
    .sort((a, b) => b.mass - b.share - (a.mass - a.share) || a.mode - b.mode);
}

/**
 * Members for the largest gaps: bases (families given at the start) asked to be somebody of the mode. Nobody is made
 * twice: `known` are the contents that the run has met.
 */
export function gapCandidates(
  gaps: readonly ModeGap[],
  bases: readonly Member[],
  personas: OpenAnswer['personas'],
  count: number,
  round: number,
  known: ReadonlySet<string>,
): Candidate[] {
  if (count < 1) return [];
  const found: Candidate[] = [];
  const taken = new Set(known);
  for (const { mode, mass } of gaps) {
    const own = personas.filter((persona) => persona.mode === mode);
    // Descriptions of nobody in particular are tried in an order of the round's own.
    const anybody = personas
      .filter((persona) => persona.mode === null)
      .sort((a, b) => hashOrder(a.text, round) - hashOrder(b.text, round));
    const drafts = own.length > 0 ? own : anybody;
    const order = [...bases].sort(
      (a, b) => hashOrder(a.id, round * 64 + mode) - hashOrder(b.id, round * 64 + mode),
    );
    const { targets } = planGaps({
      // A sum of shares may be above 1 in its last digit.
      gaps: [{ mode, mass: Math.min(1, mass) }],
      bases: order,
      drafts: () => drafts,
      perGap: Math.max(1, drafts.length * bases.length),
    });
    const share = Math.max(1, Math.ceil(count / Math.min(gaps.length, count)));
    let made = 0;
    for (const { member, origin } of targets[0]!.members) {
      const key = contentOf(member);
      if (taken.has(key)) continue;
      taken.add(key);
      found.push({ member: { ...member, id: `r${round}-${member.id}` }, origin });
      made += 1;
      if (made >= share || found.length >= count) break;
    }
    if (found.length >= count) break;
  }
  return found;
}

/** Half way between the members that are farthest apart in modes: what lies between two is often shown by neither. */
export function pathCandidates(
  members: readonly Member[],
  laws: MemberLaws,
  count: number,
  round: number,
  known: ReadonlySet<string>,
): Candidate[] {
  const plain = members
    .filter(
      ({ id, recipe }) => recipe.kind !== 'interpolate' && recipe.kind !== 'ensemble' && laws.laws.has(id),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const pairs = plain.flatMap((a, i) =>
    plain
      .slice(i + 1)
      .filter((b) => contentOf(a) !== contentOf(b))
      .map((b) => ({ a, b, far: distance(laws.laws.get(a.id)!, laws.laws.get(b.id)!) })),
  );
  pairs.sort((x, y) => y.far - x.far || (`${x.a.id}${x.b.id}` < `${y.a.id}${y.b.id}` ? -1 : 1));
  const found: Candidate[] = [];
  for (const { a, b } of pairs) {
    if (found.length >= count) break;
    const [step] = planPath({ a, b, how: 'mixture', lambdas: [0.5] }).steps;
    const { member, origin } = step!;
    if (known.has(contentOf(member))) continue;
    found.push({ member: { ...member, id: `r${round}-${member.id}` }, origin });
  }
  return found;
}

/** What makes two members one, whatever they are called. */
export const contentOf = ({ family, model, recipe, checkpoint, sampling }: Member): string =>
  JSON.stringify([family, model, recipe, checkpoint, sampling]);

function distance(a: ModeLaw, b: ModeLaw): number {
  return a.reduce((sum, share, mode) => sum + Math.abs(share - b[mode]!), 0) / 2;
}

/** What the population shows now. */
export function shownLaw(laws: MemberLaws, shares: ReadonlyMap<string, number>): ModeLaw {
  return mixtureLaw(
    laws,
    [...shares].map(([id, share]) => ({ id, share })),
  );
}
