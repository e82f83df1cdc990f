import { useMemo, useState } from 'preact/hooks';
import type { LabPage } from '../../src/report/lab-payload.ts';
import { Guard } from './guard.tsx';
import { LabCollapseSection } from './sections/lab-collapse.tsx';
import { LabCurvesSection } from './sections/lab-curves.tsx';
import { LabDifferencesSection } from './sections/lab-differences.tsx';
import { LabFiguresSection } from './sections/lab-figures.tsx';
import { LabMethodSection } from './sections/lab-method.tsx';
import { LabPublishedSection } from './sections/lab-published.tsx';
import { LabSignsSection } from './sections/lab-signs.tsx';
import { LabStandingSection } from './sections/lab-standing.tsx';
import { LabVerdict } from './sections/lab-verdict.tsx';
import type { WorldChoice } from './sections/lab-world-choice.tsx';
import { Shell } from './shell.tsx';

const ENTRIES = [
  { id: 'verdict', title: 'Verdict' },
  { id: 'standing', title: 'Methods by success' },
  { id: 'signs', title: 'Expected and seen' },
  { id: 'curves', title: 'Training curves' },
  { id: 'figures', title: 'All figures' },
  { id: 'differences', title: 'Differences' },
  { id: 'collapse', title: 'Collapse and guesses' },
  { id: 'published', title: 'Published figures' },
  { id: 'method', title: 'How it was made' },
] as const;

/** A table of the lab, from who leads each world down to settings and lost runs. */
export function LabView({ page }: { page: LabPage }) {
  const { table, published, guessed } = page;
  const [at, setAt] = useState(0);
  const choice = useMemo<WorldChoice>(
    () => ({ worlds: table.worlds, world: table.worlds[at] ?? table.worlds[0], choose: setAt }),
    [table, at],
  );
  return (
    <Shell
      kind="lab"
      title={page.title}
      entries={ENTRIES}
      footer={
        <>
          collapse-aware {table.study.version}; study <bdi>{table.study.hash}</bdi>. This file holds
          everything it shows and loads nothing.
        </>
      }
    >
      <Guard name="The verdict">
        <LabVerdict table={table} />
      </Guard>
      <Guard name="The methods">
        <LabStandingSection table={table} published={published} />
      </Guard>
      <Guard name="The phenomena">
        <LabSignsSection table={table} />
      </Guard>
      <Guard name="The training curves">
        <LabCurvesSection table={table} choice={choice} />
      </Guard>
      <Guard name="The figures">
        <LabFiguresSection table={table} choice={choice} />
      </Guard>
      <Guard name="The differences">
        <LabDifferencesSection table={table} choice={choice} />
      </Guard>
      <Guard name="The collapse figures">
        <LabCollapseSection table={table} guessed={guessed} choice={choice} />
      </Guard>
      <Guard name="The published figures">
        <LabPublishedSection table={table} published={published} />
      </Guard>
      <Guard name="The method">
        <LabMethodSection page={page} />
      </Guard>
    </Shell>
  );
}
