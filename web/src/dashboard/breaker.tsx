import { useMemo, useState } from 'preact/hooks';
import type { BreakerLevel } from '../../../src/diagnosis/breaker.ts';
import type { GateView, LooksView } from '../../../src/gateway/api/control.ts';
import type { Look } from '../../../src/gateway/live/live.ts';
import { LevelTag } from '../breaker-level.tsx';
import { count, figureText, plural } from '../format.ts';
import { Long, Missing, Name } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import type { Api } from './api.ts';
import { OperatorButtons } from './operator.tsx';
import { ago, moment } from './time.ts';

interface Event {
  readonly at: number;
  readonly level: BreakerLevel;
  /** Null where the level stayed. */
  readonly from: BreakerLevel | null;
  readonly notes: readonly string[];
  /** Null where an operator, a lapse or a time limit moved it. */
  readonly look: Look | null;
}

const SHOWN = 12;

/** What the breaker did and why, and the buttons of an operator. */
export function BreakerSection({
  gate,
  looks,
  now,
  api,
  onDone,
}: {
  gate: GateView | null;
  looks: LooksView | null;
  now: number;
  api: Api;
  onDone: () => void;
}) {
  const [all, setAll] = useState(false);
  const found = useMemo(() => eventsOf(looks), [looks]);
  const { events, unjudged, unpanelled } = found;
  const shown = all ? events : events.slice(0, SHOWN);
  return (
    <Section
      id="breaker"
      title="Breaker"
      lead="What changed the level, or has something to say. An operator's level stands above the rules until it lapses or is released."
    >
      <OperatorButtons gate={gate} api={api} onDone={onDone} />
      {gate?.override != null && (
        <p class={`notice at-${gate.override.level}`}>
          <LevelTag level={gate.override.level} /> set by <Name>{gate.override.by}</Name>,{' '}
          {gate.override.until === null
            ? 'until released'
            : `until ${moment(Date.parse(gate.override.until))}`}
          : <Long>{gate.override.reason}</Long>
        </p>
      )}
      {events.length === 0 ? (
        <Missing>
          {looks === null || looks.looks.length === 0
            ? 'No look yet.'
            : `${plural(looks.looks.length, 'look')}, and none changed the level.`}
        </Missing>
      ) : (
        <ol class="timeline" aria-label="Events of the breaker, newest first">
          {shown.map((event) => (
            <Item key={`${event.at} ${event.look?.epoch} ${event.notes[0]}`} event={event} now={now} />
          ))}
        </ol>
      )}
      {events.length > SHOWN && (
        <button type="button" class="button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show the newest only' : `Show all ${count(events.length)} events`}
        </button>
      )}
      {unjudged.length > 0 && (
        <details class="as-table">
          <summary>{plural(unjudged.length, 'look')} could not judge</summary>
          <Table caption="Looks without a figure to judge, newest first" columns={UNJUDGED} rows={unjudged} />
        </details>
      )}
      {unpanelled.length > 0 && (
        <details class="as-table">
          <summary>{plural(unpanelled.length, 'look')} judged SCD2 without PSOD</summary>
          <Table caption="Looks without PSOD, newest first" columns={UNJUDGED} rows={unpanelled} />
        </details>
      )}
    </Section>
  );
}

const UNJUDGED: readonly Column<Look>[] = [
  { id: 'epoch', header: 'Epoch', node: ({ epoch }) => epoch },
  { id: 'why', header: 'Why', node: ({ notes }) => <span dir="auto">{notes.join('; ')}</span> },
  { id: 'at', header: 'When', node: ({ at }) => <span class="value">{moment(at)}</span> },
];

function Item({ event, now }: { event: Event; now: number }) {
  const { look, from, level, at, notes } = event;
  return (
    <li class={`event at-${level}`}>
      <p class="event-what">
        {from !== null && (
          <>
            <LevelTag level={from} /> <span aria-hidden="true">→</span>
            <span class="unseen"> to </span>{' '}
          </>
        )}
        <LevelTag level={level} />
        <span class="fine">
          {look === null ? 'set' : `${look.probe === true ? 'probe round, ' : ''}epoch ${look.epoch}`},{' '}
          <time dateTime={iso(at)}>{moment(at)}</time> ({ago(at, now)})
        </span>
      </p>
      <ul class="reasons">
        {notes.map((note) => (
          <li key={note}>
            <Long>{note}</Long>
          </li>
        ))}
      </ul>
      {look !== null && (
        <p class="fine">
          SCD2 {figureText(look.scd2)}; PSOD, rise {figureText(look.psodRise)}; n {count(look.n)}
        </p>
      )}
    </li>
  );
}

/** Ends every note on a figure that gave no look (src/diagnosis/breaker.ts). */
const NO_LOOK = /: no look$/;

/** Newest first. Looks that changed nothing because there was nothing to judge stand apart: they may be many. */
function eventsOf(looks: LooksView | null): {
  readonly events: readonly Event[];
  /** Looks that judged nothing. */
  readonly unjudged: readonly Look[];
  /** Looks that judged SCD2 and not PSOD. */
  readonly unpanelled: readonly Look[];
} {
  const found = [
    ...(looks?.looks ?? []).map((look) => ({ at: look.at, level: look.level, notes: look.notes, look })),
    ...(looks?.steered ?? []).map(({ at, level, notes }) => ({ at, level, notes, look: null })),
  ].sort((a, b) => a.at - b.at || (a.look?.epoch ?? 0) - (b.look?.epoch ?? 0));
  const all = found
    .map((one, at): Event => {
      const before = found[at - 1]?.level ?? 'green';
      return { ...one, from: before === one.level ? null : before };
    })
    .filter(({ from, notes }) => from !== null || notes.length > 0)
    .reverse();
  const idle = ({ look, from, notes }: Event) =>
    look !== null && from === null && notes.every((note) => NO_LOOK.test(note));
  return {
    events: all.filter((event) => !idle(event)),
    unjudged: all.filter((event) => idle(event) && !sawCollapse(event)).flatMap(({ look }) => look ?? []),
    unpanelled: all.filter((event) => idle(event) && sawCollapse(event)).flatMap(({ look }) => look ?? []),
  };
}

function sawCollapse({ look }: Event): boolean {
  return look !== null && look.scd2.value !== null && look.scd2.low !== null;
}

function iso(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
