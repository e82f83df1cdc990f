import type { ComponentChildren } from 'preact';
import type { AuditReport, ModeInformation } from '../../../src/audit/report-data.ts';
import { count, number, percent } from '../format.ts';
import { Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface InformationRow {
  readonly of: string;
  readonly before: number | null;
  readonly after: number | null;
}

const INFORMATION: readonly Column<InformationRow>[] = [
  { id: 'of', header: 'Mode shared with', text: ({ of }) => of },
  {
    id: 'before',
    header: 'Before control',
    number: ({ before }) => before,
    format: (value) => number(value),
  },
  { id: 'after', header: 'After control', number: ({ after }) => after, format: (value) => number(value) },
];

/** How it was measured, in enough detail to do it again. */
export function MethodSection({ report }: { report: AuditReport }) {
  const { space, reference } = report;
  const { before, after, n } = space.modeInformation;
  const rows = (['context', 'simulator', 'policy'] satisfies (keyof ModeInformation)[]).map((of) => ({
    of,
    before: before[of],
    after: after[of],
  }));
  return (
    <Section id="method" title="Method">
      <dl class="facts">
        <Fact term="Space">
          <code>{space.id}</code>, K = {space.k} modes (<Name>{space.kRule}</Name>), fitted on{' '}
          {count(space.nFit)}{' '}
          {space.fittedOn === 'people' ? 'episodes of people' : 'episodes, balanced by simulator'}. Numbers of
          two spaces are never compared.
        </Fact>
        <Fact term="Embedder">
          <Name>{space.embedder}</Name>
        </Fact>
        <Fact term="Control">
          {CONTROL[space.control]} <Name>{space.controlReason}</Name>
        </Fact>
        <Fact term="Unit">
          {space.unit}: <Name>{space.unitReason}</Name>
        </Fact>
        <Fact term="Rows">
          {count(space.contexts)} contexts; {percent(space.shares.eligible)} of rows eligible for context
          control, {percent(space.shares.used)} used, {percent(space.shares.outside)} outside the support.
        </Fact>
        <Fact term="Stability">
          Adjusted Rand over seeds: episode {known(space.stability.episode)}, interaction{' '}
          {known(space.stability.interaction)}, turn {known(space.stability.turn)}.
        </Fact>
        <Fact term="People">
          {reference === null ? (
            'none given; figures that need them are not measured.'
          ) : (
            <>
              <Name>{reference.id}</Name>: split by person into {count(reference.parts.fit)} to fit,{' '}
              {count(reference.parts.mass)} for shares and support, {count(reference.parts.ceiling)} measured
              as if they were a simulator.
            </>
          )}
        </Fact>
        <Fact term="Intervals">
          95 %, from leaving out one {space.unit} (or group of them) at a time; nothing is resampled with
          replacement. Each figure's table names its method. ≈ marks an interval outside the range in which
          its coverage was tested.
        </Fact>
        <Fact term="Reproduce">
          collapse-aware {report.version} on the same files with seed {space.seed} gives the same numbers,
          whatever the order of rows or the names of people.
        </Fact>
      </dl>
      <Table
        caption={`What the modes say about topic, simulator and policy (adjusted mutual information, ${count(n)} rows left out of the fit)`}
        columns={INFORMATION}
        rows={rows}
      />
    </Section>
  );
}

const CONTROL: Record<AuditReport['space']['control'], string> = {
  context: 'The effect of the context is taken out.',
  interaction: 'Rows are compared by how the user behaves alone, not by what is said.',
  none: 'None.',
};

function known(value: number | null): string {
  return value === null ? 'not measured' : number(value);
}

/** A term of a `facts` list. */
export function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}
