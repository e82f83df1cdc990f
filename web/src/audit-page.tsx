import { useMemo, useState } from 'preact/hooks';
import type { AuditPage } from '../../src/audit/report-data.ts';
import { count } from './format.ts';
import { Guard } from './guard.tsx';
import { CourseSection } from './sections/course.tsx';
import { DriversSection } from './sections/drivers.tsx';
import { HealthSection } from './sections/health.tsx';
import { InputSection } from './sections/input.tsx';
import { MapSection } from './sections/map.tsx';
import { MatrixSection } from './sections/matrix.tsx';
import { MethodSection } from './sections/method.tsx';
import { MissingSection } from './sections/missing.tsx';
import { ModesSection } from './sections/modes.tsx';
import { NextSection } from './sections/next.tsx';
import { PopulationSection } from './sections/population.tsx';
import { SimulatorsSection } from './sections/simulators.tsx';
import { VerdictSection } from './sections/verdict.tsx';
import { Shell } from './shell.tsx';

/** The whole audit, from the verdict down to how it was measured. */
export function AuditPageView({ page }: { page: AuditPage }) {
  const { report } = page;
  const [focus, setFocus] = useState<string | null>(null);
  const entries = useMemo(
    () =>
      [
        { id: 'verdict', title: 'Verdict' },
        { id: 'map', title: 'Map of behaviours' },
        { id: 'modes', title: 'Modes' },
        { id: 'population', title: 'Collapse, coverage, overfitting' },
        { id: 'simulators', title: 'Simulators' },
        { id: 'missing', title: 'Missing modes' },
        { id: 'drivers', title: 'Drivers' },
        ...(report.epochs.length + report.trend.length + report.depth.length > 0
          ? [{ id: 'course', title: 'Over time and depth' }]
          : []),
        { id: 'health', title: 'Training health' },
        ...(report.matrix.length > 0 ? [{ id: 'matrix', title: 'Reward matrix' }] : []),
        { id: 'next', title: 'What to do next' },
        { id: 'input', title: 'Input' },
        { id: 'method', title: 'Method' },
      ] as const,
    [report],
  );
  return (
    <Shell
      kind="audit"
      title={page.title}
      created={page.created}
      entries={entries}
      footer={
        <>
          collapse-aware {report.version}; space <bdi>{report.space.id}</bdi>, seed {report.space.seed};{' '}
          {count(report.input.kept)} episodes. This file holds everything it shows and loads nothing.
        </>
      }
    >
      <Guard name="The verdict">
        <VerdictSection report={report} />
      </Guard>
      <Guard name="The map">
        <MapSection page={page} focus={focus} setFocus={setFocus} />
      </Guard>
      <Guard name="The modes">
        <ModesSection page={page} focus={focus} />
      </Guard>
      <Guard name="The figures of the population">
        <PopulationSection report={report} />
      </Guard>
      <Guard name="The table of simulators">
        <SimulatorsSection report={report} />
      </Guard>
      <Guard name="The missing modes">
        <MissingSection page={page} />
      </Guard>
      <Guard name="The drivers">
        <DriversSection report={report} focus={focus} setFocus={setFocus} />
      </Guard>
      <Guard name="The course">
        <CourseSection report={report} />
      </Guard>
      <Guard name="Training health">
        <HealthSection report={report} />
      </Guard>
      <Guard name="The reward matrix">
        <MatrixSection report={report} />
      </Guard>
      <Guard name="What to do next">
        <NextSection report={report} />
      </Guard>
      <Guard name="The input">
        <InputSection report={report} />
      </Guard>
      <Guard name="The method">
        <MethodSection report={report} />
      </Guard>
    </Shell>
  );
}
