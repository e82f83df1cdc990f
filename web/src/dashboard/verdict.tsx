import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BreakerLevel } from '../../../src/diagnosis/breaker.ts';
import type { GateView, LooksView } from '../../../src/gateway/api/control.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { LevelShape, LevelTag, levelFrom } from '../breaker-level.tsx';
import { figureText } from '../format.ts';
import { Long, Missing, Name } from '../number.tsx';
import type { Connection, FeedState } from './feed.ts';
import { ago, duration, moment } from './time.ts';

const HEADLINES: Readonly<Record<BreakerLevel, string>> = {
  green: 'Training goes on: no rule of the breaker has tripped.',
  yellow: 'A warning: the simulated users, or the gap to held-out ones, look worse than they should.',
  'half-open': 'Training is held while the population is looked at again.',
  red: 'Stop: the simulated users have collapsed, or the policy overfits them.',
};
const MEANS: Readonly<Record<BreakerLevel, string>> = {
  green: 'New sessions are served at the usual shares.',
  yellow: 'New sessions are served; members marked anti-collapse are drawn more often.',
  'half-open':
    'New sessions are held, then refused with 429 and Retry-After. Panel sessions and probes pass; a look at them that is clean again opens the gate.',
  red: 'New sessions are held, then refused with 429 and Retry-After. Sessions under way go on; panel sessions and probes pass.',
};
const TODO: Readonly<Record<BreakerLevel, string>> = {
  green: 'Nothing. Keep panel sessions coming, so that overfitting can be told.',
  yellow:
    'Read which figure rose, below. Add members of another family, or draw narrow ones less often, before red stops the run.',
  'half-open': 'Run panel sessions and wait for the next look. If the population was not changed, change it.',
  red: 'Change the population (other families, personas, verbalized members), then run panel sessions: clean looks lead back to green.',
};

const BLIND = 'Not judged yet: training goes on, but nothing that the rules watch could be measured.';
const BLIND_TODO = 'Read above what is missing: until it is there, green says nothing.';
const BY_HAND: Readonly<Record<BreakerLevel, string>> = {
  green:
    'Release the breaker once the rules may decide again: nothing that they find stops the run until then.',
  yellow: 'Release the breaker once the rules may decide again.',
  'half-open': 'Release the breaker once the rules may decide again.',
  red: 'Release the breaker, or set another level, once the reason above is gone.',
};

/** Green over figures that have no value, or no interval to judge by, is no good news. */
function isJudged({ figures, override }: GateView): boolean {
  const judged = ({ value, low }: Figure) => value !== null && low !== null;
  return override !== null || figures === null || judged(figures.scd2) || judged(figures.psodRise);
}

/** The override is told by its own facts. */
function reasonsOf({ reasons, override }: GateView): readonly string[] {
  if (override === null) return reasons;
  const words = `${override.by} set ${override.level}: ${override.reason}`;
  return reasons.filter((reason) => reason !== words);
}

/** What the last look saw, where it had nothing to say. */
function sawText({ figures, step }: GateView): string {
  if (figures === null || step === null) return 'No look yet: nothing has been measured.';
  const { scd2, psodRise } = figures;
  return `The look at epoch ${step} changed no level: SCD2 ${figureText(scd2)}; PSOD, rise ${figureText(psodRise)}.`;
}

/** When the present override was set, as far as it is on record. */
function setAt({ override }: GateView, looks: LooksView | null): number | null {
  if (override === null) return null;
  const start = `${override.by} set ${override.level}`;
  const one = looks?.steered?.findLast(
    ({ level, notes }) => level === override.level && notes.some((note) => note.startsWith(start)),
  );
  return one?.at ?? null;
}

/** The first screen: what the level is, why, since when, and what it means for training. */
export function VerdictSection({ feed, now }: { feed: FeedState; now: number }) {
  const { gate, connection, faults } = feed;
  const level = levelFrom(gate?.level);
  // A big green mark over nothing would be read as good news.
  const blind = gate !== null && level === 'green' && gate.override === null && !isJudged(gate);
  return (
    <section class="verdict" id="verdict" aria-labelledby="headline">
      <ConnectionLine connection={connection} />
      <div class={level === null || blind ? 'standing' : `standing at-${level}`}>
        <p class="standing-level">
          {level === null ? (
            <span class="level-tag">unknown</span>
          ) : blind ? (
            <span>not judged</span>
          ) : (
            <>
              <LevelShape level={level} size={22} />
              <span>{level}</span>
            </>
          )}
        </p>
        <h1 id="headline">{headline(gate, level, faults.gate)}</h1>
      </div>
      {gate !== null && level !== null && <Facts gate={gate} looks={feed.looks} level={level} now={now} />}
      <Troubles feed={feed} />
    </section>
  );
}

