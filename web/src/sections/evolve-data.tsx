import { useMemo } from 'preact/hooks';
import type { EvolveRound, EvolveView } from '../../../src/report/evolve-payload.ts';
import { FigureBlock } from '../chart.tsx';
import { percent, setting } from '../format.ts';
import { Long, Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface PlanRow {
  readonly round: EvolveRound;
  /** What differs from the round before. */
  readonly moved: readonly string[];
}

const COLUMNS: readonly Column<PlanRow>[] = [
  { id: 'round', header: 'Round', node: ({ round }) => String(round.round) },
  { id: 'gate', header: 'Gate', text: ({ round }) => (round.data.gate ? 'on' : 'off') },
  {
    id: 'alpha',
    header: 'Weights, α',
    node: ({ round }) => weightsText(round),
  },
  {
    id: 'lambda',
    header: 'Consistency, λ',
    node: ({ round }) => (round.data.consistency === null ? 'off' : setting(round.data.consistency.lambda)),
  },
  {
    id: 'synthesis',
    header: 'Share of synthesis',
    number: ({ round }) => round.synthesisShare,
    format: percent,
  },
  { id: 'moved', header: 'Moved', text: ({ moved }) => moved.join(', ') || '–' },
  {
    id: 'notes',
    header: 'By which rule',
    node: ({ round }) =>
      round.dataNotes.length === 0 ? (
        '–'
      ) : (
        <ul>
          {round.dataNotes.map((note, at) => (
            <li key={at}>
              <Long>{note}</Long>
            </li>
          ))}
        </ul>
      ),
  },
];

/** How the rounds turned episodes into training data, and which rule moved what. */
export function EvolveDataSection({ view }: { view: EvolveView }) {
  const rows = useMemo(() => planRows(view.rounds), [view]);
  const changed = rows.filter(({ moved, round }) => moved.length > 0 || round.dataNotes.length > 0);
  return (
    <Section
      id="plan"
      title="Data plan"
      lead="Whether episodes off people’s support are dropped (gate), how strongly weights pull crowded ways of behaving down (α), how strongly members whose gain runs ahead are held back (λ), and what share of groups synthesis may fill."
    >
      {rows.length === 0 ? (
        <Missing>No round is over yet.</Missing>
      ) : (
        <FigureBlock table={<Table caption="The data plan by round" columns={COLUMNS} rows={rows} />}>
          {changed.length === 0 ? (
            <p class="fine">Nothing was moved: every round had the plan of the first.</p>
          ) : (
            <ol class="evolve-moves" aria-label="Rounds whose plan moved or was explained">
              {changed.slice(0, SHOWN).map((row) => (
                <Move key={row.round.round} row={row} />
              ))}
            </ol>
          )}
          {changed.length > SHOWN && (
            <p class="fine">
              The first {SHOWN} of {changed.length}; the table has each.
            </p>
          )}
        </FigureBlock>
      )}
    </Section>
  );
}

const SHOWN = 10;

function Move({ row: { round, moved } }: { row: PlanRow }) {
  return (
    <li>
      <p>
        <b>Round {round.round}</b>{' '}
        {moved.length === 0 ? <span class="fine">nothing moved</span> : moved.join(', ')}
      </p>
      <ul class="evolve-notes">
        {round.dataNotes.map((note, at) => (
          <li key={at}>
            <Long>{note}</Long>
          </li>
        ))}
      </ul>
    </li>
  );
}

function weightsText({ data: { weights } }: Pick<EvolveRound, 'data'>): string {
  return weights === null ? 'off' : setting(weights.alpha);
}

function planRows(rounds: readonly EvolveRound[]): PlanRow[] {
  return rounds.map((round, at) => {
    const before = rounds[at - 1];
    if (before === undefined) return { round, moved: [] };
    const words = wordsOf(round);
    const old = wordsOf(before);
    const moved = words.flatMap(([what, now], place) =>
      old[place]![1] === now ? [] : [`${what} ${old[place]![1]} → ${now}`],
    );
    return { round, moved };
  });
}

function wordsOf({ data, synthesisShare }: EvolveRound): readonly (readonly [string, string])[] {
  return [
    ['gate', data.gate ? 'on' : 'off'],
    ['α', weightsText({ data })],
    ['λ', data.consistency === null ? 'off' : setting(data.consistency.lambda)],
    ['synthesis', percent(synthesisShare)],
  ];
}
