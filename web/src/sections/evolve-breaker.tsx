import { useMemo, useState } from 'preact/hooks';
import type { EvolveRound, EvolveView } from '../../../src/report/evolve-payload.ts';
import { breakerSentence, stretchesOf } from '../../../src/report/evolve-standing.ts';
import { LEVELS, LevelTag } from '../breaker-level.tsx';
import { FigureBlock } from '../chart.tsx';
import { count, figureText } from '../format.ts';
import { Long, Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { LEVEL_LETTERS } from './evolve-round-plot.ts';

const COLUMNS: readonly Column<EvolveRound>[] = [
  { id: 'round', header: 'Round', node: ({ round }) => String(round) },
  { id: 'before', header: 'Before', node: ({ breaker }) => <LevelTag level={breaker.before} /> },
  { id: 'after', header: 'After', node: ({ breaker }) => <LevelTag level={breaker.after} /> },
  { id: 'training', header: 'Training', text: ({ breaker }) => breaker.training },
  { id: 'scd2', header: 'SCD2', figure: ({ look }) => look.scd2 },
  { id: 'psod', header: 'PSOD, rise', figure: ({ look }) => look.psodRise },
  {
    id: 'notes',
    header: 'Notes',
    node: ({ breaker }) => <span dir="auto">{breaker.notes.join('; ') || '–'}</span>,
  },
];
/** Events before the reader asks for more. */
const SHOWN = 12;

/** Which level the breaker took in each round, and on what evidence. */
export function EvolveBreakerSection({ view }: { view: EvolveView }) {
  const { rounds } = view;
  const [all, setAll] = useState(false);
  const events = useMemo(
    () =>
      rounds.filter(
        ({ breaker, diagnosis }) =>
          breaker.before !== breaker.after || breaker.notes.length > 0 || diagnosis.length > 0,
      ),
    [rounds],
  );
  const shown = all ? events : events.slice(0, SHOWN);
  return (
    <Section
      id="breaker"
      title="Breaker"
      lead="Yellow raises the share of synthesis; red stops training until the population is re-diversified and a half-open probe passes. Notes are its evidence, in the order of rounds."
    >
      {rounds.length === 0 ? (
        <Missing>The breaker has not looked yet.</Missing>
      ) : (
        <FigureBlock table={<Table caption="The breaker by round" columns={COLUMNS} rows={rounds} />}>
          <Strip view={view} />
          {events.length === 0 ? (
            <p class="fine">No look changed the level or had anything to say.</p>
          ) : (
            <ol class="evolve-events" aria-label="What the breaker saw, by round">
              {shown.map((round) => (
                <Event key={round.round} round={round} />
              ))}
            </ol>
          )}
          {events.length > SHOWN && (
            <button type="button" class="button" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? `Show the first ${SHOWN} only` : `Show all ${count(events.length)}`}
            </button>
          )}
        </FigureBlock>
      )}
    </Section>
  );
}

const HEIGHTS = { green: 6, yellow: 11, 'half-open': 16, red: 21 } as const;

/** One block a round, as high as its level; a bar below where training was paused. */
function Strip({ view }: { view: EvolveView }) {
  const { rounds } = view;
  const levels = new Set(rounds.map(({ breaker }) => breaker.after));
  const step = 100 / rounds.length;
  return (
    <>
      <div class="legend">
        {LEVELS.filter((level) => levels.has(level)).map((level) => (
          <span class="legend-item" key={level}>
            <span class={`evolve-band at-${level}`} aria-hidden="true">
              {LEVEL_LETTERS[level]}
            </span>
            <LevelTag level={level} />
          </span>
        ))}
        {rounds.some(({ breaker }) => breaker.training === 'paused') && (
          <span class="legend-item">
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
              <path d="M1 7h12" stroke="var(--ink)" stroke-width="3" />
            </svg>
            training paused
          </span>
        )}
      </div>
      <svg
        class="evolve-strip"
        viewBox="0 0 100 28"
        preserveAspectRatio="none"
        role="img"
        aria-label={breakerSentence(rounds)}
      >
        {rounds.map(({ round, breaker }, at) => (
          <g key={round}>
            <rect
              x={at * step + 0.06 * step}
              width={0.88 * step}
              y={22 - HEIGHTS[breaker.after]}
              height={HEIGHTS[breaker.after]}
              fill={`var(--level-${breaker.after})`}
            >
              <title>{`round ${round}: ${breaker.after}`}</title>
            </rect>
            {breaker.training === 'paused' && (
              <rect x={at * step} width={step} y={24} height={3} fill="var(--ink)" />
            )}
          </g>
        ))}
      </svg>
      <ol class="evolve-strip-rounds" aria-label="Levels">
        {stretchesOf(rounds).map(({ level, from, to }) => (
          <li key={from}>
            {from === to ? `round ${from}` : `rounds ${from}–${to}`} <LevelTag level={level} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Event({ round: { round, breaker, diagnosis, look } }: { round: EvolveRound }) {
  const { before, after, training, notes } = breaker;
  return (
    <li class={`evolve-event at-${after}`}>
      <p class="evolve-event-what">
        <b>Round {round}</b>{' '}
        {before !== after && (
          <>
            <LevelTag level={before} /> <span aria-hidden="true">→</span>
            <span class="unseen"> to </span>{' '}
          </>
        )}
        <LevelTag level={after} />
        {training === 'paused' && <span class="fine"> training paused</span>}
      </p>
      <ul class="evolve-notes">
        {[...notes, ...diagnosis].map((note, at) => (
          <li key={at}>
            <Long>{note}</Long>
          </li>
        ))}
      </ul>
      <p class="fine">
        SCD2 {figureText(look.scd2)}; PSOD, rise {figureText(look.psodRise)}
      </p>
    </li>
  );
}
