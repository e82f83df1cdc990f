import { useCallback, useMemo } from 'preact/hooks';
import {
  type ComparedFigure,
  type ComparedSide,
  type Comparison,
  comparedFigures,
} from '../../src/audit/compare-data.ts';
import type { ComparisonPage } from '../../src/report/payload.ts';
import { Chart, FigureBlock } from './chart.tsx';
import { count, number, plural } from './format.ts';
import { Long, Missing, Name } from './number.tsx';
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
        <h1 id="headline" dir="auto">
          {comparison.headline}
        </h1>
        <div class="pair">
          <Side letter="A" side={a} />
          <Side letter="B" side={b} />
        </div>
        <Between confounds={comparison.confounds} />
      </section>
      <Differences comparison={comparison} />
      <Simulators comparison={comparison} />
    </Shell>
  );
}

const BETWEEN: Readonly<Record<Comparison['confounds'][number]['kind'], string>> = {
  policy: 'Policies',
  context: 'Contexts',
};

/** What else than the simulators is not the same on both sides. */
function Between({ confounds }: Pick<Comparison, 'confounds'>) {
  if (confounds.length === 0) return null;
  return (
    <section class="confounds" aria-labelledby="between-title">
      <h2 id="between-title">What else differs between A and B</h2>
      <dl>
        {confounds.map(({ kind, text }) => (
          <div key={kind}>
            <dt>{BETWEEN[kind]}</dt>
            <dd>
              <Long>{text}</Long>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
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
  {
    id: 'detectable',
    header: 'Detectable',
    hint: 'smallest change this sample could have shown, 80 % power',
    number: ({ difference }) => difference.detectable ?? null,
    format: (value) => number(value, 2),
  },
  { id: 'change', header: 'Change', text: ({ change }) => change },
  { id: 'better', header: 'Better', text: ({ better }) => better },
];

function lead({ method, units, space, bdi }: Comparison) {
  const shared =
    units === null
      ? ''
      : ` A holds ${plural(units.a, space.unit)}, B ${count(units.b)}; ${count(units.shared)} are in both.`;
  const size = bdi.g0 === null ? '' : ` Coverage is stated at ${plural(bdi.g0, space.unit)} for both.`;
  return `B minus A (${method}).${shared}${size} A change has a word where its interval leaves 0 out, all figures taken together (Holm, 5 %).`;
}

function Differences({ comparison }: { comparison: Comparison }) {
  const rows = useMemo(
    () =>
      comparedFigures(comparison)
        .filter(({ difference }) => difference.value !== null)
        .map(
          ({ label, difference, change }): WhiskerRow => ({
            label: change === 'higher' || change === 'lower' ? `${label}: ${change}` : label,
            figure: difference,
            tone: 'simulator',
          }),
        ),
    [comparison],
  );
  const thresholds = useMemo<Threshold[]>(() => [{ at: 0, label: 'no change', tone: 'quiet' }], []);
  const draw = useCallback((width: number) => whiskers(rows, { width, thresholds }), [rows, thresholds]);
  return (
    <Section id="differences" title="Differences" lead={lead(comparison)}>
      <FigureBlock
        table={
          <Table caption="Figures of both audits" columns={COLUMNS} rows={comparedFigures(comparison)} />
        }
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
        { id: `${measure}c`, header: 'Change', text: (row) => row[measure].change },
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
