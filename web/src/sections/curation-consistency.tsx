import type { ConsistencyAccount } from '../../../src/curation/manifest.ts';
import { Name } from '../number.tsx';
import { type Column, Table } from '../table.tsx';

const GAINS: readonly Column<ConsistencyAccount['gains'][number]>[] = [
  { id: 'simulator', header: 'Simulator', text: ({ simulator }) => simulator },
  { id: 'gain', header: 'Gain of the policy', figure: ({ gain }) => gain },
];

/** What the multipliers over simulators came from. */
export function Consistency({ consistency }: { consistency: ConsistencyAccount }) {
  const { rule, base, gains, reason } = consistency;
  return (
    <>
      <h3>Consistency over simulators</h3>
      <p class="fine">
        Rule {rule}:{' '}
        {reason === null ? (
          <>
            advantages count less where the policy gained more than with other simulators. Gains are measured
            from <Name>{base ?? 'no policy'}</Name>; the multipliers stand with the simulators.
          </>
        ) : (
          <>
            all multipliers are 1, <Name>{reason}</Name>.
          </>
        )}
      </p>
      <Table caption="Gain with each simulator" columns={GAINS} rows={gains} />
    </>
  );
}
