import type { Random } from '../../math/random.ts';
import { type Figure, meanFigure, pairCollapse, pooledCollapse } from '../../metrics/index.ts';
import { atLevel, bounds, CHECK_LEVEL, type Check, checkOf, digits } from './check-result.ts';
import {
  drawTallies,
  type EpisodePlan,
  type ExactCollapse,
  exactCollapse,
  geometricLaws,
  type ModeLaws,
} from './mode-laws.ts';
import { coverageCheck } from './repetitions.ts';

const K = 12;
const MEMBERS = 4;
const PLAN: EpisodePlan = { contexts: 60, perContext: 1, members: 'crossed', habit: 0 };
const LARGE: EpisodePlan = { ...PLAN, contexts: 480 };
const LARGE_SETS = 200;

/** Populations whose collapse is known. */
export const PLANTED: readonly { readonly id: string; readonly what: string; readonly laws: ModeLaws }[] = [
  { id: 'uniform', what: 'equal modes', laws: many(() => new Float64Array(K).fill(1 / K)) },
  { id: 'one-mode', what: 'one mode', laws: many(() => only(0)) },
  {
    id: 'disjoint',
    what: 'as many single modes as simulators',
    laws: Array.from({ length: K }, (_, i) => only(i)),
  },
  ...[1, 2, 4, 8].map((gamma) => ({
    id: `geometric-${gamma}`,
    what: `geometric shares raised to ${gamma}`,
    laws: geometricLaws(MEMBERS, K, gamma),
  })),
];

function many(law: () => Float64Array): Float64Array[] {
  return Array.from({ length: MEMBERS }, law);
}

function only(mode: number): Float64Array {
  return Float64Array.from({ length: K }, (_, one) => (one === mode ? 1 : 0));
}

type Name = keyof ExactCollapse;
const TITLES: Readonly<Record<Name, string>> = {
  pooled: 'SCD pooled',
  pooled2: 'SCD2',
  within: 'mean entropy of a simulator',
  between: 'divergence of the simulators',
  within2: 'log(1 / c_within)',
  alike2: 'log(c_within / c_mix)',
};

/**
 * The first data set's figures and the coverage of all. The split by entropy has no interval: its mean over larger
 * data sets is held against the truth, and over data sets like the others its bias is shown. `laws`: what is drawn;
 * `exact`: what it is held against.
 */
export function plantedCollapse(
  { id, what, laws }: (typeof PLANTED)[number],
  dataSets: number,
  random: Random,
  exact: ExactCollapse = exactCollapse(laws),
): Check[] {
  const small = figuresOf(laws, PLAN, dataSets, random.fork('data'));
  const large = figuresOf(laws, LARGE, Math.min(LARGE_SETS, dataSets), random.fork('large'));
  return (Object.keys(TITLES) as Name[]).flatMap((name) => {
    const title = `${TITLES[name]} of ${what}`;
    const average = averageOf(small, name);
    if (name === 'within' || name === 'between')
      return [
        checkOf({
          id: `scd.${id}.${name}`,
          statement: `${title}, mean of data sets of ${LARGE.contexts} contexts`,
          claim: 'equal',
          exact: exact[name],
          estimate: atLevel(averageOf(large, name), CHECK_LEVEL),
          note: 'a point value: the interval is that of the mean',
        }),
        checkOf({
          id: `scd.${id}.${name}.bias`,
          statement: `${title}, mean of data sets of ${PLAN.contexts} contexts less the truth`,
          claim: 'none',
          exact: null,
          estimate: shifted(atLevel(average, CHECK_LEVEL), -exact[name]),
          note: 'the correction leaves what falls with the square of the sample size',
        }),
      ];
    const first = small[0]![name];
    return [
      checkOf({
        id: `scd.${id}.${name}`,
        statement: title,
        claim: 'equal',
        exact: exact[name],
        estimate: atLevel(first, CHECK_LEVEL),
        note: `95 % interval ${bounds(first)}`,
      }),
      coverageCheck(
        `scd.${id}.${name}.coverage`,
        title,
        small.map((figures) => figures[name]),
        exact[name],
        `mean ${digits(average.value!)} ${bounds(average)}, truth ${digits(exact[name])}`,
      ),
    ];
  });
}

function figuresOf(
  laws: ModeLaws,
  plan: EpisodePlan,
  dataSets: number,
  random: Random,
): Record<Name, Figure>[] {
  return Array.from({ length: dataSets }, (_, d) => {
    const tallies = drawTallies(laws, plan, random.fork(String(d)));
    const { pooled, within, between } = pooledCollapse(tallies);
    const pairs = pairCollapse(tallies);
    return { pooled, pooled2: pairs.pooled2, within, between, within2: pairs.within, alike2: pairs.alike };
  });
}

function averageOf(sets: readonly Record<Name, Figure>[], name: Name): Figure {
  const values = sets.map((figures) => figures[name].value).filter((value) => value !== null);
  const options = { n: values.length, name: 't over data sets', undefinedReason: 'no value' } as const;
  return meanFigure(values, { ...options, unitNoun: 'episode' });
}

function shifted(figure: Figure, by: number): Figure {
  const move = (x: number | null) => (x === null ? null : x + by);
  return { ...figure, value: move(figure.value), low: move(figure.low), high: move(figure.high) };
}
