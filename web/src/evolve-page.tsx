import type { EvolveView } from '../../src/report/evolve-payload.ts';
import { EVOLVE_ENTRIES, EvolveSections } from './evolve-sections.tsx';
import { Shell } from './shell.tsx';

/** The page of a run of the loop. */
export function EvolveRunView({ view }: { view: EvolveView }) {
  return (
    <Shell
      kind="run"
      title={view.title}
      entries={EVOLVE_ENTRIES}
      footer={
        <>
          {view.space === null ? (
            'No space was opened yet'
          ) : (
            <>
              Space <bdi>{view.space.id}</bdi>
            </>
          )}
          . This file holds everything it shows and loads nothing.
        </>
      }
    >
      <EvolveSections view={view} />
    </Shell>
  );
}
