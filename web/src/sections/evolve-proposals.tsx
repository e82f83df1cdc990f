import { useMemo } from 'preact/hooks';
import type { EvolveRound, EvolveView } from '../../../src/report/evolve-payload.ts';
import { boundOf, COMPARED } from '../../../src/report/evolve-view.ts';
import { FigureBlock } from '../chart.tsx';
import { number, setting } from '../format.ts';
import { Long, Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { pointsOf, RoundChart, RoundLegend } from './evolve-round-chart.tsx';

type Judged = EvolveRound & { readonly acceptance: NonNullable<EvolveRound['acceptance']> };

const plain = (value: number) => number(value, 3);
const COLUMNS: readonly Column<Judged>[] = [
  { id: 'round', header: 'Round', node: ({ round }) => String(round) },
  {
    id: 'verdict',
    header: 'Verdict',
    text: ({ acceptance }) => (acceptance.accepted ? 'accepted' : 'rolled back'),
  },
  { id: 'reason', header: 'Why', node: ({ acceptance }) => <Long>{acceptance.reason}</Long> },
  ...COMPARED.flatMap(({ figure, title, side }): Column<Judged>[] => [
    {
      id: `${figure}-new`,
      header: `${title}, proposed`,
      figure: ({ acceptance }) => acceptance[figure].proposed,
    },
    {
      id: `${figure}-old`,
      header: `${title}, held to`,
      figure: ({ acceptance }) => acceptance[figure].other,
    },
    {
      id: `${figure}-difference`,
      header: `${title}, difference`,
      figure: ({ acceptance }) => acceptance[figure].difference,
    },
    {
      id: `${figure}-bound`,
      header: `${title}, ${side} bound`,
      hint: 'One-sided, at the level of the rule',
      number: ({ acceptance }) => acceptance[figure].bound,
      format: plain,
    },
    {
      id: `${figure}-against`,
      header: `${title}, against`,
      text: ({ acceptance }) => acceptance[figure].against,
    },
    {
      id: `${figure}-holds`,
      header: `${title} holds`,
      text: ({ acceptance }) => (acceptance[figure].holds ? 'yes' : 'no'),
    },
  ]),
];

/** Each proposed population against what it is held to, by the bounds that the rule looks at. */
export function EvolveProposalsSection({ view }: { view: EvolveView }) {
  const { rounds, settings } = view;
  const judged = useMemo(
    () => rounds.filter((round): round is Judged => round.acceptance !== null),
    [rounds],
  );
  const { delta } = settings.acceptance;
  const charts = useMemo(
    () =>
      COMPARED.map(({ figure, title, side }) => ({
        figure,
        title,
        side,
        bars: [
          {
            at: side === 'upper' ? delta : -delta,
            label: `${side === 'upper' ? 'not above' : 'not below'} ${setting(side === 'upper' ? delta : -delta)}`,
            colour: 'var(--level-red)',
          },
        ],
        series: [
          {
            name: `${title}, proposed less held to`,
            colour: 'var(--simulator)',
            joined: false,
            points: pointsOf(
              rounds,
              ({ acceptance }) => (acceptance === null ? null : boundOf(acceptance[figure], side)),
              'no population was proposed',
            ),
          },
        ],
      })),
    [rounds, delta],
  );
  return (
    <Section
      id="proposals"
      title="Accepted or rolled back"
      lead={`Proposed less what it is held to, on fresh paired probes: SCD2 and BDI against the best so far, realism against the population that the run began with. All three bounds must stay on their side of ${setting(delta)}, and SCD2 or BDI must be better by point.`}
    >
      {judged.length === 0 ? (
        <Missing>
          {rounds.length === 0
            ? 'No round is over yet.'
            : 'No round proposed a population: the one given stayed in force.'}
        </Missing>
      ) : (
        <FigureBlock
          title="Differences by round"
          legend={<RoundLegend rounds={rounds} />}
          table={<Table caption="Proposed populations" columns={COLUMNS} rows={judged} />}
        >
          <div class="multiples">
            {charts.map(({ figure, title, side, bars, series }) => (
              <RoundChart
                key={figure}
                title={`${title}, difference`}
                asks={`Whisker: to the ${side} bound, one-sided at level ${setting(judged[0]!.acceptance.rule.level)}.`}
                rounds={rounds}
                series={series}
                bars={bars}
                range={[-0.1, 0.1]}
              />
            ))}
          </div>
          <ul class="evolve-reasons">
            {judged.slice(-SHOWN).map(({ round, acceptance }) => (
              <li key={round}>
                <b>Round {round}</b> <Long>{acceptance.reason}</Long>
              </li>
            ))}
          </ul>
          {judged.length > SHOWN && (
            <p class="fine">
              The last {SHOWN} of {judged.length}; the table has each.
            </p>
          )}
        </FigureBlock>
      )}
    </Section>
  );
}

const SHOWN = 8;
