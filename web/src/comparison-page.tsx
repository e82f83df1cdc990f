import { useCallback, useMemo } from 'preact/hooks';
import type { ComparedFigure, ComparedSide, Comparison } from '../../src/report/comparison.ts';
import type { ComparisonPage } from '../../src/report/payload.ts';
import { Chart, FigureBlock } from './chart.tsx';
import { count, plural } from './format.ts';
import { Missing, Name } from './number.tsx';
import { Confounds, LevelMark } from './sections/verdict.tsx';
import { Section, Shell } from './shell.tsx';
import { type Column, Table } from './table.tsx';
import { type Threshold, type WhiskerRow, whiskerLabel, whiskers } from './whiskers.ts';

const ENTRIES = [
  { id: 'verdict', title: 'Both verdicts' },
  { id: 'differences', title: 'Differences' },
  { id: 'simulators', title: 'Simulators' },
] as const;

/** Two audits of one space, side by side, and what changed from A to B. */
export function ComparisonView({ page }: { page: ComparisonPage }) {
  const { comparison } = page;
  const { a, b, space } = comparison;
  return (
    <Shell
      kind="compare"
      title={page.title}
      created={page.created}
      entries={ENTRIES}
      footer={
        <>
          Both in space <bdi>{space.id}</bdi>, K = {space.k}, control {space.control}. This file holds
          everything it shows and loads nothing.
        </>
      }
    >
      <section class="verdict" id="verdict" aria-labelledby="headline">
        <h1 id="headline">{sentence(comparison)}</h1>
        <div class="pair">
          <Side letter="A" side={a} />
          <Side letter="B" side={b} />
        </div>
      </section>
      <Differences comparison={comparison} />
      <Simulators comparison={comparison} />
    </Shell>
  );
}

/** Counts only differences whose interval leaves 0 out. */
function sentence({ figures }: Comparison): string {
  const surely = figures.filter(({ difference, better }) => better !== 'none' && clear(difference) !== 0);
  const better = surely.filter(
    ({ difference, better: way }) => clear(difference) === (way === 'higher' ? 1 : -1),
  );
  const worse = surely.filter((figure) => !better.includes(figure));
  const names = (list: readonly ComparedFigure[]) => list.map(({ label }) => label.split(',')[0]).join(', ');
  if (surely.length === 0) return 'No figure differs surely between A and B.';
  return [
    better.length > 0 ? `B is better in ${names(better)}` : null,
    worse.length > 0 ? `${better.length > 0 ? '' : 'B is '}worse in ${names(worse)}` : null,
  ]
    .filter((part) => part !== null)
    .join('; ')
    .concat('.');
}

function clear({ low, high }: ComparedFigure['difference']): -1 | 0 | 1 {
  if (low === null || high === null) return 0;
  return low > 0 ? 1 : high < 0 ? -1 : 0;
}

function Side({ letter, side }: { letter: string; side: ComparedSide }) {
  return (
    <article class="side">
      <h2>
        <span class="mode-number">{letter}</span> <Name>{side.label}</Name>
      </h2>
      <p dir="auto">{side.headline}</p>
      <ul class="side-levels">
        {side.diagnosis.map(({ mode, level }) => (
          <li key={mode} class={`level-${level}`}>
            <span class="level">
              <LevelMark level={level} />
              {level}
            </span>{' '}
            {mode}
          </li>
        ))}
      </ul>
      <p class="fine">
        {count(side.kept)} episodes, {plural(side.simulators, 'simulator')}, version {side.version}
      </p>
      <Confounds confounds={side.confounds} id={`confounds-${letter}`} />
    </article>
  );
}

const COLUMNS: readonly Column<ComparedFigure>[] = [
  { id: 'label', header: 'Figure', text: ({ label }) => label },
  { id: 'a', header: 'A', figure: ({ a }) => a },
  { id: 'b', header: 'B', figure: ({ b }) => b },
  { id: 'difference', header: 'B − A', figure: ({ difference }) => difference },
  { id: 'better', header: 'Better', text: ({ better }) => better },
];

function Differences({ comparison }: { comparison: Comparison }) {
  const rows = useMemo(
    () =>
      comparison.figures
        .filter(({ difference }) => difference.value !== null)
        .map(({ label, difference }): WhiskerRow => ({ label, figure: difference, tone: 'simulator' })),
    [comparison],
  );
  const thresholds = useMemo<Threshold[]>(() => [{ at: 0, label: 'no change', tone: 'quiet' }], []);
  const draw = useCallback((width: number) => whiskers(rows, { width, thresholds }), [rows, thresholds]);
  return (
    <Section
      id="differences"
      title="Differences"
      lead="B minus A. The two audits do not say which contexts they share, so their variances add: where they share contexts, the intervals are wider than need be. Each interval is a 95 % one by itself, not adjusted for their number."
    >
      <FigureBlock
        table={<Table caption="Figures of both audits" columns={COLUMNS} rows={comparison.figures} />}
      >
        {rows.length === 0 ? (
          <Missing>No figure was measured on both sides.</Missing>
        ) : (
          <Chart draw={draw} label={whiskerLabel('B minus A', rows)} />
        )}
      </FigureBlock>
    </Section>
  );
}

type ComparedSimulator = Comparison['simulators'][number];
const MEASURES = ['mci', 'spread', 'bdi', 'outside'] as const;

function Simulators({ comparison }: { comparison: Comparison }) {
  const columns: Column<ComparedSimulator>[] = [
    { id: 'id', header: 'Simulator', text: ({ id }) => id },
    ...MEASURES.flatMap((measure): Column<ComparedSimulator>[] => {
      const name = comparison.simulators[0]?.[measure].label ?? measure;
      return [
        { id: `${measure}a`, header: `${name}, A`, figure: (row) => row[measure].a },
        { id: `${measure}b`, header: `${name}, B`, figure: (row) => row[measure].b },
        { id: `${measure}d`, header: 'B − A', figure: (row) => row[measure].difference },
      ];
    }),
  ];
  return (
    <Section id="simulators" title="Simulators">
      <Table
        caption="Each simulator in both audits"
        columns={columns}
        rows={comparison.simulators}
        sortable
      />
    </Section>
  );
}
