import { useCallback, useMemo } from 'preact/hooks';
import type { CurationManifest, WeightsAccount } from '../../../src/curation/manifest.ts';
import { Chart, FigureBlock } from '../chart.tsx';
import { count, number, percent, plural, setting } from '../format.ts';
import { histogram, type Mark } from '../histogram.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { type Tile, Tiles } from '../tiles.tsx';

type Bin = WeightsAccount['histogram'][number];

const BINS: readonly Column<Bin>[] = [
  { id: 'bin', header: 'Weight', node: ({ low, high }) => `${number(low, 3)} to ${number(high, 3)}` },
  { id: 'count', header: 'Rows', number: (bin) => bin.count },
];
const CONCENTRATION: Record<WeightsAccount['concentration'], string> = {
  weights: 'by the loss weights: rows of a concentrated simulator weigh less',
  batches: 'by the balance of the batches, so weights leave it alone',
  gradient: 'by the gradient scale of each simulator, so weights leave it alone',
  none: 'nowhere',
};

/** What each row counts, and what that costs in effective rows. */
export function WeightsSection({ manifest }: { manifest: CurationManifest }) {
  const { weights, recipe } = manifest;
  const bounds = recipe.weights?.bounds ?? null;
  return (
    <Section
      id="weights"
      title="Weights"
      lead={
        weights === null
          ? undefined
          : `Rare ways of behaving weigh more, common ones less; the mean is 1. Concentration is corrected once: ${CONCENTRATION[weights.concentration]}.`
      }
    >
      {weights === null ? (
        <Missing>Weights were switched off: every row counts 1.</Missing>
      ) : (
        <>
          <Tiles tiles={tilesOf(weights, bounds)} />
          <Histogram weights={weights} bounds={bounds} />
          <Unknown weights={weights} />
        </>
      )}
    </Section>
  );
}

/** Rows that were weighed without what their weight should come from. */
function Unknown({ weights: { unknownDensity, unknownConcentration } }: { weights: WeightsAccount }) {
  const told = [
    ...(unknownDensity > 0
      ? [`${plural(unknownDensity, 'row')} of unknown density stand in the middle`]
      : []),
    ...(unknownConcentration > 0
      ? [`${plural(unknownConcentration, 'row')} of simulators without an MCI have factor 1`]
      : []),
  ];
  return told.length === 0 ? null : <p class="fine">{told.join('; ')}.</p>;
}

function tilesOf(weights: WeightsAccount, bounds: readonly [number, number] | null): Tile[] {
  const share = (rows: number) => (weights.n > 0 ? percent(rows / weights.n) : '–');
  return [
    {
      name: 'Effective rows (ESS)',
      value: count(Math.round(weights.ess)),
      meaning: `${share(weights.ess)} of ${plural(weights.n, 'row')}. Before κ and bounds ${count(Math.round(weights.essRaw))}.`,
    },
    {
      name: 'κ, exponent of the weights',
      value: number(weights.kappa, 2),
      meaning:
        weights.kappa >= 1
          ? '1: the weights were left as they are.'
          : 'Below 1: log weights were shrunk to keep the effective rows.',
    },
    {
      name: `At the low bound${bounds === null ? '' : `, ${setting(bounds[0])}`}`,
      value: count(weights.atLow),
      meaning: `${share(weights.atLow)} of the rows.`,
    },
    {
      name: `At the high bound${bounds === null ? '' : `, ${setting(bounds[1])}`}`,
      value: count(weights.atHigh),
      meaning: `${share(weights.atHigh)} of the rows.`,
    },
  ];
}

function Histogram({
  weights,
  bounds,
}: {
  weights: WeightsAccount;
  bounds: readonly [number, number] | null;
}) {
  const bins = weights.histogram;
  const marks = useMemo(
    (): Mark[] => [
      ...(bounds === null
        ? []
        : bounds.map((at): Mark => ({ at, label: `bound ${setting(at)}`, tone: 'warn' }))),
      { at: 1, label: 'mean', tone: 'quiet' },
    ],
    [bounds],
  );
  const draw = useCallback((width: number) => histogram(bins, { width, marks }), [bins, marks]);
  if (bins.length === 0) return <Missing>There is no histogram: no row was weighted.</Missing>;
  const most = bins.reduce((best, bin) => (bin.count > best.count ? bin : best));
  return (
    <FigureBlock title="Rows by weight" table={<Table caption="Rows by weight" columns={BINS} rows={bins} />}>
      <Chart
        draw={draw}
        label={`Rows by weight, from ${number(bins[0]!.low)} to ${number(bins.at(-1)!.high)}: most, ${count(most.count)}, lie between ${number(most.low)} and ${number(most.high)}`}
      />
    </FigureBlock>
  );
}
