import { useCallback, useMemo } from 'preact/hooks';
import type { LabGuessed, LabMethod, LabTable, LabWorld } from '../../../src/report/lab-payload.ts';
import { Chart, FigureBlock } from '../chart.tsx';
import { setting } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { headOf, unitless } from './lab-figure-text.ts';
import { type ForestRow, forest, forestLabel } from './lab-forest-plot.ts';
import { type WorldChoice, WorldSwitch } from './lab-world-choice.tsx';

type Guess = LabGuessed['thresholds'][number];

interface Held extends ForestRow {
  readonly method: LabMethod;
}

const SIDES: Readonly<Record<Guess['better'], string>> = { less: 'below', more: 'above' };

/** Measured collapse beside what was guessed of it before. */
export function LabCollapseSection({
  table,
  guessed,
  choice,
}: {
  table: LabTable;
  guessed: LabGuessed;
  choice: WorldChoice;
}) {
  const { world } = choice;
  return (
    <Section
      id="collapse"
      title="Collapse and guesses"
      lead={
        <>
          Dashed lines are <b>guesses, not measurements</b>: what was written down before anything was
          measured, and meant of language models. The levels of this lab are its own. Source:{' '}
          <Name>{guessed.source}</Name>.
        </>
      }
    >
      <WorldSwitch choice={choice} name="collapse" />
      {guessed.thresholds.length === 0 && <Missing>Nothing was guessed.</Missing>}
      {world !== undefined && (
        <div class="lab-guesses">
          {guessed.thresholds.map((guess) => (
            <GuessBlock key={guess.figure} guess={guess} world={world} table={table} />
          ))}
        </div>
      )}
    </Section>
  );
}

function GuessBlock({ guess, world, table }: { guess: Guess; world: LabWorld; table: LabTable }) {
  const rows = useMemo(
    () =>
      world.methods
        .flatMap((method): Held[] => {
          const figure = method.figures[guess.figure];
          if (figure === undefined) return [];
          return [
            {
              label: method.title,
              marked: method.method === table.comparison,
              lanes: [{ figure, tone: 'simulator' }],
              hollow: null,
              method,
            },
          ];
        })
        .sort((a, b) => {
          const [x, y] = [a, b].map(({ lanes }) => lanes[0]?.figure.value ?? null);
          if (x == null || y == null) return x == null && y == null ? 0 : x == null ? 1 : -1;
          return guess.better === 'less' ? x - y : y - x;
        }),
    [guess, world, table],
  );
  const rule = `guess: ${SIDES[guess.better]} ${setting(guess.limit)}`;
  const draw = useCallback(
    (width: number) => forest(rows, { width, rule: { at: guess.limit, label: rule, tone: 'warn' } }),
    [rows, guess, rule],
  );
  const described = table.figures.find(({ id }) => id === guess.figure);
  const title = described === undefined ? guess.title : headOf(described);
  const columns: Column<Held>[] = [
    { id: 'method', header: 'Method', text: ({ method }) => method.title },
    { id: 'value', header: title, figure: ({ method }) => unitless(method.figures[guess.figure]!) },
    {
      id: 'side',
      header: `Against the guess (${SIDES[guess.better]} ${setting(guess.limit)})`,
      text: (row) => sideOf(row, guess),
    },
  ];
  return (
    <FigureBlock
      title={`${title}, ${world.name}`}
      lead={`${guess.better === 'less' ? 'Less' : 'More'} is better; the best stands first.`}
      table={
        <Table caption={`${title} beside the guess, ${world.name}`} columns={columns} rows={rows} sortable />
      }
    >
      {rows.some(({ lanes }) => lanes[0]?.figure.value !== null) ? (
        <Chart draw={draw} label={forestLabel(`${title}, ${rule}`, rows)} />
      ) : (
        <Missing>
          Not measured: {rows[0]?.lanes[0]?.figure.reason ?? 'the table has not this figure'}.
        </Missing>
      )}
    </FigureBlock>
  );
}

/** By the interval, so that a value beside the line is not taken for one beyond it. */
function sideOf({ lanes }: Held, { limit, better }: Guess): string {
  const figure = lanes[0]?.figure;
  if (figure === undefined || figure.value === null) return 'no value';
  if (figure.low === null || figure.high === null) return 'no interval';
  if (figure.low <= limit && figure.high >= limit) return 'the interval holds it';
  return figure.high < limit === (better === 'less') ? 'met' : 'not met';
}
