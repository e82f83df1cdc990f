import { useMemo } from 'preact/hooks';
import type { AuditReport, SimulatorReport } from '../../../src/audit/report-data.ts';
import { number, pValue } from '../format.ts';
import { Name, Quote } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

/** Every number of every simulator, sortable. */
export function SimulatorsSection({ report }: { report: AuditReport }) {
  const columns = useMemo(() => columnsOf(report), [report]);
  const withExamples = report.simulators.filter(({ exemplars }) => exemplars.length > 0);
  return (
    <Section
      id="simulators"
      title="Simulators"
      lead="Press a column's name to sort. Differences are simulator minus people; p-values are Holm-adjusted over simulators."
    >
      <Table
        caption="Every figure of every simulator"
        columns={columns}
        rows={report.simulators}
        sortable
        empty="No simulator was read."
      />
      <h3>Rewards</h3>
      <p class="fine">
        Beside, not inside the figures: reward describes the policy, and no weight depends on it.
      </p>
      <Table
        caption="Reward of episodes with each simulator"
        columns={REWARD}
        rows={report.simulators}
        sortable
        empty="No simulator was read."
      />
      {withExamples.length > 0 && (
        <details class="as-table">
          <summary>Read what each simulator typically says</summary>
          <ul class="gallery">
            {withExamples.map((simulator) => (
              <li key={simulator.id}>
                <h4>
                  <Name>{simulator.id}</Name>
                </h4>
                {simulator.exemplars.map(({ mode, text }, at) => (
                  <div key={at}>
                    <p class="fine">Mode {mode + 1}</p>
                    <Quote>{text}</Quote>
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function columnsOf({ reference }: AuditReport): Column<SimulatorReport>[] {
  const people: Column<SimulatorReport>[] =
    reference === null
      ? []
      : [
          {
            id: 'dmci',
            header: 'MCI − people',
            figure: ({ versusReference }) => versusReference?.mci ?? null,
          },
          {
            id: 'pmci',
            header: 'p, MCI',
            hint: 'Holm-adjusted, MCI',
            number: ({ versusReference }) => versusReference?.mciHolm ?? null,
            format: pValue,
          },
          {
            id: 'dbdi',
            header: 'BDI − people',
            figure: ({ versusReference }) => versusReference?.bdiMass ?? null,
          },
          {
            id: 'pbdi',
            header: 'p, BDI',
            hint: 'Holm-adjusted, BDI mass',
            number: ({ versusReference }) => versusReference?.bdiMassHolm ?? null,
            format: pValue,
          },
        ];
  return [
    { id: 'id', header: 'Simulator', text: ({ id }) => id },
    { id: 'verdict', header: 'Reads as', text: ({ verdict }) => verdict },
    { id: 'mci', header: 'MCI', hint: 'Chance that two episodes share a mode', figure: ({ mci }) => mci },
    { id: 'spread', header: 'Spread', figure: ({ spread }) => spread },
    { id: 'modes', header: 'Effective modes', figure: ({ effectiveModes }) => effectiveModes },
    { id: 'outside', header: 'Outside', figure: ({ outside }) => outside },
    {
      id: 'style',
      header: 'Style distance',
      hint: 'Outside in the semantic block alone',
      figure: ({ style }) => style,
    },
    { id: 'mass', header: 'BDI mass', figure: ({ bdi }) => bdi.mass },
    { id: 'knn', header: 'Neighbour coverage', figure: ({ bdi }) => bdi.knn },
    {
      id: 'expected',
      header: 'expected',
      hint: 'Neighbour coverage of two samples of one law',
      number: ({ bdi }) => bdi.knnExpected,
      format: (value) => number(value),
    },
    { id: 'realism', header: 'Realism', figure: ({ bdi }) => bdi.realism },
    ...people,
    { id: 'rank', header: 'Effective rank', figure: ({ effectiveRank }) => effectiveRank },
    {
      id: 'within',
      header: 'Within context',
      hint: 'Mean distance inside a context, against people or the pool',
      figure: ({ withinContext }) => withinContext,
    },
    { id: 'vendi', header: 'Vendi', figure: ({ vendi }) => vendi },
    { id: 'n', header: 'Episodes', number: ({ n }) => n },
    { id: 'contexts', header: 'Contexts', number: ({ contexts }) => contexts },
    { id: 'policies', header: 'Policies', text: ({ policies }) => policies.join(', ') },
    { id: 'kind', header: 'Kind', text: ({ kind }) => kind },
  ];
}

const REWARD: readonly Column<SimulatorReport>[] = [
  { id: 'id', header: 'Simulator', text: ({ id }) => id },
  { id: 'n', header: 'n', number: ({ reward }) => reward.n },
  { id: 'missing', header: 'Without reward', number: ({ reward }) => reward.missing },
  { id: 'mean', header: 'Mean', number: ({ reward }) => reward.mean, format: (value) => number(value) },
  {
    id: 'quantiles',
    header: 'Quantiles, low to high',
    node: ({ reward }) =>
      reward.quantiles.length === 0 ? (
        'no rewards'
      ) : (
        <span class="value">{reward.quantiles.map((value) => number(value)).join(' · ')}</span>
      ),
  },
];
