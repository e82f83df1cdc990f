import { useCallback, useMemo } from 'preact/hooks';
import type { CurationManifest } from '../../../src/curation/manifest.ts';
import { changeOf, type Judged, judged } from '../change.ts';
import { FigureBlock } from '../chart.tsx';
import { number } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { WhiskerChart } from '../whisker-chart.tsx';
import { type Threshold, type WhiskerRow, whiskers } from '../whiskers.ts';

const COLUMNS: readonly Column<Judged>[] = [
  { id: 'name', header: 'Figure', text: ({ name }) => name },
  { id: 'before', header: 'Before', figure: ({ figure }) => figure.before },
  { id: 'after', header: 'After', figure: ({ figure }) => figure.after },
  { id: 'difference', header: 'After − before', figure: ({ figure }) => figure.difference },
  { id: 'change', header: 'Change', text: (row) => changeOf(row) },
  { id: 'better', header: 'Better', text: ({ better }) => better },
  {
    id: 'detectable',
    header: 'Detectable change',
    hint: 'Smallest change this sample could have shown with 80 % power',
    number: ({ figure }) => figure.difference.detectable ?? null,
    format: (value) => number(value),
  },
  { id: 'method', header: 'Method of the difference', text: ({ figure }) => figure.difference.method },
];
const NO_CHANGE: readonly Threshold[] = [{ at: 0, label: 'no change', tone: 'quiet' }];

/** The same four figures drawn, with the interval of each difference. */
export function ChangeSection({ manifest }: { manifest: CurationManifest }) {
  const rows = useMemo(() => judged(manifest), [manifest]);
  const sides = useMemo(
    () =>
      rows.flatMap(({ name, figure }): WhiskerRow[] => [
        { label: `${name}, before`, figure: figure.before, tone: 'quiet' },
        { label: `${name}, after`, figure: figure.after, tone: 'simulator' },
      ]),
    [rows],
  );
  const differences = useMemo(
    () =>
      rows.map(
        (row): WhiskerRow => ({
          label: `${row.name} (${row.better} is better)`,
          figure: row.figure.difference,
          tone: 'simulator',
        }),
      ),
    [rows],
  );
  const draw = useCallback((width: number) => whiskers(sides, { width, domain: [0, 1] }), [sides]);
  const drawDifferences = useCallback(
    (width: number) => whiskers(differences, { width, thresholds: NO_CHANGE }),
    [differences],
  );
  return (
    <Section
      id="change"
      title="Before and after"
      lead="Each simulator counts the same, as in an audit, and both sides are stated at one size. A change has a word where its interval leaves 0 out."
    >
      <div class="pair">
        <FigureBlock title="Both sides">
          <WhiskerChart title="Before and after" rows={sides} draw={draw} />
        </FigureBlock>
        <FigureBlock title="After minus before">
          <WhiskerChart title="After minus before" rows={differences} draw={drawDifferences} />
        </FigureBlock>
      </div>
      <Table caption="Figures before and after" columns={COLUMNS} rows={rows} />
    </Section>
  );
}
