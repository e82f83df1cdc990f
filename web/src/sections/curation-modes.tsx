import { useCallback, useMemo } from 'preact/hooks';
import type { CurationManifest, ModeAccount } from '../../../src/curation/manifest.ts';
import { hasPeople } from '../change.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { number, percent, plural } from '../format.ts';
import { labeller } from '../labels.ts';
import { Missing } from '../number.tsx';
import { type ShareRow, sharePlot } from '../share-plot.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

/** Above this many modes the rest is summed up in words; the table has them all. */
const DRAWN = 24;

/** How often each mode stands in the data at each stage, against people. */
export function ModeSharesSection({ manifest }: { manifest: CurationManifest }) {
  const { modes } = manifest;
  const peopled = hasPeople(modes);
  const weighted = modes.some((mode) => mode.weighted !== null);
  const label = useMemo(() => labeller(modes), [modes]);
  const sorted = useMemo(
    () =>
      [...modes].sort((a, b) => (b.people ?? 0) - (a.people ?? 0) || b.before - a.before || a.mode - b.mode),
    [modes],
  );
  const rows = useMemo(() => drawnRows(sorted, label), [sorted, label]);
  const draw = useCallback((width: number) => sharePlot(rows, { width }), [rows]);
  const columns = useMemo(() => columnsOf(label), [label]);
  return (
    <Section
      id="modes"
      title="Mode shares"
      lead={`A mode is one recurring way of behaving, with its number in the data and what sets it apart most. ${
        peopled ? 'The commonest among people first' : 'The commonest before first; no people were given'
      }. A good curation moves the solid dots ${peopled ? "towards people's ticks" : 'apart from one tall mode'}.`}
    >
      {modes.length === 0 ? (
        <Missing>There are no mode shares: too few rows.</Missing>
      ) : (
        <FigureBlock
          legend={
            <>
              <Key shape="before">rows read, before</Key>
              <Key shape="kept">rows that passed</Key>
              {weighted && <Key shape="weighted">by weight</Key>}
              <LegendItem tone="simulator">after</LegendItem>
              {peopled && <Key shape="people">people</Key>}
            </>
          }
          table={<Table caption="Share of each mode" columns={columns} rows={sorted} sortable />}
        >
          <Chart draw={draw} label={shareLabel(rows)} />
          <Rest modes={sorted.slice(DRAWN)} />
        </FigureBlock>
      )}
    </Section>
  );
}

function drawnRows(sorted: readonly ModeAccount[], label: (mode: number) => string): ShareRow[] {
  return sorted.slice(0, DRAWN).map((mode) => ({ ...mode, label: `${mode.mode}  ${label(mode.mode)}` }));
}

/** What the modes that are not drawn hold together: as a row it would flatten all others. */
function Rest({ modes }: { modes: readonly ModeAccount[] }) {
  if (modes.length === 0) return null;
  const sum = (read: (mode: ModeAccount) => number | null) =>
    percent(modes.reduce((total, mode) => total + (read(mode) ?? 0), 0));
  const known = (read: (mode: ModeAccount) => number | null) => modes.every((mode) => read(mode) !== null);
  return (
    <p class="fine">
      {plural(modes.length, 'more mode')} together: {sum(({ before }) => before)} of the rows read,{' '}
      {sum(({ kept }) => kept)} of those that passed,{' '}
      {known(({ weighted }) => weighted) && `${sum(({ weighted }) => weighted)} by weight, `}
      {sum(({ after }) => after)} after
      {known(({ people }) => people) && `; ${sum(({ people }) => people)} of people`}. The table has each.
    </p>
  );
}

function columnsOf(label: (mode: number) => string): Column<ModeAccount>[] {
  const format = (value: number) => `${number(100 * value, 1)} %`;
  return [
    { id: 'label', header: 'Mode', text: ({ mode }) => `${mode}  ${label(mode)}` },
    { id: 'people', header: 'People', number: ({ people }) => people, format },
    { id: 'before', header: 'Rows read', number: ({ before }) => before, format },
    { id: 'kept', header: 'Passed', number: ({ kept }) => kept, format },
    { id: 'weighted', header: 'By weight', number: ({ weighted }) => weighted, format },
    { id: 'after', header: 'After', number: ({ after }) => after, format },
  ];
}

function shareLabel(rows: readonly ShareRow[]): string {
  const parts = rows
    .slice(0, 12)
    .map(
      ({ label, before, after, people }) =>
        `mode ${label} from ${percent(before)} to ${percent(after ?? 0)}${people === null ? '' : `, people ${percent(people)}`}`,
    );
  const left = rows.length - 12;
  return `Mode shares: ${parts.join('; ')}${left > 0 ? `; ${left} more in the table` : ''}`;
}

function Key({ shape, children }: { shape: 'before' | 'kept' | 'weighted' | 'people'; children: string }) {
  return (
    <span class="legend-item">
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        {shape === 'before' && (
          <circle cx="7" cy="7" r="4.6" fill="none" stroke="var(--muted)" stroke-width="2" />
        )}
        {shape === 'kept' && <circle cx="7" cy="7" r="2.4" fill="var(--muted)" />}
        {shape === 'weighted' && <path d="M7 2 10.5 7 7 12 3.5 7z" fill="none" stroke="var(--ink)" />}
        {shape === 'people' && <path d="M7 0v14" stroke="var(--people)" stroke-width="3" />}
      </svg>
      {children}
    </span>
  );
}
