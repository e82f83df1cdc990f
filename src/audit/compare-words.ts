import { type Figure, holmFamily } from '../metrics/index.ts';
import type { Change, ComparedFigure, ComparedSimulator, Comparison } from './compare-data.ts';

/** Label, and which way is better, of every compared figure. */
export const LABELS = {
  'scd.pooled2': ['SCD2, collapse of the population', 'lower'],
  'scd.pooled': ['SCD (entropy)', 'lower'],
  'scd.pooled2Within': ['SCD2 part: breadth of each', 'higher'],
  'scd.pooled2Alike': ['SCD2 part: difference among them', 'higher'],
  'scd.conditional': ['Collapse at a visited history', 'lower'],
  'bdi.headline': ["BDI, share of people's diversity", 'higher'],
  'bdi.mass': ['BDI mass', 'higher'],
  'bdi.covered': ['Modes covered, of all modes', 'higher'],
  'bdi.realism': ['Realism (rows inside the support)', 'higher'],
  'psod.value': ['PSOD, seen minus held-out reward', 'lower'],
  'psod.rise': ['PSOD rise over the base checkpoint', 'lower'],
  'epsilon.member': ['Per-turn collapse error (member)', 'none'],
  'health.zeroVariance': ['Groups without reward variance', 'lower'],
  mci: ['MCI', 'lower'],
  spread: ['Spread', 'higher'],
  bdi: ['BDI mass', 'higher'],
  outside: ['Outside', 'lower'],
} as const satisfies Record<string, readonly [string, ComparedFigure['better']]>;

export type FigureKey = keyof typeof LABELS;

/** A compared figure before its family is judged. */
export interface Pair {
  readonly key: FigureKey;
  readonly a: Figure;
  readonly b: Figure;
  readonly difference: Figure;
}

const LEVEL = 0.05;

/** Puts each difference of one family into words: Holm over those that have an interval. */
export function inWords(family: readonly Pair[]): ComparedFigure[] {
  const adjusted = holmFamily(family.map(({ difference }) => difference));
  return family.map(({ key, a, b, difference }, at) => {
    const [label, better] = LABELS[key];
    const holm = adjusted[at]!;
    return { key, label, a, b, difference, better, holm, change: changeOf(difference, holm) };
  });
}

function changeOf({ value }: Figure, holm: number | null): Change {
  if (value === null || holm === null) return 'not tested';
  if (holm >= LEVEL || value === 0) return 'no difference shown';
  return value > 0 ? 'higher' : 'lower';
}

type Population = Pick<Comparison, 'scd' | 'psod' | 'epsilon' | 'health'> & {
  readonly bdi: Omit<Comparison['bdi'], 'relative' | 'g0'>;
};

/** The figures of the populations, one family. Every key but those of single simulators must be there. */
export function populationFigures(pairs: readonly Pair[]): Population {
  const figures = new Map(inWords(pairs).map((figure) => [figure.key, figure]));
  const of = (key: FigureKey): ComparedFigure => figures.get(key)!;
  return {
    scd: {
      pooled2: of('scd.pooled2'),
      pooled: of('scd.pooled'),
      pooled2Within: of('scd.pooled2Within'),
      pooled2Alike: of('scd.pooled2Alike'),
      conditional: of('scd.conditional'),
    },
    bdi: {
      headline: of('bdi.headline'),
      mass: of('bdi.mass'),
      covered: of('bdi.covered'),
      realism: of('bdi.realism'),
    },
    psod: { value: of('psod.value'), rise: of('psod.rise') },
    epsilon: { member: of('epsilon.member') },
    health: { zeroVariance: of('health.zeroVariance') },
  };
}

const MEASURES = ['mci', 'spread', 'bdi', 'outside'] as const;

/** Four figures of every simulator, all of them one family. */
export function simulatorFigures(
  simulators: readonly ({ readonly id: string } & Readonly<
    Record<(typeof MEASURES)[number], Omit<Pair, 'key'>>
  >)[],
): ComparedSimulator[] {
  const figures = inWords(
    simulators.flatMap((simulator) => MEASURES.map((key) => ({ key, ...simulator[key] }))),
  );
  return simulators.map(({ id }, at) => {
    const [mci, spread, bdi, outside] = figures.slice(at * MEASURES.length, (at + 1) * MEASURES.length);
    return { id, mci: mci!, spread: spread!, bdi: bdi!, outside: outside! };
  });
}

/** One sentence: what differs, which way, and else how small a change could have been seen. */
export function comparisonHeadline(
  figures: readonly ComparedFigure[],
  labels: { readonly a: string; readonly b: string },
): string {
  const tested = figures.filter(({ change }) => change !== 'not tested');
  if (tested.length === 0)
    return `No figure of ${labels.a} and ${labels.b} could be tested for a difference.`;
  const changed = tested.filter(({ change }) => change !== 'no difference shown');
  if (changed.length === 0) {
    const headline = tested.find(({ key }) => key === 'scd.pooled2') ?? tested[0]!;
    const { detectable } = headline.difference;
    const power =
      detectable === undefined || detectable === 0
        ? ''
        : `; ${nameOf(headline)} could have shown a change of ${detectable.toFixed(2)} (80 % power)`;
    return `No difference shown between ${labels.a} and ${labels.b} in ${tested.length} figures${power}.`;
  }
  const worst = (figure: ComparedFigure) => (figure.better === 'none' ? 2 : isBetter(figure) ? 1 : 0);
  const parts = [...changed]
    .sort((x, y) => worst(x) - worst(y))
    .map((figure) => {
      const judged = figure.better === 'none' ? '' : isBetter(figure) ? ' (better)' : ' (worse)';
      return `${nameOf(figure)} ${figure.change}${judged}`;
    });
  const rest = tested.length - changed.length;
  return `${labels.b} differs from ${labels.a}: ${parts.join(', ')}${rest === 0 ? '' : `; no difference shown in ${rest} more`}.`;
}

function isBetter({ change, better }: ComparedFigure): boolean {
  return change === better;
}

function nameOf({ label }: ComparedFigure): string {
  return label.split(/,| \(/)[0]!;
}
