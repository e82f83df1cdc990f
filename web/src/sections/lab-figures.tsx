import { useMemo, useState } from 'preact/hooks';
import type { LabMethod, LabTable } from '../../../src/report/lab-payload.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { headOf, hintOf, unitless } from './lab-figure-text.ts';
import { type WorldChoice, WorldSwitch } from './lab-world-choice.tsx';

const GROUPS: readonly { readonly title: string; readonly figures: readonly string[] }[] = [
  { title: 'Outcome', figures: ['heldOut', 'people', 'heldOutLast', 'trainReward', 'selectedStep'] },
  { title: 'Overfitting', figures: ['psod', 'psodRise', 'psodRiseLast'] },
  {
    title: 'Collapse',
    figures: ['scdPooled', 'scdPooled2', 'scdActs', 'scdActs2', 'peopleScdActs2', 'scdConditional', 'mci'],
  },
  { title: 'Coverage', figures: ['bdi', 'bdiRecorded', 'realism', 'peopleRealism'] },
  {
    title: 'By turn',
    figures: ['epsilonMember', 'epsilonPopulation', 'epsilonMemberExact', 'peopleEpsilonExact'],
  },
  { title: 'Training', figures: ['zeroVariance', 'entropy', 'consistency'] },
  { title: 'Cost', figures: ['turns', 'simulatorUpdates'] },
];
const ALL = 'All';
const OTHER = 'Other';

/** Every figure of every method as a number. */
export function LabFiguresSection({ table, choice }: { table: LabTable; choice: WorldChoice }) {
  const { world } = choice;
  const groups = useMemo(() => groupsOf(table), [table]);
  const [title, setTitle] = useState(groups[0]?.title ?? ALL);
  const columns = useMemo(() => {
    const wanted = new Set(groups.find((group) => group.title === title)?.figures);
    return columnsOf(table.figures.filter(({ id }) => wanted.has(id)));
  }, [groups, title, table]);
  return (
    <Section
      id="figures"
      title="All figures"
      lead="Means over the seeds that are done, with 95 % intervals (Student's t over seeds) and the number of seeds. Diverged runs are counted below and never averaged."
    >
      <WorldSwitch choice={choice} name="figures" />
      <fieldset class="segments">
        <legend class="unseen">Figures</legend>
        {groups.map((group) => (
          <label key={group.title}>
            <input
              type="radio"
              name="lab-figures"
              value={group.title}
              checked={group.title === title}
              onChange={() => setTitle(group.title)}
            />
            <span>{group.title}</span>
          </label>
        ))}
      </fieldset>
      {world !== undefined && (
        <Table
          caption={`${title === ALL ? 'All figures' : title}, ${world.name}`}
          columns={columns}
          rows={world.methods}
          sortable
          tone={({ method }) => (method === table.comparison ? 'row-marked' : undefined)}
        />
      )}
    </Section>
  );
}

/** Figures that no group names are not lost. */
function groupsOf({ figures }: LabTable) {
  const ids = new Set(figures.map(({ id }) => id));
  const named = new Set(GROUPS.flatMap((group) => group.figures));
  const other = [...ids].filter((id) => !named.has(id));
  return [
    ...GROUPS.map((group) => ({ ...group, figures: group.figures.filter((id) => ids.has(id)) })),
    { title: OTHER, figures: other },
    { title: ALL, figures: [...ids] },
  ].filter((group) => group.figures.length > 0);
}

function columnsOf(figures: LabTable['figures']): Column<LabMethod>[] {
  return [
    {
      id: 'method',
      header: 'Method',
      text: ({ title }) => title,
    },
    ...figures.map(
      (one): Column<LabMethod> => ({
        id: one.id,
        header: headOf(one),
        hint: hintOf(one),
        figure: ({ figures: own }) => {
          const found = own[one.id];
          return found === undefined ? null : unitless(found);
        },
      }),
    ),
  ];
}
