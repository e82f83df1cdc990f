import { useMemo } from 'preact/hooks';
import type { LabPage, LabTable } from '../../../src/report/lab-payload.ts';
import { count, setting } from '../format.ts';
import { Name } from '../number.tsx';
import { yamlText } from '../recipe-text.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { seedsText } from './lab-figure-text.ts';
import { LabRuns } from './lab-runs.tsx';
import { Fact } from './method.tsx';

interface Family {
  readonly panel: string;
  readonly family: { readonly id: string } & object;
}

/** Command, settings, panels, and every run that is not in the means. */
export function LabMethodSection({ page }: { page: LabPage }) {
  const { table, command } = page;
  const { study } = table;
  const text = useMemo(() => yamlText(study.settings), [study]);
  const families = useMemo(() => familiesOf(table), [table]);
  const columns = useMemo(() => familyColumns(families), [families]);
  return (
    <Section id="method" title="How it was made">
      <dl class="facts">
        <Fact term="Command">
          <code class="lab-command">{command}</code>
        </Fact>
        <Fact term="Study">
          collapse-aware {study.version}, study <code>{study.hash}</code>, schema <code>{table.schema}</code>.
          Runs of other settings, panels or versions have another hash and are never put into one table.
        </Fact>
        <Fact term="Seeds">
          {count(table.seeds.length)}: {seedsText(table.seeds)}. All methods of one seed meet the same
          settings with the same random numbers.
        </Fact>
        <Fact term="Held-out">
          The test panel, at the checkpoint that the selection panel chose; the three panels share no family.
        </Fact>
        <Fact term="Intervals">
          95 %, Student's t over seeds; none below three seeds. Differences are paired over seeds. They say
          how another set of seeds would come out under these settings, not under other assumptions of the
          model.
        </Fact>
      </dl>
      <h3>Runs</h3>
      <LabRuns table={table} />
      <h3>Settings</h3>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="recipe" aria-label="Settings" tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <h3>Panels</h3>
      <Table
        caption="Families of simulators by panel"
        columns={columns}
        rows={families}
        sortable
        empty="The panels hold no family."
      />
    </Section>
  );
}

function familiesOf({ study }: LabTable): Family[] {
  return Object.entries(study.panels).flatMap(([panel, families]) =>
    families.map((family) => ({ panel, family })),
  );
}

/** Whatever numbers and words the families have. */
function familyColumns(families: readonly Family[]): Column<Family>[] {
  const keys = [...new Set(families.flatMap(({ family }) => Object.keys(family)))].filter(
    (key) => key !== 'id',
  );
  return [
    { id: 'id', header: 'Family', text: ({ family }) => family.id },
    { id: 'panel', header: 'Panel', text: ({ panel }) => panel },
    ...keys.map(
      (key): Column<Family> => ({
        id: `k-${key}`,
        header: key,
        node: ({ family }) => {
          const value = (family as Readonly<Record<string, unknown>>)[key];
          if (value === undefined || value === null) return '–';
          if (typeof value === 'number') return <span class="value">{setting(value)}</span>;
          return <Name>{typeof value === 'string' ? value : JSON.stringify(value)}</Name>;
        },
      }),
    ),
  ];
}
