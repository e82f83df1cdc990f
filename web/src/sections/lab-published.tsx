import { useMemo } from 'preact/hooks';
import type { LabPublished, LabTable } from '../../../src/report/lab-payload.ts';
import { number } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface Ranked {
  readonly title: string;
  /** Score and rank by column. */
  readonly cells: readonly (readonly [score: number, rank: string] | null)[];
}

/** Published scores and those of this lab, each with its rank among the methods that both have. */
export function LabPublishedSection({ table, published }: { table: LabTable; published: LabPublished }) {
  const { rows, columns } = useMemo(() => ranked(table, published), [table, published]);
  return (
    <Section
      id="published"
      title="Published figures"
      lead={
        <>
          <Name>{published.source}</Name>. Language models, most on other tasks and in percent: levels say
          nothing beside those of this lab. The order may be compared: ranks, 1 the highest, are among the
          methods that have the score, and close ones may be chance.
        </>
      }
    >
      {rows.length === 0 ? (
        <Missing>No method of this table has a published figure.</Missing>
      ) : (
        <Table
          caption="Published scores and held-out success here, with ranks"
          columns={columns}
          rows={rows}
          sortable
        />
      )}
    </Section>
  );
}

function ranked(table: LabTable, published: LabPublished) {
  const titles = new Map(
    table.worlds.flatMap(({ methods }) => methods.map(({ method, title }) => [method, title] as const)),
  );
  const shared = published.rows.filter(({ method }) => titles.has(method));
  const scores: readonly (readonly (number | null)[])[] = [
    ...published.columns.map((_, at) => shared.map((row) => row.scores[at] ?? null)),
    ...table.worlds.map(({ methods }) =>
      shared.map(
        (row) => methods.find(({ method }) => method === row.method)?.figures.heldOut?.value ?? null,
      ),
    ),
  ];
  const heads = [...published.columns, ...table.worlds.map(({ name }) => `here: ${name}`)];
  const rows = shared.map(
    ({ method }, at): Ranked => ({
      title: titles.get(method)!,
      cells: scores.map((column) => {
        const score = column[at] ?? null;
        if (score === null) return null;
        const known = column.filter((other) => other !== null);
        const rank = 1 + known.filter((other) => other > score).length;
        return [score, `rank\u00a0${rank}\u00a0of\u00a0${known.length}`];
      }),
    }),
  );
  const columns: Column<Ranked>[] = [
    { id: 'method', header: 'Method', text: ({ title }) => title },
    ...heads.map(
      (header, at): Column<Ranked> => ({
        id: `c${at}`,
        header,
        number: ({ cells }) => cells[at]?.[0] ?? null,
        // Equal scores have equal ranks, so the score finds its own.
        format: (score) => {
          const decimals = at < published.columns.length && score > 1 ? 1 : 3;
          const rank = rows.find(({ cells }) => cells[at]?.[0] === score)?.cells[at]?.[1];
          return `${number(score, decimals)}\u00a0·\u00a0${rank ?? ''}`;
        },
      }),
    ),
  ];
  return { rows, columns };
}
