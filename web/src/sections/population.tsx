import { useCallback, useMemo, useState } from 'preact/hooks';
import type { AuditReport, SimulatorReport } from '../../../src/audit/report-data.ts';
import { THRESHOLDS } from '../../../src/diagnosis/thresholds.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { FigureBlock } from '../chart.tsx';
import { number } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { WhiskerChart } from '../whisker-chart.tsx';
import { type Threshold, type WhiskerRow, whiskers } from '../whiskers.ts';

/** SCD, BDI, PSOD of the population and one measure per simulator, all as dots with whiskers. */
export function PopulationSection({ report }: { report: AuditReport }) {
  return (
    <Section
      id="population"
      title="Collapse, coverage, overfitting"
      lead="Dots are estimates, whiskers 95 % intervals, dashed lines the thresholds a diagnosis is held against."
    >
      <div class="pair">
        <Scd report={report} />
        <Bdi report={report} />
        <Psod report={report} />
      </div>
      <PerSimulator report={report} />
    </Section>
  );
}

interface Entry extends WhiskerRow {
  readonly meaning?: string;
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'what', header: 'Figure', text: ({ label }) => label },
  { id: 'value', header: 'Value', figure: ({ figure }) => figure },
  { id: 'method', header: 'Method', text: ({ figure }) => figure.method },
  {
    id: 'detectable',
    header: 'Detectable change',
    hint: 'Smallest change this sample could have shown with 80 % power',
    number: ({ figure }) => figure.detectable ?? null,
    format: (value) => number(value),
  },
  { id: 'meaning', header: 'Meaning', node: ({ meaning }) => meaning ?? '' },
];

function Whiskers({
  title,
  lead,
  rows,
  table = rows,
  thresholds,
  domain,
}: {
  title: string;
  lead: string;
  rows: readonly Entry[];
  table?: readonly Entry[];
  thresholds?: readonly Threshold[];
  domain?: readonly [number, number];
}) {
  const draw = useCallback(
    (width: number) =>
      whiskers(rows, {
        width,
        ...(thresholds === undefined ? {} : { thresholds }),
        ...(domain === undefined ? {} : { domain }),
      }),
    [rows, thresholds, domain],
  );
  return (
    <FigureBlock title={title} lead={lead} table={<Table caption={title} columns={COLUMNS} rows={table} />}>
      <WhiskerChart title={title} rows={rows} draw={draw} />
    </FigureBlock>
  );
}

const UNIT: readonly [number, number] = [0, 1];

function Scd({ report }: { report: AuditReport }) {
  const { scd, reference } = report;
  const [rows, table, thresholds] = useMemo(() => {
    const people: Entry[] =
      reference === null
        ? []
        : [
            {
              label: "people's own SCD2",
              figure: reference.scd2,
              tone: 'people',
              meaning: 'The same estimator on fresh people.',
            },
          ];
    const main: Entry[] = [
      {
        label: 'SCD2, drives the verdict',
        figure: scd.pooled2,
        tone: 'simulator',
        meaning: 'From pairs of episodes of different contexts; 1 = one mode for all.',
      },
      ...people,
      {
        label: 'part: each is narrow',
        figure: scd.pooled2Within,
        tone: 'quiet',
        meaning: 'What single simulators add to SCD2.',
      },
      {
        label: 'part: all are alike',
        figure: scd.pooled2Alike,
        tone: 'quiet',
        meaning: 'What likeness between simulators adds to SCD2.',
      },
      {
        label: 'SCD, entropy',
        figure: scd.pooled,
        tone: 'simulator',
        meaning: 'Headline estimator: 1 minus the entropy of the mixture over log K.',
      },
      {
        label: 'at a visited history',
        figure: scd.conditional,
        tone: 'simulator',
        meaning: 'Sees a simulator that is varied over a data set but fixed at each history.',
      },
    ];
    const more: Entry[] = [
      { label: 'SCD, within simulators', figure: scd.within, tone: 'quiet' },
      { label: 'SCD, between simulators', figure: scd.between, tone: 'quiet' },
      { label: 'SCD, joint', figure: scd.joint, tone: 'quiet', meaning: 'Simulators paired on context.' },
      {
        label: 'SCD, kernel',
        figure: scd.kernel,
        tone: 'quiet',
        meaning: 'Without modes, from the cosine kernel.',
      },
      ...(reference === null
        ? []
        : [{ label: "people's own SCD, entropy", figure: reference.scd, tone: 'people' as const }]),
    ];
    const own = reference?.scd2.value ?? null;
    const lines: Threshold[] =
      own === null
        ? [{ at: THRESHOLDS.scd, label: `collapsed above ${THRESHOLDS.scd}`, tone: 'warn' }]
        : [
            {
              at: own + THRESHOLDS.scdOverPeople,
              label: `people + ${THRESHOLDS.scdOverPeople}`,
              tone: 'warn',
            },
          ];
    return [main, [...main, ...more], lines];
  }, [scd, reference]);
  return (
    <Whiskers
      title="SCD: has the population collapsed?"
      lead="0: every mode is played as often as the next. 1: one mode for everybody."
      rows={rows}
      table={table}
      thresholds={thresholds}
      domain={UNIT}
    />
  );
}

