import type { AllocationAccount } from '../../../src/curation/manifest.ts';
import { count, plural } from '../format.ts';
import { Section } from '../shell.tsx';
import { Tiles } from '../tiles.tsx';

/** Where the next rollouts should go, summed up. */
export function AllocationSection({ allocation }: { allocation: AllocationAccount }) {
  const { budget, left, cells, fresh, parts, unreached } = allocation;
  return (
    <Section
      id="allocation"
      title="Next rollouts"
      lead="How many rollouts of each task and simulator would teach most; allocation.json has every cell."
    >
      <p>
        {count(budget - left)} of {plural(budget, 'rollout')} go to {plural(cells, 'cell')} of task and
        simulator, {count(fresh)} of them never rolled out so far.
      </p>
      <Tiles
        tiles={[
          { name: 'Floor', value: count(parts.floor), meaning: 'spread evenly over all cells.' },
          { name: 'Variance', value: count(parts.variance), meaning: 'where rewards differ most.' },
          {
            name: 'Coverage',
            value: count(parts.coverage),
            meaning: "where people's modes are lacking.",
          },
          {
            name: 'Uncertainty',
            value: count(parts.uncertainty),
            meaning: 'where the interval of an MCI is widest.',
          },
        ]}
      />
      {unreached.length > 0 && (
        <p class="fine">
          {unreached.length === 1 ? 'Mode' : 'Modes'} {unreached.join(', ')}: no simulator shows{' '}
          {unreached.length === 1 ? 'it' : 'them'}, so no rollout can be sent there.
        </p>
      )}
    </Section>
  );
}
