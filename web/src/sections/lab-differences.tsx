import { useCallback, useMemo, useState } from 'preact/hooks';
import type { LabDifference, LabMethod, LabTable } from '../../../src/report/lab-payload.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { number, pValue } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { headOf, hintOf, judgementOf, signed, unitless } from './lab-figure-text.ts';
import { type ForestRow, forest, forestLabel } from './lab-forest-plot.ts';
import { type WorldChoice, WorldSwitch } from './lab-world-choice.tsx';

interface Compared extends ForestRow {
  readonly method: LabMethod;
  readonly difference: LabDifference;
  readonly word: string;
}

const COLUMNS: readonly Column<Compared>[] = [
  { id: 'method', header: 'Method', text: ({ method }) => method.title },
  { id: 'difference', header: 'Difference', figure: ({ difference }) => unitless(difference) },
  { id: 'word', header: 'Judgement', text: ({ word }) => word },
  { id: 'holm', header: 'Holm p', number: ({ difference }) => difference.pHolm, format: pValue },
  { id: 'p', header: 'p', hint: 'Not adjusted', number: ({ difference }) => difference.p, format: pValue },
  {
    id: 'detectable',
    header: 'Detectable',
    hint: 'Smallest difference these seeds could have shown with 80 % power, not adjusted',
    number: ({ difference }) => difference.detectable ?? null,
    format: (value) => number(value),
  },
];

/** Every method less the one that the table holds them against. */
export function LabDifferencesSection({ table, choice }: { table: LabTable; choice: WorldChoice }) {
  const { world } = choice;
  const [id, setId] = useState('heldOut');
  const figure = table.figures.find((one) => one.id === id) ?? table.figures[0];
  const against = world?.methods.find(({ method }) => method === table.comparison)?.title ?? table.comparison;
  const rows = useMemo(
    () =>
      (world?.methods ?? [])
        .flatMap((method): Compared[] => {
          const difference = figure === undefined ? undefined : method.differences[figure.id];
          if (difference === undefined || figure === undefined) return [];
          const word = judgementOf(difference, figure.better);
          const tone =
            word === 'not told apart' || word === 'no interval' ? ('quiet' as const) : ('pool' as const);
          const lanes = [{ figure: difference, tone }];
          return [{ label: method.title, marked: false, lanes, hollow: null, method, difference, word }];
        })
        .sort((a, b) => (b.difference.value ?? -1e9) - (a.difference.value ?? -1e9)),
    [world, figure],
  );
  const draw = useCallback(
    (width: number) =>
      forest(rows, { width, rule: { at: 0, label: 'no difference', tone: 'quiet' }, number: signed }),
    [rows],
  );
  return (
    <Section
      id="differences"
      title="Differences"
      lead={`Each method less ${against}, paired over the seeds that both have: methods of one seed met the same settings with the same luck. p is Holm-adjusted over the methods of one world and figure; a word stands where it is below 5 %.`}
    >
      <WorldSwitch choice={choice} name="differences" />
      {world !== undefined && figure !== undefined && (
        <>
          <p class="controls">
            <label class="select">
              <span>Figure</span>
              <select value={figure.id} onChange={(event) => setId(event.currentTarget.value)}>
                {table.figures.map((one) => (
                  <option key={one.id} value={one.id}>
                    {headOf(one)}
                  </option>
                ))}
              </select>
            </label>
          </p>
          {rows.length === 0 ? (
            <Missing>
              {world.methods.some(({ method }) => method === table.comparison)
                ? `No other method than ${against} is in the table.`
                : `${against} is not in the table: nothing is compared.`}
            </Missing>
          ) : (
            <FigureBlock
              title={`${headOf(figure)}, ${world.name}`}
              lead={hintOf(figure)}
              legend={
                <>
                  <LegendItem tone="pool">told apart</LegendItem>
                  <span class="legend-item">
                    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
                      <circle cx="7" cy="7" r="4.5" fill="var(--muted)" />
                    </svg>
                    not told apart
                  </span>
                </>
              }
            >
              {rows.some(({ difference }) => difference.value !== null) ? (
                <Chart draw={draw} label={forestLabel(`${headOf(figure)}, less ${against}`, rows)} />
              ) : (
                <Missing>Not measured: {rows[0]?.difference.reason ?? 'no reason given'}.</Missing>
              )}
              <Table
                caption={`${headOf(figure)}, each method less ${against}, ${world.name}`}
                columns={COLUMNS}
                rows={rows}
                sortable
              />
            </FigureBlock>
          )}
        </>
      )}
    </Section>
  );
}
