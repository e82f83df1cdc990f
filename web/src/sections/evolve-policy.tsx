import { useMemo } from 'preact/hooks';
import type { Figure } from '../../../src/metrics/figure.ts';
import type { EvolveRound, EvolveView } from '../../../src/report/evolve-payload.ts';
import { FigureBlock } from '../chart.tsx';
import { number } from '../format.ts';
import { Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { type NamedSeries, pointsOf, RoundChart, RoundLegend } from './evolve-round-chart.tsx';

const LINES = [
  {
    letter: 'S',
    name: 'selection panel',
    colour: 'var(--people)',
    dash: undefined,
    of: ({ exam }: EvolveRound) => exam?.selection ?? null,
  },
  {
    letter: 'P',
    name: 'population in force',
    colour: 'var(--simulator)',
    dash: '7 3',
    of: ({ exam }: EvolveRound) => exam?.population ?? null,
  },
  {
    letter: 'T',
    name: 'training reward',
    colour: 'var(--ink)',
    dash: '2.5 2.5',
    of: ({ training }: EvolveRound) => training?.reward ?? null,
  },
] as const;

const COLUMNS: readonly Column<EvolveRound>[] = [
  { id: 'round', header: 'Round', node: ({ round }) => String(round) },
  { id: 'checkpoint', header: 'Checkpoint', text: ({ training }) => training?.checkpoint ?? 'did not train' },
  { id: 'steps', header: 'Steps', number: ({ training }) => training?.steps ?? null },
  { id: 'reward', header: 'Training reward', figure: ({ training }) => training?.reward ?? null },
  { id: 'selection', header: 'Selection panel', figure: ({ exam }) => exam?.selection ?? null },
  { id: 'population', header: 'Population', figure: ({ exam }) => exam?.population ?? null },
  {
    id: 'zero',
    header: 'Zero-variance groups',
    number: ({ training }) => training?.zeroVariance ?? null,
    format: (value) => number(value),
  },
  {
    id: 'entropy',
    header: 'Entropy, nats',
    number: ({ training }) => training?.entropy ?? null,
    format: (value) => number(value),
  },
  {
    id: 'stopped',
    header: 'Stopped early',
    node: ({ training }) => (training?.stopped == null ? '–' : <Name>{training.stopped}</Name>),
  },
];

/** How the policy did in each round, in training and out of it. */
export function EvolvePolicySection({ view }: { view: EvolveView }) {
  const { rounds, selected } = view;
  const rewards = useMemo(
    () =>
      LINES.map(
        ({ letter, name, colour, dash, of }): NamedSeries => ({
          letter,
          name,
          colour,
          points: pointsOf(rounds, of, UNTRAINED),
          ...(dash === undefined ? {} : { dash }),
        }),
      ),
    [rounds],
  );
  const course = useMemo(
    () =>
      (
        [
          ['entropy', 'Policy entropy, nats', ({ training }) => training?.entropy ?? null],
          [
            'zeroVariance',
            'Groups without reward variance',
            ({ training }) => training?.zeroVariance ?? null,
          ],
        ] as const satisfies readonly (readonly [string, string, (round: EvolveRound) => number | null])[]
      ).map(([id, title, of]) => ({
        id,
        title,
        series: [
          {
            name: title,
            colour: 'var(--simulator)',
            points: pointsOf(
              rounds,
              (round) => (round.training === null ? null : plainFigure(of(round))),
              UNTRAINED,
            ),
          },
        ],
      })),
    [rounds],
  );
  const stopped = rounds.filter(({ training }) => training?.stopped != null);
  return (
    <Section
      id="policy"
      title="Policy"
      lead="Reward that rises in training and not with the selection panel is overfitting; entropy that falls and zero-variance groups that rise are collapse of the policy. Rounds in which training was paused have no point."
    >
      {rounds.length === 0 ? (
        <Missing>No round is over yet.</Missing>
      ) : (
        <FigureBlock
          title="The policy by round"
          legend={
            <>
              {LINES.map(({ letter, name, colour, dash }) => (
                <span class="legend-item" key={letter}>
                  <svg viewBox="0 0 26 14" width="26" height="14" aria-hidden="true">
                    <path d="M0 7h26" stroke={colour} stroke-width="2.4" stroke-dasharray={dash} />
                  </svg>
                  <b>{letter}</b> {name}
                </span>
              ))}
              {selected !== null && selected.round > 0 && (
                <span class="legend-item">
                  <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
                    <path d="M7 0v14" stroke="var(--ink)" stroke-width="1.4" stroke-dasharray="2 3" />
                  </svg>
                  selected
                </span>
              )}
              <RoundLegend rounds={rounds} decided={false} />
            </>
          }
          table={<Table caption="The policy by round" columns={COLUMNS} rows={rounds} />}
        >
          <div class="multiples">
            <RoundChart
              title="Reward"
              rounds={rounds}
              series={rewards}
              range={REWARD}
              chosen={selected?.round ?? null}
              decided={false}
            />
            {course.map(({ id, title, series }) => (
              <RoundChart
                key={id}
                title={title}
                rounds={rounds}
                series={series}
                range={ZERO}
                decided={false}
              />
            ))}
          </div>
          {stopped.length > 0 && (
            <ul class="evolve-reasons">
              {stopped.map(({ round, training }) => (
                <li key={round}>
                  <b>Round {round}</b> stopped early: <Name>{training?.stopped ?? ''}</Name>
                </li>
              ))}
            </ul>
          )}
        </FigureBlock>
      )}
    </Section>
  );
}

const UNTRAINED = 'there was no training in this round';
const REWARD = [0, 0.5] as const;
const ZERO = [0, 0.2] as const;

function plainFigure(value: number | null): Figure {
  return {
    value,
    low: null,
    high: null,
    n: 0,
    method: 'point',
    ...(value === null ? { reason: 'the trainer does not tell' } : {}),
  };
}
