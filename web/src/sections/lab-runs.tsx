import { useMemo } from 'preact/hooks';
import type { LabMethod, LabTable } from '../../../src/report/lab-payload.ts';
import { count } from '../format.ts';
import { type Column, Table } from '../table.tsx';
import { seedsText } from './lab-figure-text.ts';

interface Run {
  readonly world: string;
  readonly method: LabMethod;
}

interface Lost {
  readonly what: string;
  readonly world: string;
  readonly title: string;
  readonly seeds: string;
  readonly reason: string;
}

const RUNS: readonly Column<Run>[] = [
  { id: 'method', header: 'Method', text: ({ method }) => method.title },
  { id: 'world', header: 'World', text: ({ world }) => world },
  { id: 'id', header: 'Name', node: ({ method }) => <code>{method.method}</code> },
  { id: 'done', header: 'Done', number: ({ method }) => method.seeds.done.length },
  { id: 'diverged', header: 'Diverged', number: ({ method }) => method.seeds.diverged.length },
  { id: 'missing', header: 'Not made', number: ({ method }) => method.seeds.missing.length },
];
const LOST: readonly Column<Lost>[] = [
  { id: 'title', header: 'Method', text: ({ title }) => title },
  { id: 'world', header: 'World', text: ({ world }) => world },
  { id: 'what', header: 'What', text: ({ what }) => what },
  { id: 'seeds', header: 'Seeds', text: ({ seeds }) => seeds },
  { id: 'reason', header: 'Reason', text: ({ reason }) => reason },
];

/** What is in the means, and what is not, with its reason. */
export function LabRuns({ table }: { table: LabTable }) {
  const runs = useMemo(
    () =>
      table.worlds.flatMap(({ name, methods }) => methods.map((method): Run => ({ world: name, method }))),
    [table],
  );
  const lost = useMemo(() => lostOf(table, runs), [table, runs]);
  const sum = (of: (method: LabMethod) => number) =>
    runs.reduce((total, { method }) => total + of(method), 0);
  return (
    <>
      <p class="lead">
        {count(sum(({ seeds }) => seeds.done.length))} done,{' '}
        {count(sum(({ seeds }) => seeds.diverged.length))} diverged,{' '}
        {count(sum(({ seeds }) => seeds.missing.length))} not made.
      </p>
      <Table
        caption="Not in the means, or without a figure"
        columns={LOST}
        rows={lost}
        sortable
        empty="Every planned run is done and has every figure."
      />
      <details class="as-table">
        <summary>Show all runs</summary>
        <Table caption="Runs of each method" columns={RUNS} rows={runs} sortable />
      </details>
    </>
  );
}

function lostOf(table: LabTable, runs: readonly Run[]): Lost[] {
  return runs.flatMap(({ world, method: { title, seeds, figures } }) => {
    const own = { world, title };
    return [
      ...seeds.diverged.map(({ seed, step, side, reason }) => ({
        ...own,
        what: 'diverged',
        seeds: String(seed),
        reason: `${side}, step ${step}: ${reason}`,
      })),
      ...(seeds.missing.length === 0
        ? []
        : [
            {
              ...own,
              what: 'not made',
              seeds: seedsText(seeds.missing),
              reason: 'planned, no run in the folder',
            },
          ]),
      ...table.figures.flatMap((figure) =>
        (figures[figure.id]?.nulls ?? []).map(({ reason, seeds: without }) => ({
          ...own,
          what: `no ${figure.title}`,
          seeds: seedsText(without),
          reason,
        })),
      ),
    ];
  });
}
