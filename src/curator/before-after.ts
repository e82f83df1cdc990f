import { MOST_OUTSIDE, type Samples, samplesOf, shareOutside } from '../audit/samples.ts';
import type { BeforeAfter, ChangedFigure, SearchResult } from '../curation/manifest.ts';
import {
  behaviouralDiversity,
  behaviouralMass,
  diversityDifference,
  type EqualSize,
  equalSize,
  type Figure,
  massDifference,
  mergeTallies,
  missing,
  pairCollapse,
  populationDifference,
  realism,
  realismDifference,
  type Tally,
} from '../metrics/index.ts';
import { type BehaviourSpace, type Control, compareRuns, type Profile } from '../space/index.ts';

export interface Changed {
  readonly g0: EqualSize | null;
  readonly scd2: ChangedFigure;
  readonly bdi: ChangedFigure;
  readonly mass: ChangedFigure;
  readonly realism: ChangedFigure;
  readonly hasPeople: boolean;
}

/** SCD2 may rise, or BDI fall, by this much while the other improves. */
const ALLOWED = 0.05;

/**
 * Data before and after a curation, in one view and at one size (g0 of both and of the ceiling people): every figure
 * with the jackknife interval of its difference, units of both leaving both at once.
 */
export function changed(
  before: Profile,
  after: Profile,
  space: BehaviourSpace,
  control: Control,
): { readonly figures: Changed; readonly samples: readonly [Samples, Samples] } {
  const [a, b] = compareRuns([before, after], space, { control }).map((view) => samplesOf(view, space)) as [
    Samples,
    Samples,
  ];
  const { interval, people, hasRadius } = a;
  const [first, second] = [a, b].map(({ simulators }) => tallies(simulators)) as [Tally[], Tally[]];
  const [x, y] = [mergeTallies(first), mergeTallies(second)];
  const ceiling = people?.ceiling.tally ?? null;
  const reference = people?.mass.tally ?? null;
  const g0 = equalSize([x, y, ...(ceiling === null ? [] : [ceiling])]);
  const outside = [first, second].some((list) => shareOutside(list) > MOST_OUTSIDE);
  const scd2 = (list: readonly Tally[]): Figure =>
    shareOutside(list) > MOST_OUTSIDE ? missing('off support') : pairCollapse(list, interval).pooled2;
  const none = missing('no human reference, so there is no absolute coverage', x.n);
  const bdi = (tally: Tally): Figure =>
    ceiling === null || reference === null
      ? none
      : behaviouralDiversity(tally, ceiling, reference, g0, interval);
  const inside = (tally: Tally): Figure =>
    hasRadius ? realism(tally, interval) : missing('no rows were held out of the fit: there is no radius');
  const figures: Changed = {
    g0,
    scd2: {
      before: scd2(first),
      after: scd2(second),
      difference: outside ? missing('off support') : populationDifference(second, first, interval).pooled2,
    },
    bdi: {
      before: bdi(x),
      after: bdi(y),
      difference:
        ceiling === null || reference === null
          ? none
          : diversityDifference(y, x, ceiling, reference, g0, interval),
    },
    mass: {
      before: behaviouralMass(x, reference, g0, interval),
      after: behaviouralMass(y, reference, g0, interval),
      difference: massDifference(y, x, reference, g0, interval),
    },
    realism: {
      before: inside(x),
      after: inside(y),
      difference: hasRadius ? realismDifference(y, x, interval) : inside(y),
    },
    hasPeople: people !== null,
  };
  return { figures, samples: [a, b] };
}

function tallies(simulators: readonly { readonly tally: Tally }[]): Tally[] {
  return simulators.map(({ tally }) => tally).filter(({ n }) => n > 0);
}

/**
 * Curation should raise coverage (BDI; without people the share of modes covered) with SCD2 up by 0.05 at most, or
 * lower SCD2 with coverage down by 0.05 at most, and not lower realism. `improved`: it did, and the interval of one of
 * the two differences leaves 0 out. `unchanged`: it did by its values alone, or nothing moved. Else `limited-by-data`,
 * until a search finds a better subset. `not-judged`: one of the two is missing.
 */
export function verdictOf(figures: Changed): BeforeAfter['verdict'] {
  const scd2 = figures.scd2.difference;
  const cover = (figures.hasPeople ? figures.bdi : figures.mass).difference;
  // A figure that is missing has not stayed the same.
  if (scd2.value === null || cover.value === null) return 'not-judged';
  const [collapse, coverage] = [scd2.value, cover.value];
  if (collapse === 0 && coverage === 0) return 'unchanged';
  const gained = (coverage > 0 && collapse <= ALLOWED) || (collapse < 0 && coverage >= -ALLOWED);
  if (!gained || isBelow(figures.realism.difference)) return 'limited-by-data';
  return isBelow(scd2) || isAbove(cover) ? 'improved' : 'unchanged';
}

function isBelow({ value, high }: Figure): boolean {
  return value !== null && high !== null && high < 0;
}

function isAbove({ value, low }: Figure): boolean {
  return value !== null && low !== null && low > 0;
}

/** One sentence for the first screen. */
export function headlineOf(
  figures: Changed,
  verdict: BeforeAfter['verdict'],
  rows: { readonly read: number; readonly kept: number; readonly after: number },
  search: SearchResult | null,
): string {
  const kept = `${rows.kept.toLocaleString('en')} of ${rows.read.toLocaleString('en')} episodes pass the gate`;
  const cover = figures.hasPeople ? figures.bdi : figures.mass;
  const name = figures.hasPeople ? 'BDI' : 'modes covered';
  const parts = [moved('SCD2', figures.scd2), moved(name, cover)].filter((part) => part !== null);
  if (verdict === 'not-judged' || parts.length === 0)
    return `${[kept, ...parts].join('; ')}; before and after cannot be judged: ${reasonOf(figures.scd2) ?? reasonOf(cover) ?? 'too little data'}`;
  const told = parts.join(', ');
  if (verdict === 'improved') return `${kept}; ${told}`;
  if (verdict === 'unchanged') return `${kept}; no gain is shown: ${told}`;
  const best =
    search === null
      ? ''
      : search.evaluations === 1
        ? '; all rows that passed the gate are kept, no other subset of them has that size'
        : `; the best of ${search.evaluations.toLocaleString('en')} other subsets of that size: SCD2 ${shown(search.bestScd2.scd2)}, ${name} ${shown(search.bestBdi.bdi)}`;
  return `${kept}; no gain: ${told}${best}`;
}

function reasonOf({ before, after, difference }: ChangedFigure): string | undefined {
  return before.reason ?? after.reason ?? difference.reason;
}

/** A direction is claimed only where the interval of the difference leaves 0 out; the numbers stand beside. */
function moved(name: string, { before, after, difference }: ChangedFigure): string | null {
  if (before.value === null || after.value === null || difference.value === null) return null;
  const span = `from ${shown(before.value)} to ${shown(after.value)}`;
  if (isBelow(difference)) return `${name} falls ${span}`;
  if (isAbove(difference)) return `${name} rises ${span}`;
  return `${name} ${shown(before.value)} before and ${shown(after.value)} after (no change shown)`;
}

function shown(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}
