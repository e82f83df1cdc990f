import { useCallback, useMemo } from 'preact/hooks';
import { type Figure, missing } from '../../../src/metrics/figure.ts';
import type { EvolveRound } from '../../../src/report/evolve-payload.ts';
import { stretchesOf } from '../../../src/report/evolve-standing.ts';
import { LEVELS, LevelTag } from '../breaker-level.tsx';
import { Chart } from '../chart.tsx';
import { figureText } from '../format.ts';
import { Missing } from '../number.tsx';
import {
  LEVEL_LETTERS,
  type RoundBar,
  type RoundMark,
  type RoundPoint,
  type RoundSeries,
  roundPlot,
} from './evolve-round-plot.ts';

export interface NamedSeries extends RoundSeries {
  readonly name: string;
}

/** One drawing of figures over rounds with its words, or why there is none. */
export function RoundChart({
  title,
  asks,
  rounds,
  series,
  bars,
  range,
  chosen = null,
  decided = true,
}: {
  title: string;
  asks?: string;
  rounds: readonly EvolveRound[];
  series: readonly NamedSeries[];
  bars?: readonly RoundBar[];
  range: readonly [number, number];
  chosen?: number | null;
  /** Whether it is marked which populations were accepted. */
  decided?: boolean;
}) {
  const shown = useMemo(
    () => series.filter(({ points }) => points.some(({ figure }) => figure.value !== null)),
    [series],
  );
  const draw = useCallback(
    (width: number) =>
      roundPlot(
        {
          series: shown,
          rounds: [rounds[0]?.round ?? 0, rounds.at(-1)?.round ?? 0],
          range,
          chosen,
          ...(bars === undefined ? {} : { bars }),
          stretches: stretchesOf(rounds),
          marks: decided ? marksOf(rounds) : [],
        },
        width,
      ),
    [shown, rounds, bars, range, chosen, decided],
  );
  return (
    <div class="multiple">
      <h4>{title}</h4>
      {asks !== undefined && <p class="fine">{asks}</p>}
      {shown.length === 0 ? (
        <Missing>Not measured: {reasonsOf(series)}.</Missing>
      ) : (
        <Chart draw={draw} label={`${title}: ${shown.map(courseText).join('; ')}${barsText(bars)}`} />
      )}
    </div>
  );
}

/** @param without why a round may have none: a gap in the line. */
export function pointsOf(
  rounds: readonly EvolveRound[],
  of: (round: EvolveRound) => Figure | null,
  without: string,
): RoundPoint[] {
  return rounds.map((round) => ({ round: round.round, figure: of(round) ?? missing(without) }));
}

/** More stand on one another, and the last of them would speak for all; the table has every one. */
const MOST_MARKED = 150;

function marksOf(rounds: readonly EvolveRound[]): RoundMark[] {
  if (rounds.length > MOST_MARKED) return [];
  return rounds.flatMap(({ round, acceptance }) =>
    acceptance === null ? [] : [{ round, kind: acceptance.accepted ? 'accepted' : 'rolled back' }],
  );
}

function reasonsOf(series: readonly NamedSeries[]): string {
  const reasons = new Set(
    series.flatMap(({ points }) => points.map(({ figure }) => figure.reason ?? 'no reason given')),
  );
  return reasons.size === 0 ? 'no round has it' : [...reasons].slice(0, 3).join('; ');
}

function courseText({ name, points }: NamedSeries): string {
  const known = points.filter(({ figure }) => figure.value !== null);
  const [first, last] = [known[0]!, known.at(-1)!];
  return `${name} from ${figureText(first.figure)} in round ${first.round} to ${figureText(last.figure)} in round ${last.round}`;
}

function barsText(bars: readonly RoundBar[] | undefined): string {
  return bars === undefined || bars.length === 0 ? '' : `; ${bars.map(({ label }) => label).join(', ')}`;
}

/** What the band, the letters and the marks of these drawings mean. */
export function RoundLegend({
  rounds,
  decided = true,
}: {
  rounds: readonly EvolveRound[];
  decided?: boolean;
}) {
  const levels = new Set(rounds.map(({ breaker }) => breaker.after));
  const found = new Set(marksOf(rounds).map(({ kind }) => kind));
  return (
    <>
      {LEVELS.filter((level) => level !== 'green' && levels.has(level)).map((level) => (
        <span class="legend-item" key={level}>
          <span class={`evolve-band at-${level}`} aria-hidden="true">
            {LEVEL_LETTERS[level]}
          </span>
          <LevelTag level={level} />
        </span>
      ))}
      {decided && found.has('accepted') && (
        <span class="legend-item">
          <svg class="evolve-accepted" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <path d="M7 2 12 11.5H2z" fill="currentColor" />
          </svg>
          population accepted
        </span>
      )}
      {decided && found.has('rolled back') && (
        <span class="legend-item">
          <svg class="evolve-refused" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <path d="M3 3l8 8m0-8l-8 8" stroke="currentColor" stroke-width="2" />
          </svg>
          rolled back
        </span>
      )}
    </>
  );
}
