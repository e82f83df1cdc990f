import { useMemo } from 'preact/hooks';
import type { Bars } from '../../../src/diagnosis/breaker-settings.ts';
import { THRESHOLDS } from '../../../src/diagnosis/thresholds.ts';
import type { RoundFigures } from '../../../src/loop/round-record.ts';
import type { EvolveRound, EvolveView } from '../../../src/report/evolve-payload.ts';
import { LevelTag } from '../breaker-level.tsx';
import { FigureBlock } from '../chart.tsx';
import { setting } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { pointsOf, RoundChart, RoundLegend } from './evolve-round-chart.tsx';
import type { RoundBar } from './evolve-round-plot.ts';

interface Course {
  readonly of: keyof RoundFigures;
  readonly title: string;
  readonly asks: string;
  readonly range: readonly [number, number];
}

const COURSES: readonly Course[] = [
  {
    of: 'scd2',
    title: 'SCD2',
    asks: '1: all members play one kind of user; lower is better.',
    range: [0, 1],
  },
  { of: 'bdi', title: 'BDI', asks: '', range: [0, 1] },
  { of: 'realism', title: 'Realism', asks: "Share of episodes inside people's support.", range: [0, 1] },
  {
    of: 'psodRise',
    title: 'PSOD, rise',
    asks: 'Gap to held-out users over the policy before training; lower is better.',
    range: [-0.05, 0.35],
  },
  {
    of: 'psod',
    title: 'PSOD',
    asks: 'The gap itself; above 0 before training where held-out users are harder.',
    range: [-0.05, 0.35],
  },
  {
    of: 'epsilon',
    title: 'ε of the population',
    asks: 'At the first user turn; near 0 all members reply alike. It has no bar: nothing acts on it.',
    range: [0, 0.5],
  },
];

const COLUMNS: readonly Column<EvolveRound>[] = [
  { id: 'round', header: 'Round', node: ({ round }) => String(round) },
  { id: 'level', header: 'Breaker', node: ({ breaker }) => <LevelTag level={breaker.after} /> },
  { id: 'population', header: 'Proposed population', text: ({ acceptance }) => decisionText(acceptance) },
  ...COURSES.map(
    ({ of, title }): Column<EvolveRound> => ({ id: of, header: title, figure: ({ look }) => look[of] }),
  ),
  {
    id: 'diagnosis',
    header: 'Diagnosis',
    node: ({ diagnosis }) => <span dir="auto">{diagnosis.join('; ') || '–'}</span>,
  },
];

function decisionText(acceptance: EvolveRound['acceptance']): string {
  return acceptance === null ? 'none' : acceptance.accepted ? 'accepted' : 'rolled back';
}

/** The population's figures when each round began, in one space. */
export function EvolveRoundsSection({ view }: { view: EvolveView }) {
  const { rounds, bars, settings, space } = view;
  const courses = useMemo(
    () =>
      COURSES.map((course) => ({
        ...course,
        asks: course.of === 'bdi' ? bdiAsks(space) : course.asks,
        bars: barsFor(course.of, view),
        series: [
          {
            name: course.title,
            colour: 'var(--simulator)',
            points: pointsOf(rounds, ({ look }) => look[course.of], 'the round has no look'),
          },
        ],
      })),
    [view],
  );
  return (
    <Section
      id="rounds"
      title="Over rounds"
      lead="Of the population in force when a round began, with the policy as it was then; all in one space. Bands around lines are 95 % intervals, gaps were not measured. Behind them stands the level that the breaker took in the round."
    >
      {rounds.length === 0 ? (
        <Missing>No round is over yet.</Missing>
      ) : (
        <FigureBlock
          title="Figures of the population"
          legend={<RoundLegend rounds={rounds} />}
          table={<Table caption="Figures by round" columns={COLUMNS} rows={rounds} />}
        >
          <div class="multiples">
            {courses.map(({ of, title, asks, series, bars, range }) => (
              <RoundChart
                key={of}
                title={title}
                asks={asks}
                rounds={rounds}
                series={series}
                bars={bars}
                range={range}
              />
            ))}
          </div>
          <p class="fine">
            {bars.scd === null
              ? "The breaker's bars on SCD2 follow people's own and are not in these records, so they are not drawn."
              : settings.bars === 'people'
                ? "The breaker's bars on SCD2 follow people's own."
                : "The breaker's bars are the proposal's constants: guesses, kept by name."}{' '}
            An alarm needs the lower bound above the bar, at a level spent over all looks, so a value above it
            may stay green.{' '}
            {settings.parts.breaker
              ? ''
              : 'In this run the breaker was left out: levels are what it would say.'}
          </p>
        </FigureBlock>
      )}
    </Section>
  );
}

function bdiAsks(space: EvolveView['space']): string {
  return space?.people === false
    ? 'Share of modes covered: there are no people to compare with.'
    : '1: as diverse as fresh people at this size; higher is better.';
}

function barsFor(of: keyof RoundFigures, { bars, settings, space }: EvolveView): readonly RoundBar[] {
  if (of === 'scd2') return bars.scd === null ? [] : breakerBars(bars.scd);
  if (of === 'psodRise') return breakerBars(bars.psod);
  if (of === 'bdi' && space?.people !== false)
    return [{ at: THRESHOLDS.bdi, label: `gap below ${setting(THRESHOLDS.bdi)}`, colour: 'var(--muted)' }];
  if (of === 'realism')
    return [
      {
        at: settings.synthesis.realismFloor,
        label: `floor of candidates ${setting(settings.synthesis.realismFloor)}`,
        colour: 'var(--muted)',
      },
    ];
  return [];
}

function breakerBars({ yellow, red }: Bars): readonly RoundBar[] {
  return [
    { at: yellow, label: `yellow ${setting(yellow)}`, colour: 'var(--level-yellow)' },
    { at: red, label: `red ${setting(red)}`, colour: 'var(--level-red)' },
  ];
}
