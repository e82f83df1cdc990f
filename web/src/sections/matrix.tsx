import { useMemo } from 'preact/hooks';
import type { AuditReport, MatrixCell } from '../../../src/audit/report-data.ts';
import { number } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface Row {
  readonly simulator: string;
  readonly split: string | null;
  readonly cells: ReadonlyMap<string, MatrixCell>;
}

interface PassRow extends MatrixCell {
  readonly values: ReadonlyMap<number, MatrixCell['passHatK'][number]>;
}

/** Reward of each checkpoint with each simulator, and pass^k where contexts were tried k times. */
export function MatrixSection({ report }: { report: AuditReport }) {
  const { rows, columns, passes, passColumns } = useMemo(() => matrixOf(report.matrix), [report]);
  if (report.matrix.length === 0) return null;
  return (
    <Section
      id="matrix"
      title="Reward matrix"
      lead="A policy that learns users gains with held-out simulators too; one that learns its simulators gains only with those it trains on."
    >
      <Table caption="Mean reward by checkpoint and simulator" columns={columns} rows={rows} sortable />
      {passes.length > 0 && (
        <details class="as-table">
          <summary>Show pass^k</summary>
          <Table
            caption="pass^k: share of contexts solved in all of k tries"
            columns={passColumns}
            rows={passes}
          />
        </details>
      )}
    </Section>
  );
}

function matrixOf(matrix: readonly MatrixCell[]) {
  const checkpoints = [...new Set(matrix.map(({ checkpoint }) => checkpoint))];
  const rows = new Map<string, { simulator: string; split: string | null; cells: Map<string, MatrixCell> }>();
  for (const cell of matrix) {
    const key = JSON.stringify([cell.simulator, cell.split]);
    const row = rows.get(key) ?? { simulator: cell.simulator, split: cell.split, cells: new Map() };
    row.cells.set(cell.checkpoint, cell);
    rows.set(key, row);
  }
  const columns: Column<Row>[] = [
    { id: 'simulator', header: 'Simulator', text: ({ simulator }) => simulator },
    { id: 'split', header: 'Split', text: ({ split }) => split ?? 'not said' },
    ...checkpoints.map(
      (checkpoint, at): Column<Row> => ({
        id: `c${at}`,
        header: checkpoint,
        figure: ({ cells }) => cells.get(checkpoint)?.reward ?? null,
      }),
    ),
  ];
  const ks = [...new Set(matrix.flatMap(({ passHatK }) => passHatK.map(({ k }) => k)))].sort((a, b) => a - b);
  const passes: PassRow[] = matrix
    .filter(({ passHatK }) => passHatK.length > 0)
    .map((cell) => ({ ...cell, values: new Map(cell.passHatK.map((value) => [value.k, value])) }));
  const passColumns: Column<PassRow>[] = [
    { id: 'simulator', header: 'Simulator', text: ({ simulator }) => simulator },
    { id: 'checkpoint', header: 'Checkpoint', text: ({ checkpoint }) => checkpoint },
    ...ks.map(
      (k): Column<PassRow> => ({
        id: `k${k}`,
        header: `pass^${k}`,
        node: ({ values }) => {
          const found = values.get(k);
          return found === undefined ? '–' : `${number(found.value)} (${found.contexts} contexts)`;
        },
      }),
    ),
  ];
  return { rows: [...rows.values()], columns, passes, passColumns };
}
