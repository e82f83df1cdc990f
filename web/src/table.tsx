import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Figure } from '../../src/metrics/figure.ts';
import { count } from './format.ts';
import { Name, Point, Range } from './number.tsx';

/** One column; exactly one of `figure`, `number`, `text`, `node` says what stands in its cells. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly hint?: string;
  readonly figure?: (row: Row) => Figure | null;
  readonly number?: (row: Row) => number | null;
  readonly format?: (value: number, row: Row) => string;
  readonly text?: (row: Row) => string;
  readonly node?: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sortable?: boolean;
  /** Class of a row, e.g. to set people apart. */
  readonly tone?: (row: Row) => string | undefined;
  readonly empty?: string;
}

type Sort = { readonly id: string; readonly down: boolean } | null;

/** Every table of the page: scrolls inside itself, first column stays, reasons become footnotes. */
export function Table<Row>({ caption, columns, rows, sortable = false, tone, empty }: TableProps<Row>) {
  const [sort, setSort] = useState<Sort>(null);
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const notes = useMemo(() => reasons(rows, columns), [rows, columns]);
  if (rows.length === 0) return <p class="absent">{empty ?? `${caption}: nothing to show.`}</p>;
  const turn = (id: string) =>
    setSort((now) => (now?.id === id ? (now.down ? { id, down: false } : null) : { id, down: true }));
  return (
    <div class="table">
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="table-scroll" aria-label={caption} tabIndex={0}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  class={numeric(column) ? 'numeric' : undefined}
                  aria-sort={
                    sortable
                      ? sort?.id === column.id
                        ? sort.down
                          ? 'descending'
                          : 'ascending'
                        : 'none'
                      : undefined
                  }
                >
                  {sortable ? (
                    <button type="button" class="sort" onClick={() => turn(column.id)} title={column.hint}>
                      {column.header}
                      <span class="sort-mark" aria-hidden="true">
                        {sort?.id === column.id ? (sort.down ? '▼' : '▲') : '↕'}
                      </span>
                    </button>
                  ) : (
                    <span title={column.hint}>{column.header}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row, at) => (
              <tr key={at} class={tone?.(row)}>
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th key={column.id} scope="row">
                      <Cell column={column} row={row} notes={notes} />
                    </th>
                  ) : (
                    <td key={column.id} class={numeric(column) ? 'numeric' : undefined}>
                      <Cell column={column} row={row} notes={notes} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.size > 0 && (
        <ul class="notes">
          {[...notes].map(([reason, mark]) => (
            <li key={mark}>
              <sup>{mark}</sup> not measured: <bdi>{reason}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Cell<Row>({
  column,
  row,
  notes,
}: {
  column: Column<Row>;
  row: Row;
  notes: ReadonlyMap<string, string>;
}) {
  if (column.node !== undefined) return <>{column.node(row)}</>;
  if (column.text !== undefined) return <Name>{column.text(row)}</Name>;
  if (column.number !== undefined) {
    const value = column.number(row);
    if (value === null) return <span class="value-point">–</span>;
    return <>{column.format?.(value, row) ?? count(value)}</>;
  }
  const figure = column.figure?.(row) ?? null;
  if (figure === null) return <span class="value-point">–</span>;
  if (figure.value === null) {
    const reason = figure.reason ?? 'no reason given';
    return (
      <span class="value-point" title={`not measured: ${reason}`}>
        –<sup>{notes.get(reason)}</sup>
        <span class="unseen"> not measured, note {notes.get(reason)}</span>
      </span>
    );
  }
  return (
    <span class="value value-cell">
      <Point figure={figure} />
      <Range figure={figure} />
      <span class="value-n">n {count(figure.n)}</span>
    </span>
  );
}

function numeric<Row>(column: Column<Row>): boolean {
  return column.figure !== undefined || column.number !== undefined;
}

function reasons<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Map<string, string> {
  const notes = new Map<string, string>();
  for (const row of rows)
    for (const column of columns) {
      const figure = column.figure?.(row);
      if (figure == null || figure.value !== null) continue;
      const reason = figure.reason ?? 'no reason given';
      if (!notes.has(reason)) notes.set(reason, letters(notes.size));
    }
  return notes;
}

function letters(at: number): string {
  const last = String.fromCharCode(97 + (at % 26));
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last;
}

/** Rows without the value go last in either direction. */
function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.id);
  if (sort === null || column === undefined) return rows;
  const key = (row: Row): number | string | null =>
    column.figure?.(row)?.value ?? column.number?.(row) ?? column.text?.(row) ?? null;
  const sign = sort.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * String(x).localeCompare(String(y), 'en');
  });
}
