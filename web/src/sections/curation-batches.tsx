import { useCallback, useMemo } from 'preact/hooks';
import type { BatchesAccount, CurationManifest } from '../../../src/curation/manifest.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { count, plural } from '../format.ts';
import { labeller } from '../labels.ts';
import { Missing } from '../number.tsx';
import { type QuotaRow, quotaPlot } from '../quota-plot.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { Tiles } from '../tiles.tsx';

type Quota = BatchesAccount['modes'][number];
const DRAWN = 24;

/** What each batch holds, and where an equal share asked for more rows than there are. */
export function BatchesSection({ manifest }: { manifest: CurationManifest }) {
  const { batches } = manifest;
  return (
    <Section
      id="batches"
      title="Batches"
      lead={
        batches === null
          ? undefined
          : batches.balance === 'mode'
            ? 'Every mode gets an equal share as far as its rows reach; groups stay whole; the order comes from content hashes and the seed.'
            : 'Batches are cut by content hash alone, without balance; groups stay whole.'
      }
    >
      {batches === null ? (
        <Missing>
          Batches were switched off: the trainer draws rows itself
          {manifest.weights === null ? '' : ', by their weights'}.
        </Missing>
      ) : (
        <Batches batches={batches} modes={manifest.modes} />
      )}
    </Section>
  );
}

/** What a count of rows in batches leaves unsaid. */
function unplaced({ leftOut, withoutMode }: BatchesAccount): string {
  return [
    ...(leftOut.rows > 0
      ? [` ${plural(leftOut.rows, 'sound row')} of ${plural(leftOut.groups, 'group')} left out.`]
      : []),
    ...(withoutMode.exists > 0
      ? [` ${count(withoutMode.got)} of ${plural(withoutMode.exists, 'row')} without a mode are in.`]
      : []),
  ].join('');
}

function Batches({ batches, modes }: { batches: BatchesAccount; modes: CurationManifest['modes'] }) {
  const label = useMemo(() => labeller(modes), [modes]);
  const short = batches.modes.filter(({ shortfall }) => shortfall > 0);
  const missing = short.reduce((sum, { shortfall }) => sum + shortfall, 0);
  const sorted = useMemo(
    () => [...batches.modes].sort((a, b) => b.shortfall - a.shortfall || a.got - b.got || a.mode - b.mode),
    [batches],
  );
  const rows = useMemo(
    () =>
      sorted
        .slice(0, DRAWN)
        .map((quota): QuotaRow => ({ ...quota, label: `${quota.mode}  ${label(quota.mode)}` })),
    [sorted, label],
  );
  const draw = useCallback((width: number) => quotaPlot(rows, { width }), [rows]);
  const columns: readonly Column<Quota>[] = [
    { id: 'mode', header: 'Mode', text: ({ mode }) => `${mode}  ${label(mode)}` },
    { id: 'wanted', header: 'Equal share', number: ({ wanted }) => wanted },
    { id: 'got', header: 'Rows', number: ({ got }) => got },
    { id: 'shortfall', header: 'Short by', number: ({ shortfall }) => shortfall },
  ];
  return (
    <>
      <Tiles
        tiles={[
          {
            name: 'Batches',
            value: count(batches.count),
            meaning: `of about ${plural(batches.size, 'row')} each, balance: ${batches.balance}.`,
          },
          {
            name: 'Rows in them',
            value: count(batches.rows),
            meaning: `${plural(batches.groups, 'group')}, each whole.${unplaced(batches)}`,
          },
          ...(batches.modes.length === 0
            ? []
            : [
                {
                  name: 'Modes that fall short',
                  value: `${count(short.length)} of ${count(batches.modes.length)}`,
                  meaning:
                    missing === 0
                      ? 'Every mode has its share.'
                      : `${plural(missing, 'row')} missing: only new rollouts can fill them.`,
                },
              ]),
        ]}
      />
      {rows.length > 0 && (
        <FigureBlock
          title="Rows of each mode against an equal share"
          legend={
            <>
              <LegendItem tone="simulator">rows in the batches</LegendItem>
              <LegendItem tone="pool" shape="dash">
                equal share
              </LegendItem>
            </>
          }
          table={
            <Table caption="Rows of each mode in the batches" columns={columns} rows={sorted} sortable />
          }
        >
          <Chart
            draw={draw}
            label={`Rows of each mode in the batches: ${
              short.length === 0
                ? 'no mode falls short'
                : short
                    .slice(0, 12)
                    .map(({ mode, shortfall }) => `mode ${mode} short by ${count(shortfall)}`)
                    .join('; ')
            }`}
          />
          {batches.modes.length > DRAWN && (
            <p class="fine">
              The {DRAWN} that fall short most, of {count(batches.modes.length)}. The table has each.
            </p>
          )}
        </FigureBlock>
      )}
    </>
  );
}
