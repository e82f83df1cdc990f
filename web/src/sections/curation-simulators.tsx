import type { CurationManifest, SimulatorAccount } from '../../../src/curation/manifest.ts';
import { number, percent } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

const plain = (value: number) => number(value, 2);

const COLUMNS: readonly Column<SimulatorAccount>[] = [
  { id: 'id', header: 'Simulator', text: ({ id }) => id },
  { id: 'rows', header: 'Rows', number: ({ rows }) => rows },
  { id: 'kept', header: 'Passed', hint: 'Rows that passed the gate', number: ({ kept }) => kept },
  {
    id: 'share',
    header: 'Passed, share',
    number: ({ rows, kept }) => (rows > 0 ? kept / rows : null),
    format: percent,
  },
  { id: 'mci', header: 'MCI', hint: 'Chance that two episodes share a mode', figure: ({ mci }) => mci },
  {
    id: 'weight',
    header: 'Mean weight',
    hint: 'Of its rows that passed the gate; 1 is the mean of all',
    number: ({ meanWeight }) => meanWeight,
    format: plain,
  },
  {
    id: 'scale',
    header: 'Gradient scale',
    number: ({ gradientScale }) => gradientScale,
    format: plain,
  },
  {
    id: 'consistency',
    header: 'Consistency',
    hint: 'Multiplier of the advantages: below 1 where the gain is above that of other simulators',
    number: ({ consistency }) => consistency,
    format: plain,
  },
];

/** What each simulator gave and what its rows now count. */
export function CurationSimulatorsSection({ manifest }: { manifest: CurationManifest }) {
  return (
    <Section
      id="simulators"
      title="Simulators"
      lead="What each gave, what passed the gate, and what its rows count now. A dash: this recipe does not set it."
    >
      <Table
        caption="Every simulator in this curation"
        columns={COLUMNS}
        rows={manifest.simulators}
        sortable
        empty="No simulator was read."
      />
    </Section>
  );
}
