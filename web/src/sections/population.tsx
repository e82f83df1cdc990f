import { useMemo } from 'preact/hooks';
import type { AuditReport } from '../../../src/audit/report-data.ts';
import { THRESHOLDS } from '../../../src/diagnosis/thresholds.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { isDrawn } from '../../../src/metrics/psod-headline.ts';
import { number } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Entry, WhiskerBlock } from '../whisker-chart.tsx';
import type { Threshold } from '../whiskers.ts';
import { PerSimulator } from './per-simulator.tsx';

/** SCD, BDI, PSOD of the population and one measure per simulator, all as dots with whiskers. */
export function PopulationSection({ report }: { report: AuditReport }) {
  return (
    <Section
      id="population"
      title="Collapse, coverage, overfitting"
      lead="Dots are estimates, whiskers 95 % intervals, upright lines the thresholds a diagnosis is held against."
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
        ? [{ at: THRESHOLDS.scd, label: `collapsed above ${THRESHOLDS.scd}`, tone: 'warn', rows: 1 }]
        : [
            {
              at: own + THRESHOLDS.scdOverPeople,
              label: `people + ${THRESHOLDS.scdOverPeople}`,
              tone: 'warn',
              rows: 1,
            },
          ];
    return [main, [...main, ...more], lines];
  }, [scd, reference]);
  return (
    <WhiskerBlock
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
    () => [{ at: THRESHOLDS.bdi, label: `gap below ${THRESHOLDS.bdi}`, tone: 'warn', rows: 1 }],
    [],
  );
  return (
    <WhiskerBlock
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
        figure: psod,
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
  const drawn =
    isDrawn(psod) || isDrawn(psod.rise)
      ? ' Not every simulator played every context, so these are means of the simulators as they were drawn.'
      : '';
  const range = psod.range === null ? '' : ` Reward range ${psod.range[0]} to ${psod.range[1]}.`;
  return (
    <WhiskerBlock
      title="PSOD: does the policy overfit its simulators?"
      lead={`A gap that rises while training means the policy learns these simulators.${range}${drawn}`}
      rows={rows}
      thresholds={thresholds}
    />
  );
}
