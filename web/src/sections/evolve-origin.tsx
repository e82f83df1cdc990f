import { type OriginKind, originKind } from '../../../src/report/evolve-lineage.ts';
import type { EvolveMember } from '../../../src/report/evolve-payload.ts';
import { percent, setting } from '../format.ts';
import { Name } from '../number.tsx';

/** Word, colour and letter of an origin; each tells it alone. */
export const ORIGIN_LOOKS: Readonly<
  Record<OriginKind, { readonly word: string; readonly meaning: string; readonly colour: string }>
> = {
  given: { word: 'given', meaning: 'there at the start', colour: 'var(--muted)' },
  path: { word: 'path', meaning: 'between two members', colour: 'var(--simulator)' },
  gap: { word: 'gap', meaning: 'for a mode of people that was not covered', colour: 'var(--people)' },
  adversary: {
    word: 'adversary',
    meaning: 'from whom the policy has most to learn, within people’s support',
    colour: 'var(--present)',
  },
  unknown: { word: 'unknown', meaning: 'the run has no record of it', colour: 'var(--ink)' },
};

export function OriginTag({ kind }: { kind: OriginKind }) {
  return <span class={`evolve-origin evolve-origin-${kind}`}>{ORIGIN_LOOKS[kind].word}</span>;
}

/** What a member was made from, as a sentence. */
export function OriginText({ member }: { member: EvolveMember }) {
  const { origin } = member;
  switch (origin?.kind) {
    case 'given':
      return <>given at the start</>;
    case 'path':
      return (
        <>
          between <Name>{origin.a}</Name> and <Name>{origin.b}</Name>, λ {setting(origin.lambda)}, by{' '}
          {origin.how}
        </>
      );
    case 'gap':
      return (
        <>
          for mode {origin.mode} ({percent(origin.mass)} of people), from <Name>{origin.base}</Name>
        </>
      );
    case 'adversary':
      return (
        <>
          search from <Name>{origin.base}</Name>, generation {origin.generation}
        </>
      );
    default:
      return (
        <>
          {originKind(member) === 'unknown' && origin !== null
            ? String((origin as { kind: string }).kind)
            : 'no record'}
        </>
      );
  }
}
