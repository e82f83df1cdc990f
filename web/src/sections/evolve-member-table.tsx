import { useMemo } from 'preact/hooks';
import { originKind } from '../../../src/report/evolve-lineage.ts';
import type { EvolveMember, EvolveView } from '../../../src/report/evolve-payload.ts';
import { count, number } from '../format.ts';
import { Long, Name } from '../number.tsx';
import { type Column, Table } from '../table.tsx';
import { OriginTag, OriginText } from './evolve-origin.tsx';

/** Rows and columns that a browser shows without a wait; a run of 500 rounds has a million shares. */
const MOST_MEMBERS = 1000;
const MOST_ROUNDS = 60;

/** Everybody the run met with audition and fate, and the share of each in every round; of a long run the newest. */
export function EvolveMemberTable({ view }: { view: EvolveView }) {
  const { members, rounds } = view;
  const newest = members.slice(-MOST_MEMBERS);
  /** Of the first column, in `shares`. */
  const first = Math.max(0, rounds.length + 1 - MOST_ROUNDS);
  const served = useMemo(
    () => members.filter(({ shares }) => shares.some((share, at) => at >= first && share !== null)),
    [members, first],
  );
  const columns = useMemo<readonly Column<EvolveMember>[]>(
    () => [
      { id: 'id', header: 'Member', node: ({ id }) => <Name>{id}</Name> },
      ...['start', ...rounds.map(({ round }) => String(round))].slice(first).map(
        (header, at): Column<EvolveMember> => ({
          id: `r${at}`,
          header,
          number: ({ shares }) => shares[first + at] ?? null,
          format: share,
        }),
      ),
    ],
    [rounds, first],
  );
  const whom =
    newest.length === members.length
      ? 'Everybody the run met'
      : `The ${count(newest.length)} of ${count(members.length)} members that the run met last`;
  const when =
    first === 0 ? 'at the start and after each round' : `after each of the last ${MOST_ROUNDS} rounds`;
  return (
    <>
      <Table caption={whom} columns={MEMBERS} rows={newest} sortable />
      <Table
        caption={`Share of the population, %, ${when} (–: not in service)`}
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
