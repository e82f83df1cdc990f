import { useCallback, useMemo } from 'preact/hooks';
import type { LabMethod, LabPublished, LabTable, LabWorld } from '../../../src/report/lab-payload.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { number, plural } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { unitless } from './lab-figure-text.ts';
import { type ForestRow, forest, forestLabel } from './lab-forest-plot.ts';

/** The one published score that has the reward of a world here: the same formula, on the same 0..1. */
const SAME_REWARD: Readonly<Record<string, string>> = { persuasion: 'Persuasion for Good, reward' };
const REWARD: readonly [number, number] = [0, 1];

interface Standing extends ForestRow {
  readonly method: LabMethod;
}

/** Methods of each world by held-out success, people's success beside it. */
export function LabStandingSection({ table, published }: { table: LabTable; published: LabPublished }) {
  return (
    <Section
      id="standing"
      title="Methods by success"
      lead={
        <>
          Reward 0..1 at the checkpoint that the selection panel chose: with simulators that nobody was
          trained against, and with test people. Whiskers are 95 % intervals over seeds; overlap of two says
          little, since methods are paired over seeds (see <a href="#differences">differences</a>).
        </>
      }
    >
      {table.worlds.length === 0 && <Missing>The table has no world.</Missing>}
      {table.worlds.map((world) => (
        <WorldForest key={world.name} world={world} table={table} published={published} />
      ))}
    </Section>
  );
}

function WorldForest({
  world,
  table,
  published,
}: {
  world: LabWorld;
  table: LabTable;
  published: LabPublished;
}) {
  const column = published.columns.indexOf(SAME_REWARD[world.world] ?? '');
  const rows = useMemo(() => standings(world, table, published, column), [world, table, published, column]);
  const draw = useCallback((width: number) => forest(rows, { width, within: REWARD }), [rows]);
  const measured = rows.some(({ lanes }) => lanes.some(({ figure }) => figure.value !== null));
  const others = measured && rows.some(({ hollow }) => hollow !== null);
  return (
    <FigureBlock
      title={world.name}
      {...(measured ? { lead: leadOf(others, column >= 0), legend: <Legend published={others} /> } : {})}
      table={
        <Table
          caption={`Success of each method, ${world.name}`}
          columns={column >= 0 ? [...COLUMNS, publishedColumn(published.columns[column]!)] : COLUMNS}
          rows={rows}
          sortable
        />
      }
    >
      {measured ? (
        <Chart draw={draw} label={forestLabel(`Held-out success in ${world.name}`, rows)} />
      ) : (
        <Missing>No method of this world has a success yet.</Missing>
      )}
    </FigureBlock>
  );
}

function leadOf(drawn: boolean, comparable: boolean): string {
  if (drawn)
    return 'Hollow: published for language models, in the same reward. Orders may be compared, levels may not.';
  return comparable
    ? 'No method here has a published figure in this reward.'
    : 'No published figure is drawn: those there are have other units on other tasks, and stand further down.';
}

function Legend({ published }: { published: boolean }) {
  return (
    <>
      <LegendItem tone="simulator">held-out simulators</LegendItem>
      <LegendItem tone="people">test people</LegendItem>
      {published && (
        <span class="legend-item">
          <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <path d="M7 1.5 11 7 7 12.5 3 7z" fill="none" stroke="var(--ink)" stroke-width="1.6" />
          </svg>
          published
        </span>
      )}
      <span class="legend-item">
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
          <rect x="0.5" y="2.5" width="13" height="9" fill="var(--sunken)" stroke="var(--line-strong)" />
        </svg>
        what others are held against
      </span>
    </>
  );
}

function standings(world: LabWorld, table: LabTable, published: LabPublished, column: number): Standing[] {
  return world.methods
    .map((method): Standing => {
      const score = published.rows.find((row) => row.method === method.method)?.scores[column] ?? null;
      const { heldOut, people } = method.figures;
      const lost = method.seeds.diverged.length;
      return {
        label: lost > 0 ? `${method.title} · ${lost} diverged` : method.title,
        marked: method.method === table.comparison,
        lanes: [
          ...(heldOut === undefined ? [] : [{ figure: heldOut, tone: 'simulator' as const }]),
          ...(people === undefined ? [] : [{ figure: people, tone: 'people' as const }]),
        ],
        hollow: column < 0 ? null : score,
        method,
      };
    })
    .sort(
      (a, b) =>
        (b.method.figures.heldOut?.value ?? Number.NEGATIVE_INFINITY) -
          (a.method.figures.heldOut?.value ?? Number.NEGATIVE_INFINITY) || 0,
    );
}

const figure = (id: string) => (row: Standing) => {
  const found = row.method.figures[id];
  return found === undefined ? null : unitless(found);
};
const COLUMNS: readonly Column<Standing>[] = [
  { id: 'method', header: 'Method', text: ({ method }) => method.title },
  { id: 'heldOut', header: 'Held-out', figure: figure('heldOut') },
  { id: 'people', header: 'People', figure: figure('people') },
  {
    id: 'seeds',
    header: 'Seeds',
    text: ({ method: { seeds } }) =>
      [
        `${seeds.done.length} done`,
        ...(seeds.diverged.length > 0 ? [`${seeds.diverged.length} diverged`] : []),
        ...(seeds.missing.length > 0 ? [`${plural(seeds.missing.length, 'seed')} not made`] : []),
      ].join(', '),
  },
];
const publishedColumn = (name: string): Column<Standing> => ({
  id: 'published',
  header: `Published: ${name}`,
  number: ({ hollow }) => hollow,
  format: (value) => number(value, 3),
});
