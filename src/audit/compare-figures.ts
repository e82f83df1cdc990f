import {
  behaviouralMass,
  concentrationDifference,
  diversityDifference,
  type EqualSize,
  equalSize,
  type Figure,
  figureDifference,
  headlineGap,
  massDifference,
  mergeTallies,
  missing,
  modeConcentration,
  outsideDifference,
  outsideShare,
  overfittingDifference,
  populationDifference,
  type RewardRange,
  realismDifference,
  relativeGrowth,
  spread,
  spreadDifference,
  zeroVarianceDifference,
} from '../metrics/index.ts';
import type { Pair } from './compare-words.ts';
import { groupedRollouts } from './measure-health.ts';
import { lastPanels } from './measure-rewards.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport } from './report-data.ts';
import {
  equalVectors,
  joinVectors,
  MOST_OUTSIDE,
  type Sample,
  type Samples,
  shareOutside,
} from './samples.ts';

/** One side: its rows in the shared view, its own report, and its options (its own held-out simulators). */
export interface Side {
  readonly samples: Samples;
  readonly report: AuditReport;
  readonly options: AuditOptions;
}

/** The size at which coverage is stated for both runs: that of every simulator, else of the two populations. */
export function commonSize(a: Samples, b: Samples): EqualSize | null {
  const ceiling = a.people === null ? [] : [a.people.ceiling.tally];
  const tallies = [...a.simulators, ...b.simulators].map(({ tally }) => tally);
  return equalSize([...tallies, ...ceiling]) ?? equalSize([all(a), all(b), ...ceiling]);
}

function all({ simulators }: Samples) {
  return mergeTallies(simulators.map(({ tally }) => tally));
}

/** Lowest and highest reward of either run, so that both are in units of one range; null where all are equal. */
export function commonRange(a: Samples, b: Samples, given?: RewardRange): RewardRange | null {
  if (given !== undefined) return given;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { view } of [a, b])
    for (const reward of view.rows.reward) {
      if (Number.isNaN(reward)) continue;
      low = Math.min(low, reward);
      high = Math.max(high, reward);
    }
  return high > low ? [low, high] : null;
}

/** Figures of the two populations with the differences B - A; shared units leave both sides at once. */
export function comparePopulations(
  a: Side,
  b: Side,
  size: EqualSize | null,
  range: RewardRange | null,
): { pairs: Pair[]; relative: Figure } {
  const { interval, people } = a.samples;
  const [first, second] = [all(a.samples), all(b.samples)];
  const scd = populationDifference(
    b.samples.simulators.map(({ tally }) => tally),
    a.samples.simulators.map(({ tally }) => tally),
    interval,
  );
  const none = missing('no human reference, so there is no absolute coverage', first.n + second.n);
  const covered = [first, second].map((tally) => behaviouralMass(tally, null, size, interval));
  const pair = (key: Pair['key'], read: (report: AuditReport) => Figure, difference: Figure): Pair => ({
    key,
    a: read(a.report),
    b: read(b.report),
    difference: known(read(a.report), read(b.report), () => difference),
  });
  const added = (key: Pair['key'], read: (report: AuditReport) => Figure): Pair =>
    pair(key, read, figureDifference(read(b.report), read(a.report)));
  return {
    pairs: [
      pair('scd.pooled2', (r) => r.scd.pooled2, scd.pooled2),
      pair('scd.pooled', (r) => r.scd.pooled, scd.pooled),
      pair('scd.pooled2Within', (r) => r.scd.pooled2Within, scd.pooled2Within),
      pair(
        'scd.pooled2Alike',
        (r) => r.scd.pooled2Alike,
        // 0 by definition on both sides: it would only weaken the family.
        a.samples.simulators.length === 1 && b.samples.simulators.length === 1
          ? missing('one simulator on each side', first.n + second.n)
          : scd.pooled2Alike,
      ),
      added('scd.conditional', (r) => r.scd.conditional),
      pair(
        'bdi.headline',
        (r) => r.bdi.headline,
        people === null
          ? none
          : diversityDifference(second, first, people.ceiling.tally, people.mass.tally, size, interval),
      ),
      pair(
        'bdi.mass',
        (r) => r.bdi.mass,
        people === null ? none : massDifference(second, first, people.mass.tally, size, interval),
      ),
      {
        key: 'bdi.covered',
        a: covered[0]!,
        b: covered[1]!,
        difference: massDifference(second, first, null, size, interval),
      },
      pair('bdi.realism', (r) => r.bdi.realism, realismDifference(second, first, interval)),
      pair('psod.value', (r) => r.psod, overfittingBetween(a, b, range)),
      added('psod.rise', (r) => r.psod.rise),
      added('epsilon.member', (r) => r.epsilon.member),
      pair('health.zeroVariance', (r) => r.health.zeroVariance.share, zeroVarianceBetween(a, b, range)),
    ],
    relative: relativeGrowth(first, second, size, interval),
  };
}