function Bdi({ report }: { report: AuditReport }) {
  const { bdi, reference } = report;
  const rows = useMemo((): Entry[] => {
    const own = (label: string, figure: Figure | undefined): Entry[] =>
      figure === undefined ? [] : [{ label, figure, tone: 'people' }];
    const size = bdi.g0 === null ? '' : `, at ${bdi.g0} contexts`;
    return [
      {
        label: "BDI: share of people's own diversity",
        figure: bdi.headline,
        tone: 'simulator',
        meaning: `Mass of this data over mass of fresh people${size}.`,
      },
      {
        label: 'mass, this data',
        figure: bdi.mass,
        tone: 'simulator',
        meaning: `People's mass in modes visited in two or more contexts${size}.`,
      },
      ...own('mass, fresh people', reference?.ceiling.mass),
      {
        label: 'neighbour coverage, this data',
        figure: bdi.knn,
        tone: 'simulator',
        meaning:
          bdi.knnExpected === null
            ? 'PRDC coverage.'
            : `PRDC coverage; ${number(bdi.knnExpected)} is expected of the same law.`,
      },
      ...own('neighbour coverage, fresh people', reference?.ceiling.knn),
      {
        label: 'realism, this data',
        figure: bdi.realism,
        tone: 'simulator',
        meaning: "Share of rows inside people's support.",
      },
      ...own('realism, fresh people', reference?.ceiling.realism),
      ...(bdi.relative.value === null && reference !== null
        ? []
        : [
            {
              label: 'growth of covered modes',
              figure: bdi.relative,
              tone: 'quiet' as const,
              meaning: 'Between two rounds of one space.',
            },
          ]),
    ];
  }, [bdi, reference]);
  const table = useMemo<Entry[]>(
    () => [
      ...rows,
      { label: 'support', figure: bdi.support, tone: 'quiet', meaning: 'Visited modes over K.' },
      ...(rows.some(({ figure }) => figure === bdi.relative)
        ? []
        : [{ label: 'growth of covered modes', figure: bdi.relative, tone: 'quiet' as const }]),
    ],
    [rows, bdi],
  );
  const thresholds = useMemo<Threshold[]>(
    () => [{ at: THRESHOLDS.bdi, label: `BDI gap below ${THRESHOLDS.bdi}`, tone: 'warn' }],
    [],
  );
  return (
    <Whiskers
      title="BDI: how much of people's diversity is there?"
      lead="1 is what fresh people reach at the same size; people themselves never cover everything."
      rows={rows}
      table={table}
      thresholds={thresholds}
      domain={UNIT}
    />
  );
}

function Psod({ report }: { report: AuditReport }) {
  const { psod } = report;
  const rows = useMemo(
    (): Entry[] => [
      {
        label: 'PSOD',
        figure: psod.value,
        tone: 'simulator',
        meaning: 'Reward with training simulators minus reward with held-out ones, over the reward range.',
      },
      {
        label: 'rise over the base checkpoint',
        figure: psod.rise,
        tone: 'simulator',
        meaning: 'Drives the verdict: held-out users may be harder before any training.',
      },
      { label: 'trend over checkpoints', figure: psod.trend, tone: 'quiet' },
    ],
    [psod],
  );
  const thresholds = useMemo<Threshold[]>(() => [{ at: 0, label: 'no gap', tone: 'quiet' }], []);
  const range =
    psod.range === null ? '' : ` Reward range ${number(psod.range[0])} to ${number(psod.range[1])}.`;
  return (
    <Whiskers
      title="PSOD: does the policy overfit its simulators?"
      lead={`A gap that rises while training means the policy learns these simulators.${range}`}
      rows={rows}
      thresholds={thresholds}
    />
  );
}

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

function PerSimulator({ report }: { report: AuditReport }) {
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
        <Table caption={`${measure.name} of each simulator`} columns={COLUMNS.slice(0, 4)} rows={rows} />
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
