import { useMemo } from 'preact/hooks';
import type { CurationPage } from '../../src/curation/manifest.ts';
import { Guard } from './guard.tsx';
import { AllocationSection } from './sections/curation-allocation.tsx';
import { BatchesSection } from './sections/curation-batches.tsx';
import { ChangeSection } from './sections/curation-change.tsx';
import { DroppedSection } from './sections/curation-dropped.tsx';
import { FilesSection } from './sections/curation-files.tsx';
import { FunnelSection } from './sections/curation-funnel.tsx';
import { CurationMethodSection } from './sections/curation-method.tsx';
import { ModeSharesSection } from './sections/curation-modes.tsx';
import { RowTermsSection } from './sections/curation-row-terms.tsx';
import { CurationSimulatorsSection } from './sections/curation-simulators.tsx';
import { CurationVerdict } from './sections/curation-verdict.tsx';
import { WeightsSection } from './sections/curation-weights.tsx';
import { Shell } from './shell.tsx';

/** The data before a curation and after it, from the verdict down to the recipe. */
export function CurationView({ page }: { page: CurationPage }) {
  const { manifest } = page;
  const { allocation, selection, advantage } = manifest;
  const terms = selection !== null || advantage !== null;
  const next = allocation !== null;
  const entries = useMemo(
    () => [
      { id: 'verdict', title: 'Verdict' },
      { id: 'change', title: 'Before and after' },
      { id: 'funnel', title: 'From rows to batches' },
      { id: 'modes', title: 'Mode shares' },
      { id: 'weights', title: 'Weights' },
      { id: 'batches', title: 'Batches' },
      ...(terms ? [{ id: 'terms', title: 'Selection, advantages' }] : []),
      { id: 'simulators', title: 'Simulators' },
      ...(next ? [{ id: 'allocation', title: 'Next rollouts' }] : []),
      { id: 'dropped', title: 'Dropped or left out' },
      { id: 'files', title: 'Files' },
      { id: 'method', title: 'Recipe and method' },
    ],
    [terms, next],
  );
  return (
    <Shell
      kind="curate"
      title={page.title}
      entries={entries}
      footer={
        <>
          collapse-aware {manifest.version}; space <bdi>{manifest.space.id}</bdi>, seed {manifest.recipe.seed}
          . This file holds everything it shows and loads nothing.
        </>
      }
    >
      <Guard name="The verdict">
        <CurationVerdict manifest={manifest} />
      </Guard>
      <Guard name="The figures">
        <ChangeSection manifest={manifest} />
      </Guard>
      <Guard name="The funnel">
        <FunnelSection manifest={manifest} />
      </Guard>
      <Guard name="The mode shares">
        <ModeSharesSection manifest={manifest} />
      </Guard>
      <Guard name="The weights">
        <WeightsSection manifest={manifest} />
      </Guard>
      <Guard name="The batches">
        <BatchesSection manifest={manifest} />
      </Guard>
      {terms && (
        <Guard name="Selection and advantages">
          <RowTermsSection manifest={manifest} />
        </Guard>
      )}
      <Guard name="The simulators">
        <CurationSimulatorsSection manifest={manifest} />
      </Guard>
      {allocation !== null && (
        <Guard name="The next rollouts">
          <AllocationSection allocation={allocation} />
        </Guard>
      )}
      <Guard name="The dropped rows">
        <DroppedSection page={page} />
      </Guard>
      <Guard name="The files">
        <FilesSection manifest={manifest} />
      </Guard>
      <Guard name="The method">
        <CurationMethodSection manifest={manifest} />
      </Guard>
    </Shell>
  );
}