function overfittingBetween(a: Side, b: Side, range: RewardRange | null): Figure {
  if (range === null) return missing('no rewards, or all equal: give --reward-range');
  const [first, second] = [lastPanels(a.samples, a.options), lastPanels(b.samples, b.options)];
  return headlineGap((options) => overfittingDifference(second, first, range, options), {
    unitNoun: 'context',
  }).figure;
}

function zeroVarianceBetween(a: Side, b: Side, range: RewardRange | null): Figure {
  const [first, second] = [groupedRollouts(a.samples), groupedRollouts(b.samples)];
  if ('reason' in first) return missing(first.reason);
  if ('reason' in second) return missing(second.reason);
  return zeroVarianceDifference(second, first, range ?? [0, 1], { unitNoun: 'context' });
}

/** A difference, unless one of its sides has no value: then that side's reason. */
function known(a: Figure, b: Figure, difference: () => Figure): Figure {
  for (const { value, reason, n } of [a, b])
    if (value === null) return missing(reason ?? 'one side has no value', n);
  return difference();
}

/** Every simulator of either run; spread is over people, or over one pool of both runs. */
export function compareSimulators(
  a: Side,
  b: Side,
  size: EqualSize | null,
  labels: { readonly a: string; readonly b: string },
) {
  const { people } = a.samples;
  const against =
    people === null
      ? equalVectors(inContentOrder([...a.samples.simulators, ...b.samples.simulators]))
      : joinVectors([people.mass, people.ceiling]);
  const ids = [...new Set([...a.samples.simulators, ...b.samples.simulators].map(({ id }) => id))].sort();
  return ids.map((id) => {
    const [own, other] = [a, b].map((side) => side.samples.simulators.find((sample) => sample.id === id));
    const [inA, inB] = [figuresOf(a, own, labels.a), figuresOf(b, other, labels.b)];
    const pair = (
      measure: 'mci' | 'spread' | 'bdi' | 'outside',
      difference: (first: Sample, second: Sample) => Figure,
    ) => ({
      a: inA[measure],
      b: inB[measure],
      difference: known(inA[measure], inB[measure], () => difference(own!, other!)),
    });
    const { interval } = a.samples;
    return {
      id,
      mci: pair('mci', (x, y) => concentrationDifference(y.tally, x.tally, interval)),
      spread: pair('spread', (x, y) => spreadDifference(y.vectors, x.vectors, against.vectors, interval)),
      bdi: pair('bdi', (x, y) =>
        massDifference(y.tally, x.tally, people?.mass.tally ?? null, size, interval),
      ),
      outside: pair('outside', (x, y) => outsideDifference(y.tally, x.tally, interval)),
    };
  });

  function figuresOf({ samples }: Side, sample: Sample | undefined, label: string) {
    if (sample === undefined) {
      const none = missing(`not in ${label}`);
      return { mci: none, spread: none, bdi: none, outside: none };
    }
    const { tally, vectors } = sample;
    const { interval } = samples;
    return {
      mci:
        shareOutside([tally]) > MOST_OUTSIDE
          ? missing('off support', tally.n)
          : modeConcentration(tally, interval),
      spread: spread(vectors, against.vectors, interval),
      bdi:
        people === null
          ? missing('no human reference', tally.n)
          : behaviouralMass(tally, people.mass.tally, size, interval),
      outside: outsideShare(tally, interval),
    };
  }
}

/** An order that neither names nor the choice of A and B decide: sums over a pool run in it. */
function inContentOrder(samples: readonly Sample[]): Sample[] {
  return samples
    .map((sample) => ({ sample, key: sample.reservoir.map(({ hash }) => hash).join() }))
    .sort((x, y) => (x.key < y.key ? -1 : x.key > y.key ? 1 : 0))
    .map(({ sample }) => sample);
}
