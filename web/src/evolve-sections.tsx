import type { EvolveView } from '../../src/report/evolve-payload.ts';
import { Guard } from './guard.tsx';
import { EvolveBreakerSection } from './sections/evolve-breaker.tsx';
import { EvolveCostSection } from './sections/evolve-cost.tsx';
import { EvolveDataSection } from './sections/evolve-data.tsx';
import { EvolveGapsSection } from './sections/evolve-gaps.tsx';
import { EvolveMethodSection } from './sections/evolve-method.tsx';
import { EvolvePolicySection } from './sections/evolve-policy.tsx';
import { EvolveProposalsSection } from './sections/evolve-proposals.tsx';
import { EvolveRoundsSection } from './sections/evolve-rounds.tsx';
import { EvolveTreeSection } from './sections/evolve-tree.tsx';
import { EvolveVerdict } from './sections/evolve-verdict.tsx';

export const EVOLVE_ENTRIES = [
  { id: 'verdict', title: 'Verdict' },
  { id: 'rounds', title: 'Over rounds' },
  { id: 'tree', title: 'Population' },
  { id: 'proposals', title: 'Accepted or not' },
  { id: 'gaps', title: 'Gaps' },
  { id: 'breaker', title: 'Breaker' },
  { id: 'policy', title: 'Policy' },
  { id: 'plan', title: 'Data plan' },
  { id: 'cost', title: 'Cost' },
  { id: 'method', title: 'How it was made' },
] as const;

/** From what the run reached down to its settings; the dashboard shows the same of a run under way. */
export function EvolveSections({ view }: { view: EvolveView }) {
  return (
    <>
      <Guard name="The verdict">
        <EvolveVerdict view={view} />
      </Guard>
      <Guard name="The rounds">
        <EvolveRoundsSection view={view} />
      </Guard>
      <Guard name="The population">
        <EvolveTreeSection view={view} />
      </Guard>
      <Guard name="The proposals">
        <EvolveProposalsSection view={view} />
      </Guard>
      <Guard name="The gaps">
        <EvolveGapsSection view={view} />
      </Guard>
      <Guard name="The breaker">
        <EvolveBreakerSection view={view} />
      </Guard>
      <Guard name="The policy">
        <EvolvePolicySection view={view} />
      </Guard>
      <Guard name="The data plan">
        <EvolveDataSection view={view} />
      </Guard>
      <Guard name="The cost">
        <EvolveCostSection view={view} />
      </Guard>
      <Guard name="The method">
        <EvolveMethodSection view={view} />
      </Guard>
    </>
  );
}
