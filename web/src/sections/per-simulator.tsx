import { useCallback, useMemo, useState } from 'preact/hooks';
import type { AuditReport, SimulatorReport } from '../../../src/audit/report-data.ts';
import { THRESHOLDS } from '../../../src/diagnosis/thresholds.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { FigureBlock } from '../chart.tsx';
import { Table } from '../table.tsx';
import { type Entry, FIGURE_COLUMNS, WhiskerChart } from '../whisker-chart.tsx';
import { type Threshold, whiskers } from '../whiskers.ts';

interface Measure {
  readonly id: string;
  readonly name: string;
  readonly lead: string;
  readonly read: (simulator: SimulatorReport) => Figure;
  readonly people: (report: AuditReport) => Figure | null;
  readonly thresholds: (report: AuditReport) => Threshold[];
}

const MEASURES: readonly Measure[] = [
  {
    id: 'mci',
    name: 'MCI',
    lead: 'Mode concentration: the chance that two episodes of different contexts show the same mode. High is narrow.',
    read: ({ mci }) => mci,
    people: ({ reference }) => reference?.mci ?? null,
    thresholds: ({ space }) => [{ at: 1 / space.k, label: `1/K, all ${space.k} modes alike`, tone: 'quiet' }],
  },
  {
    id: 'spread',
    name: 'Spread',
    lead: 'How widely replies vary about their own mean, against people (or the pool). Narrow needs high MCI and low spread.',
    read: ({ spread }) => spread,
    people: () => null,
    thresholds: () => [
      { at: THRESHOLDS.spreadNarrow, label: `narrow below ${THRESHOLDS.spreadNarrow}`, tone: 'warn' },
      { at: THRESHOLDS.spreadVaried, label: `varied from ${THRESHOLDS.spreadVaried}`, tone: 'quiet' },
    ],
  },
  {
    id: 'bdi',
    name: 'BDI mass',
    lead: "Share of people's mass in modes this simulator visits in two or more contexts.",
    read: ({ bdi }) => bdi.mass,
    people: ({ reference }) => reference?.ceiling.mass ?? null,
    thresholds: () => [],
  },
  {
    id: 'outside',
    name: 'Outside',
    lead: 'Share of episodes outside the support; above half, the modes of a simulator say nothing.',
    read: ({ outside }) => outside,
    people: () => null,
    thresholds: () => [
      { at: THRESHOLDS.outside, label: `off support above ${THRESHOLDS.outside}`, tone: 'warn' },
    ],
  },
];

/** One measure of every simulator beside people's, the worst first. */
export function PerSimulator({ report }: { report: AuditReport }) {
  const [id, setId] = useState('mci');
  const measure = MEASURES.find((candidate) => candidate.id === id) ?? MEASURES[0]!;
  const rows = useMemo((): Entry[] => {
    const people = measure.people(report);
    return [
      ...(people === null ? [] : [{ label: 'people (fresh)', figure: people, tone: 'people' as const }]),
      ...report.simulators
        .map(
          (simulator): Entry => ({ label: simulator.id, figure: measure.read(simulator), tone: 'simulator' }),
        )
        .sort((a, b) => (b.figure.value ?? -1e9) - (a.figure.value ?? -1e9)),
    ];
  }, [report, measure]);
  const thresholds = useMemo(() => measure.thresholds(report), [report, measure]);
  const draw = useCallback(
    (width: number) => whiskers(rows, { width, thresholds, domain: [0, 0] }),
    [rows, thresholds],
  );
  return (
    <FigureBlock
      title="Each simulator"
      lead={measure.lead}
      table={
        <Table
          caption={`${measure.name} of each simulator`}
          columns={FIGURE_COLUMNS.slice(0, 4)}
          rows={rows}
        />
      }
    >
      <fieldset class="segments">
        <legend class="unseen">Measure</legend>
        {MEASURES.map(({ id: value, name }) => (
          <label key={value}>
            <input
              type="radio"
              name="measure"
              value={value}
              checked={value === id}
              onChange={() => setId(value)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <WhiskerChart title={measure.name} rows={rows} draw={draw} />
    </FigureBlock>
  );
}
