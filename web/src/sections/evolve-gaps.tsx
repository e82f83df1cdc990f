import { useCallback, useMemo, useState } from 'preact/hooks';
import type { EvolveMode, EvolveView } from '../../../src/report/evolve-payload.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { number, percent, plural } from '../format.ts';
import { Missing } from '../number.tsx';
import { type ShareRow, sharePlot } from '../share-plot.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

/** Above this many modes the rest is summed up in words; the table has them all. */
const DRAWN = 20;

interface GapRow {
  readonly mode: number;
  readonly mass: number | null;
  readonly before: number | null;
  readonly after: number | null;
  readonly missingBefore: boolean;
  /** Null where no later round has looked. */
  readonly missingAfter: boolean | null;
}

/** What of the population's episodes falls into each mode of people, before and after. */
export function EvolveGapsSection({ view }: { view: EvolveView }) {
  const { modes, rounds, space } = view;
  // 0 = the whole run, else a round's place from 1.
  const [at, setAt] = useState(0);
  const peopled = space?.people ?? modes.some(({ mass }) => mass !== null);
  const rows = useMemo(() => modes.map((mode) => gapRow(mode, at)), [modes, at]);
  const drawn = useMemo(() => rows.flatMap(drawnRow).slice(0, DRAWN), [rows]);
  const draw = useCallback((width: number) => sharePlot(drawn, { width }), [drawn]);
  const before = rows.filter(({ missingBefore }) => missingBefore);
  const after = rows.filter(({ missingAfter }) => missingAfter === true);
  const unknown = rows.every(({ missingAfter }) => missingAfter === null);
  return (
    <Section
      id="gaps"
      title="Gaps"
      lead={
        peopled
          ? 'A mode is one way of behaving. The commonest among people first: how much of what people do each holds, and how much of the population’s episodes fell there. A gap is a mode of people that nobody plays.'
          : 'A mode is one way of behaving; no people were given, so no mode is missing by their measure. The commonest before the first round come first.'
      }
    >
      {modes.length === 0 ? (
        <Missing>{rounds.length === 0 ? 'No round is over yet.' : 'No round names modes.'}</Missing>
      ) : (
        <FigureBlock
          legend={
            <>
              <span class="legend-item">
                <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
                  <circle cx="7" cy="7" r="4.6" fill="none" stroke="var(--muted)" stroke-width="2" />
                </svg>
                before
              </span>
              <LegendItem tone="simulator">after</LegendItem>
              {peopled && (
                <span class="legend-item">
                  <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
                    <path d="M7 0v14" stroke="var(--people)" stroke-width="3" />
                  </svg>
                  people
                </span>
              )}
            </>
          }
          table={
            <>
              <Table
                caption="Share of each mode, of the choice above"
                columns={COLUMNS}
                rows={rows}
                sortable
              />
              <EveryRound view={view} />
            </>
          }
        >
          <label class="select">
            <span>Compare</span>
            <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
              <option value={0}>
                before round {rounds[0]?.round} with after round {rounds.at(-1)?.round}
              </option>
              {rounds.length > 1 &&
                rounds.map(({ round }, place) => (
                  <option key={round} value={place + 1}>
                    before and after round {round}
                  </option>
                ))}
            </select>
          </label>
          <p class="evolve-gap-count">
            {peopled && (
              <>
                {plural(before.length, 'mode')} of {modes.length} missing before
                {massText(before)}
                {!unknown && (
                  <>
                    , {after.length} after
                    {massText(after)}
                  </>
                )}
                . Its shares fall short of people’s by {percent(shortfall(rows, 'before'))} in all
                {rows.some(({ after: share }) => share !== null) && (
                  <> before, {percent(shortfall(rows, 'after'))} after</>
                )}
                .
              </>
            )}
          </p>
          {drawn.length === 0 ? (
            <Missing>This round names no mode.</Missing>
          ) : (
            <Chart draw={draw} label={gapLabel(rows)} />
          )}
          {rows.length > drawn.length && (
            <p class="fine">
              {plural(rows.length - drawn.length, 'more mode')}
              {peopled &&
                ` with ${percent(rows.slice(drawn.length).reduce((sum, { mass }) => sum + (mass ?? 0), 0))} of people together`}
              ; the table has each.
            </p>
          )}
          {space?.people === false && (
            <p class="fine">Without people a gap is a mode with few episodes, not one that people show.</p>
          )}
        </FigureBlock>
      )}
    </Section>
  );
}