function headline(gate: GateView | null, level: BreakerLevel | null, fault: string | undefined): string {
  if (gate === null)
    return fault === undefined ? 'Asking the gateway …' : `The gate gives no answer: ${fault}`;
  if (level === null) return `The gate names a level that this page does not know: ${gate.level}.`;
  if (gate.override !== null)
    return gate.training === 'hold'
      ? `An operator holds training: the breaker is set to ${level}.`
      : `An operator lets training go on: the breaker is set to ${level}.`;
  if (gate.step === null && level === 'green') return 'Training goes on, and no epoch has been measured yet.';
  return level === 'green' && !isJudged(gate) ? BLIND : HEADLINES[level];
}

function Facts({
  gate,
  looks,
  level,
  now,
}: {
  gate: GateView;
  looks: LooksView | null;
  level: BreakerLevel;
  now: number;
}) {
  const { override, since, psod } = gate;
  const began = Date.parse(since.at);
  const set = setAt(gate, looks);
  const reasons = reasonsOf(gate);
  const blind = level === 'green' && gate.step !== null && !isJudged(gate);
  return (
    <dl class="facts standing-facts">
      {override !== null && (
        <Fact name="Set by hand">
          <Name>{override.by}</Name> set {override.level}
          {set === null ? '' : ` at ${moment(set)} (${ago(set, now)})`}: <Long>{override.reason}</Long>
          {'. '}
          {override.until === null
            ? 'It holds until it is released.'
            : `It lapses at ${moment(Date.parse(override.until))}.`}
        </Fact>
      )}
      {override !== null && levelFrom(gate.rules) !== null && (
        <Fact name="The rules say">
          <LevelTag level={gate.rules} /> since {moment(began)}
          {since.step === null ? '' : `, epoch ${since.step}`}
        </Fact>
      )}
      <Fact name={override === null ? 'Why' : 'What they saw'}>
        {reasons.length === 0 ? (
          sawText(gate)
        ) : (
          <ul class="reasons">
            {reasons.map((reason) => (
              <li key={reason}>
                <Long over={260}>{reason}</Long>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Since">
        {override === null
          ? `${moment(began)}${Number.isNaN(began) ? '' : ` (${ago(began, now)})`}${since.step === null ? '' : `, epoch ${since.step}`}`
          : set === null
            ? 'the operator set it'
            : `${moment(set)} (${ago(set, now)})`}
        . The epoch under way is {gate.epoch}
        {gate.step === null ? '; none has been measured yet.' : `; the last one measured is ${gate.step}.`}
      </Fact>
      <Fact name="For training">
        <b>{gate.training === 'hold' ? 'Hold.' : 'Go.'}</b> {MEANS[level]}
      </Fact>
      <Fact name="What to do">
        {override !== null ? BY_HAND[level] : blind ? BLIND_TODO : TODO[level]}
        {psod.due && (
          <>
            {' '}
            <b>Panel sessions are due</b>: send sessions with model <code>panel/selection</code>
            {psod.lastEpoch === null ? ' (none came yet)' : ` (the last came in epoch ${psod.lastEpoch})`}
            {'; '}the gate asks for them every {psod.every === 1 ? 'epoch' : `${psod.every} epochs`}.
          </>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** One line that is always there, so that nothing moves when the connection does. */
function ConnectionLine({ connection }: { connection: Connection }) {
  const lost = connection.kind === 'lost';
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!lost) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [lost]);
  return (
    <div class="connection-line">
      <p class={`connection connection-${connection.kind}`}>
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          {lost ? (
            <path d="M1.5 1.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="2" />
          ) : (
            <circle cx="5" cy="5" r="4" fill="currentColor" />
          )}
        </svg>
        {/* The count of seconds is not read out each time: only that it was lost, or came back. */}
        <span role="status">
          {connection.kind === 'connecting' ? 'connecting' : lost ? 'connection lost' : 'live'}
        </span>
        {lost && (
          <span>
            for {duration(now - connection.since)}, trying again ({connection.why}). What the page shows is
            old.
          </span>
        )}
      </p>
    </div>
  );
}

/** What keeps figures from being right, above the figures. */
function Troubles({ feed }: { feed: FeedState }) {
  const { status, faults } = feed;
  const lines = [
    ...(status?.recorder.failing == null ? [] : [`The recorder fails: ${status.recorder.failing}`]),
    ...(status !== null && status.recorder.unrecorded > 0
      ? [`${status.recorder.unrecorded} replies were served unrecorded: no figure holds them.`]
      : []),
    ...(status?.notes ?? []),
    ...(faults.status === undefined ? [] : [`The status is not to be had: ${faults.status}`]),
  ];
  if (lines.length === 0) return null;
  return (
    <section class="confounds" aria-label="Notes of the gateway">
      <h2>The gateway notes</h2>
      <ul class="reasons">
        {lines.map((line) => (
          <li key={line}>
            <Long>{line}</Long>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why a part of the page is not there, or that it has not come yet. */
export function Waiting({ fault, what }: { fault: string | undefined; what: string }) {
  return <Missing>{fault === undefined ? `Asking for ${what} …` : `No ${what}: ${fault}`}</Missing>;
}
