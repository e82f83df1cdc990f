import { CollapseAwareError } from '../errors.ts';
import { type Member, readMember, writtenMember } from '../population/index.ts';
import { expectArgument, expectList, expectMember } from './argument.ts';
import type { Origin } from './origin.ts';

/** Who would show a mode, in words. */
export interface PersonaDraft {
  /** A description of a person; in the lab, traits in words. */
  readonly text: string;
  /** What people of the mode do in a dialogue, described and not quoted (exemplar-description.ts). */
  readonly exemplars?: readonly string[];
}

/** A mode that people visit and the data does not. */
export interface Gap {
  readonly mode: number;
  /** Share of people in it. */
  readonly mass: number;
}

export interface GapPlan {
  readonly kind: 'gaps';
  /** Largest mass first. */
  readonly targets: readonly GapTarget[];
}

export interface GapTarget extends Gap {
  readonly members: readonly GapMember[];
  /** Why there is nobody; null where there is somebody. */
  readonly reason: string | null;
}

export interface GapMember {
  readonly member: Member;
  readonly origin: Origin;
}

export interface GapInput {
  readonly gaps: readonly Gap[];
  /** Members whose model is asked to be somebody else; direct, persona or verbalized. */
  readonly bases: readonly Member[];
  readonly drafts: (mode: number) => readonly PersonaDraft[];
  /** Members made for one gap, at most; default 3. */
  readonly perGap?: number;
  /** Of Verbalized Sampling, 2 .. 20; default 5. */
  readonly candidates?: number;
}

/**
 * Members that are to show what is missing: each base asked, by Verbalized Sampling, to be the person of a draft. Every
 * base takes a draft before the next one is taken.
 * @throws CA_USAGE for gaps, bases or counts that cannot be; CA_CONFIG_INVALID for a draft that no member can hold.
 */
export function planGaps(input: GapInput): GapPlan {
  const { gaps, bases, drafts, perGap = 3, candidates = 5 } = input ?? {};
  expectList(gaps, 'the gaps');
  expectList(bases, 'the bases');
  for (const base of bases) expectMember(base, 'a base');
  expectArgument(typeof drafts === 'function', 'drafts is no function', 'give mode => persons to describe');
  if (!Number.isInteger(perGap) || perGap < 1)
    throw new CollapseAwareError('CA_USAGE', `${perGap} members a gap`, { todo: 'give 1 or more' });
  if (bases.length === 0)
    throw new CollapseAwareError('CA_USAGE', 'there is no base to make a member of', {
      todo: 'give a member whose model can be asked to be somebody else',
    });
  for (const base of bases) checkBase(base);
  const seen = new Set<number>();
  for (const { mode, mass } of gaps) {
    if (!Number.isInteger(mode) || mode < 0 || seen.has(mode) || !(mass > 0 && mass <= 1))
      throw new CollapseAwareError('CA_USAGE', `mode ${mode} with mass ${mass} is no gap`, {
        todo: 'give every mode once, with the share of people in it',
      });
    seen.add(mode);
  }
  const ranked = [...gaps].sort((x, y) => y.mass - x.mass || x.mode - y.mode);
  return {
    kind: 'gaps',
    targets: ranked.map(({ mode, mass }) => {
      const all = drafts(mode);
      const members = Array.from({ length: Math.min(perGap, all.length * bases.length) }, (_, i) => {
        const base = bases[i % bases.length]!;
        const draft = all[Math.floor(i / bases.length)]!;
        return {
          member: drafted(base, draft, `${base.id}+gap${mode}.${i + 1}`, candidates),
          origin: { kind: 'gap', mode, mass, base: base.id } as const,
        };
      });
      return { mode, mass, members, reason: members.length === 0 ? 'no draft of a person' : null };
    }),
  };
}

/** `base` asked to be somebody else: its model, checkpoint and sampling, by Verbalized Sampling. */
export function drafted(base: Member, draft: PersonaDraft, id: string, candidates = 5): Member {
  const { text, exemplars = [] } = draft;
  const recipe = { kind: 'verbalized', candidates, persona: text, exemplars };
  return readMember({ ...writtenMember(base), id, recipe });
}

function checkBase({ id, recipe: { kind } }: Member): void {
  if (kind === 'direct' || kind === 'persona' || kind === 'verbalized') return;
  throw new CollapseAwareError('CA_USAGE', `'${id}' cannot be asked to be somebody else: it is ${kind}`, {
    todo: 'give a base that is direct, persona or verbalized',
  });
}
