import type { ComponentChildren } from 'preact';
import type { AuditReport, TurnErrors } from '../../../src/audit/report-data.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { count, figureText, number } from '../format.ts';
import { Value } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface Entry {
  readonly name: string;
  readonly figure: Figure;
  readonly meaning: ComponentChildren;
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'name', header: 'Figure', text: ({ name }) => name },
  { id: 'value', header: 'Value', figure: ({ figure }) => figure },
  { id: 'meaning', header: 'Meaning', node: ({ meaning }) => meaning },
];

/** What the replies drawn again say for certain, also where they are too few for a value. */
function limits({ disagreement, bracket, bounds }: TurnErrors): string {
  const [low, high] = [bounds.low.value, bounds.high.value];
  const [plugIn, leaveOneOut] = [bracket.plugIn.value, bracket.leaveOneOut.value];
  if (low === null || high === null || plugIn === null || leaveOneOut === null) return '';
  return ` Two replies differ with chance ${figureText(disagreement)}, so it lies between ${number(low)} and ${number(high)}; estimates that err low and high: ${number(plugIn)} and ${number(leaveOneOut)}.`;
}

/** What the training run itself shows: groups, policy, per-turn collapse, where reward varies from. */
export function HealthSection({ report }: { report: AuditReport }) {
  const { health, epsilon, varianceSplit } = report;
  const { zeroVariance } = health;
  const entries: Entry[] = [
    {
      name: 'Groups without reward variance',
      figure: zeroVariance.share,
      meaning:
        health.groups === 0
          ? 'Groups whose episodes all got the same reward teach nothing.'
          : `Of ${count(health.groups)} groups: ${count(zeroVariance.allFail)} all failed, ${count(zeroVariance.allPass)} all passed, ${count(zeroVariance.sameBehaviour)} behaved the same, ${count(zeroVariance.other)} for other reasons. They teach nothing.`,
    },
    { name: 'Policy entropy', figure: health.policyEntropy, meaning: "Variety of the policy's turns." },
    {
      name: 'Context information',
      figure: health.contextInformation,
      meaning: 'How much the policy fits its replies to the context; near 0 it repeats a template.',
    },
    {
      name: 'Consistency over simulators',
      figure: health.consistency,
      meaning: '1: the policy acts alike with every simulator. Adapting to a user is legitimate.',
    },
    {
      name: 'Collapse per turn, one member',
      figure: epsilon.member,
      meaning: `Chance that the session’s own simulator leaves its usual reply at a visited history; 0: it never does.${limits(epsilon.member)}`,
    },
    {
      name: 'Collapse per turn, population',
      figure: epsilon.population,
      meaning: `The same with the member drawn anew.${limits(epsilon.population)}`,
    },
    {
      name: 'Reward variance, simulator side',
      figure: varianceSplit.simulator,
      meaning: 'May be estimated below 0; shown as it is.',
    },
    {
      name: 'Reward variance, agent side',
      figure: varianceSplit.agent,
      meaning: 'From nested re-simulation with seeds.',
    },
  ];
  return (
    <Section
      id="health"
      title="Training health"
      lead="Signs beside the diagnoses that a run is learning from its users."
    >
      <ul class="tiles">
        {entries.slice(0, 4).map(({ name, figure, meaning }) => (
          <li key={name}>
            <h3>{name}</h3>
            <Value figure={figure} />
            <p class="fine">{meaning}</p>
          </li>
        ))}
      </ul>
      <Table caption="Training health" columns={COLUMNS} rows={entries} />
    </Section>
  );
}
