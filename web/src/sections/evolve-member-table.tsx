import { useMemo } from 'preact/hooks';
import { originKind } from '../../../src/report/evolve-lineage.ts';
import type { EvolveMember, EvolveView } from '../../../src/report/evolve-payload.ts';
import { number } from '../format.ts';
import { Long, Name } from '../number.tsx';
import { type Column, Table } from '../table.tsx';
import { OriginTag, OriginText } from './evolve-origin.tsx';

/** Everybody the run met with audition and fate, and the share of each in every round. */
export function EvolveMemberTable({ view }: { view: EvolveView }) {
  const { members, rounds } = view;
  const served = useMemo(
    () => members.filter(({ shares }) => shares.some((share) => share !== null)),
    [members],
  );
  const columns = useMemo<readonly Column<EvolveMember>[]>(
    () => [
      { id: 'id', header: 'Member', node: ({ id }) => <Name>{id}</Name> },
      ...['start', ...rounds.map(({ round }) => String(round))].map(
        (header, at): Column<EvolveMember> => ({
          id: `r${at}`,
          header,
          number: ({ shares }) => shares[at] ?? null,
          format: share,
        }),
      ),
    ],
    [rounds],
  );
  return (
    <>
      <Table caption="Everybody the run met" columns={MEMBERS} rows={members} sortable />
      <Table
        caption="Share of the population, %, at the start and after each round (–: not in service)"
        columns={columns}
        rows={served}
        empty="Nobody was in service."
      />
    </>
  );
}

/** Of the population, in %. */
function share(value: number): string {
  return number(100 * value, 1);
}

const MEMBERS: readonly Column<EvolveMember>[] = [
  { id: 'id', header: 'Member', text: ({ id }) => id },
  { id: 'origin', header: 'Kind', node: (member) => <OriginTag kind={originKind(member)} /> },
  { id: 'from', header: 'Made from', node: (member) => <OriginText member={member} /> },
  { id: 'round', header: 'Round', number: ({ round }) => round },
  { id: 'kept', header: 'Kept', text: ({ kept }) => (kept ? 'kept' : 'refused') },
  { id: 'reason', header: 'Why', node: ({ reason }) => <Long>{reason}</Long> },
  { id: 'n', header: 'Episodes', hint: 'Of its audition', number: ({ audition }) => audition?.n ?? null },
  {
    id: 'yield',
    header: 'Yield',
    hint: 'Share in the mode it was made for',
    figure: ({ audition }) => audition?.yield ?? null,
  },
  { id: 'realism', header: 'Realism', figure: ({ audition }) => audition?.realism ?? null },
  {
    id: 'learnability',
    header: 'Learnability',
    hint: 'What the policy can still learn on it, 0 to 1',
    figure: ({ audition }) => audition?.learnability ?? null,
  },
  { id: 'turns', header: 'Turns', number: ({ audition }) => audition?.turns ?? null },
  { id: 'recipe', header: 'Answers', node: ({ recipe }) => <Long>{recipe}</Long> },
  { id: 'family', header: 'Family', text: ({ family }) => family },
  { id: 'model', header: 'Model', text: ({ model }) => model ?? '–' },
];