/**
 * Of a round: its own before and after. Of the whole run: before the first, and after the last that names an after;
 * where it proposed nothing, what it saw. Whether a mode is missing is known of what was looked at alone: after a
 * round, by the next one's look.
 */
function gapRow({ mode, mass, rounds }: EvolveMode, at: number): GapRow {
  const [first, last] = at === 0 ? [0, rounds.length - 1] : [at - 1, at - 1];
  const [begin, end] = [rounds[first], rounds[last]];
  const later = at === 0 ? (rounds.length > 1 ? rounds[last] : undefined) : rounds[last + 1];
  return {
    mode,
    mass,
    before: begin?.before ?? null,
    after: end?.after ?? (at === 0 && rounds.length > 1 ? (end?.before ?? null) : null),
    missingBefore: begin?.missing ?? false,
    missingAfter: later?.missing ?? null,
  };
}

/** What people do more often than the population, summed: 0 = alike, 1 = nothing in common. */
function shortfall(rows: readonly GapRow[], when: 'before' | 'after'): number {
  return rows.reduce((sum, row) => sum + Math.max(0, (row.mass ?? 0) - (row[when] ?? 0)), 0);
}

function drawnRow({ mode, mass, before, after, missingBefore, missingAfter }: GapRow): ShareRow[] {
  if (before === null) return [];
  const fate = missingBefore
    ? missingAfter === false
      ? ', was missing'
      : ', missing'
    : missingAfter === true
      ? ', missing now'
      : '';
  return [
    {
      label: `mode ${mode}${fate}`,
      before,
      kept: null,
      weighted: null,
      after,
      people: mass,
      marked: missingAfter ?? missingBefore,
    },
  ];
}

function massText(rows: readonly GapRow[]): string {
  const known = rows.filter(({ mass }) => mass !== null);
  if (known.length === 0) return '';
  return ` (${percent(known.reduce((sum, { mass }) => sum + mass!, 0))} of people)`;
}

const format = (value: number) => `${number(100 * value, 1)} %`;
const COLUMNS: readonly Column<GapRow>[] = [
  { id: 'mode', header: 'Mode', number: ({ mode }) => mode, format: (value) => String(value) },
  { id: 'mass', header: 'People', number: ({ mass }) => mass, format },
  { id: 'before', header: 'Before', number: ({ before }) => before, format },
  { id: 'after', header: 'After', number: ({ after }) => after, format },
  {
    id: 'missing',
    header: 'Missing before',
    text: ({ missingBefore }) => (missingBefore ? 'missing' : 'no'),
  },
  {
    id: 'missing-after',
    header: 'Missing after',
    hint: 'By the look of the next round, or of the last one for the whole run',
    text: ({ missingAfter }) => (missingAfter === null ? 'not looked at' : missingAfter ? 'missing' : 'no'),
  },
];

function gapLabel(rows: readonly GapRow[]): string {
  const parts = rows
    .filter(({ before }) => before !== null)
    .slice(0, 12)
    .map(
      ({ mode, mass, before, after }) =>
        `mode ${mode} from ${percent(before!)}${after === null ? '' : ` to ${percent(after)}`}${mass === null ? '' : `, people ${percent(mass)}`}`,
    );
  const left = rows.length - parts.length;
  return `Mode shares: ${parts.join('; ')}${left > 0 ? `; ${left} more in the table` : ''}`;
}

function EveryRound({ view }: { view: EvolveView }) {
  const { modes, rounds } = view;
  const columns = useMemo<readonly Column<EvolveMode>[]>(
    () => [
      { id: 'mode', header: 'Mode', node: ({ mode }) => String(mode) },
      { id: 'mass', header: 'People', number: ({ mass }) => mass, format },
      ...rounds.flatMap(({ round }, at): Column<EvolveMode>[] => [
        {
          id: `b${at}`,
          header: `${round} before`,
          node: ({ rounds: own }) => cell(own[at]?.before ?? null, own[at]?.missing === true),
        },
        {
          id: `a${at}`,
          header: `${round} after`,
          node: ({ rounds: own }) => cell(own[at]?.after ?? null, false),
        },
      ]),
    ],
    [rounds],
  );
  return (
    <Table
      caption="Share of each mode before and after each round (∅: missing; –: not named, or nothing was proposed)"
      columns={columns}
      rows={modes}
    />
  );
}

function cell(share: number | null, missing: boolean) {
  return (
    <span class="value">
      {share === null ? '–' : format(share)}
      {missing && <abbr title="missing"> ∅</abbr>}
    </span>
  );
}
