import type { Figure } from '../../../src/metrics/figure.ts';
import type { EvolveView } from '../../../src/report/evolve-payload.ts';
import {
  breakerSentence,
  evolveHeadline,
  type Outcome,
  outcomesOf,
  partsLeftOut,
  promiseOf,
  proposalsOf,
  type Reached,
} from '../../../src/report/evolve-standing.ts';
import { LevelTag } from '../breaker-level.tsx';
import { count, intervalText, plural, pointText } from '../format.ts';
import { Long, Name } from '../number.tsx';
import { signed } from './lab-figure-text.ts';
import { LevelMark } from './verdict.tsx';

const LEVELS = {
  better: 'absent',
  worse: 'present',
  'not told apart': 'undecided',
  'not measured': 'undecided',
} as const satisfies Record<Reached, string>;

const ASKS = [
  { name: 'Test panel', asks: 'reward with users that nothing else uses' },
  { name: 'People', asks: "reward with people's own behaviour, held out" },
] as const;

/** The first screen: what the run reached, who stayed, what the breaker did, and what all that promises. */
export function EvolveVerdict({ view }: { view: EvolveView }) {
  const headline = evolveHeadline(view);
  const { final, settings, space } = view;
  const outcomes = outcomesOf(view);
  const left = partsLeftOut(view);
  return (
    <section class="verdict" id="verdict" aria-labelledby="headline">
      <h1 id="headline" class={headline.length > 150 ? 'long' : undefined}>
        <Long over={340}>{headline}</Long>
      </h1>
      <ul class="changes evolve-cards" aria-label="What the run came to">
        {outcomes.length === 0
          ? ASKS.map(({ name, asks }) => (
              <li class="change level-undecided" key={name}>
                <h2 class="change-name">{name}</h2>
                <p class="fine">{asks}</p>
                <p class="change-reason">asked for once, when the run is over</p>
              </li>
            ))
          : outcomes.map((one, at) => <OutcomeCard key={one.who} outcome={one} {...ASKS[at]!} />)}
        <PopulationCard view={view} />
        <BreakerCard view={view} />
      </ul>
      <section class="confounds" aria-labelledby="promise-title">
        <h2 id="promise-title">What is guaranteed, and what is not</h2>
        <ul class="evolve-promise">
          {promiseOf(view).map((text) => (
            <li key={text}>
              <Long over={400}>{text}</Long>
            </li>
          ))}
        </ul>
        {final !== null && (
          <p class="fine">
            “Better” and “worse” are said only{' '}
            {outcomes.some(({ gain }) => gain !== null)
              ? 'where the 95 % interval of the difference leaves 0 out'
              : 'where the two 95 % intervals do not meet, which is stricter than a paired difference'}
            . PSOD of the selected policy {figureWords(final.psod)}, its rise over the policy before training{' '}
            {figureWords(final.psodRise)}.
          </p>
        )}
        <p class="fine">
          Seed {settings.seed}, one run: how another seed would come out, it does not say.{' '}
          {space !== null &&
            !space.people &&
            'No people were given: BDI here is the share of modes covered. '}
          {left.length > 0 && `Left out of the method: ${left.join(', ')}.`}
        </p>
      </section>
    </section>
  );
}

function figureWords(figure: Figure): string {
  if (figure.value === null) return `was not measured (${figure.reason ?? 'no reason given'})`;
  return `is ${pointText(figure)} ${intervalText(figure) ?? '(no interval)'}`;
}

function OutcomeCard({
  outcome: { before, after, gain, reached },
  name,
  asks,
}: {
  outcome: Outcome;
  name: string;
  asks: string;
}) {
  const level = LEVELS[reached];
  return (
    <li class={`change level-${level}`}>
      <h2 class="change-name">{name}</h2>
      <p class="fine">{asks}</p>
      {before.value === null && after.value === null ? (
        <p class="change-reason">
          not measured: <Name>{after.reason ?? before.reason ?? 'no reason given'}</Name>
        </p>
      ) : (
        <div class="change-values">
          <Side name="before" figure={before} />
          <span class="change-arrow" aria-hidden="true">
            →
          </span>
          <Side name="selected" figure={after} />
        </div>
      )}
      <p class="level">
        <LevelMark level={level} />
        {reached}
      </p>
      {gain !== null && gain.value !== null && (
        <p class="change-difference">
          <span class="value change-by">
            {signed(gain)} <span class="fine">{intervalText(gain) ?? 'no interval'}</span>
          </span>
        </p>
      )}
    </li>
  );
}

function Side({ name, figure }: { name: string; figure: Figure }) {
  return (
    <p class="change-side">
      <span class="fine">{name}</span>
      <span class="change-point" title={figure.reason}>
        {figure.value !== null && figure.approximate === true && (
          <abbr title="approximate: outside the range in which the interval was tested">≈</abbr>
        )}
        {pointText(figure)}
      </span>
      <span class="fine value">
        {figure.value === null
          ? `not measured: ${figure.reason ?? 'no reason given'}`
          : (intervalText(figure) ?? 'no interval')}
      </span>
    </p>
  );
}

function PopulationCard({ view }: { view: EvolveView }) {
  const { rounds, members } = view;
  const { accepted, rolledBack, none } = proposalsOf(rounds);
  const made = members.filter(({ round }) => round > 0);
  const kept = made.filter(({ kept }) => kept).length;
  return (
    <li class="change level-undecided">
      <h2 class="change-name">Populations</h2>
      <p class="fine">proposed against the best so far</p>
      <p class="evolve-tally">
        <span>
          <b>{count(accepted)}</b> accepted
        </span>
        <span>
          <b>{count(rolledBack)}</b> rolled back
        </span>
        <span>
          <b>{count(none)}</b> {none === 1 ? 'round' : 'rounds'} without one
        </span>
      </p>
      <p class="level">
        {plural(made.length, 'candidate')}, {count(kept)} kept
      </p>
    </li>
  );
}

function BreakerCard({ view }: { view: EvolveView }) {
  const { rounds } = view;
  const last = rounds.at(-1);
  return (
    <li class={`change at-${last?.breaker.after ?? 'none'}`}>
      <h2 class="change-name">Breaker</h2>
      <p class="fine">{breakerSentence(rounds)}</p>
      {last !== undefined && (
        <p class="level">
          <LevelTag level={last.breaker.after} />
          <span class="fine">{view.finished ? 'at the end' : `after round ${last.round}`}</span>
        </p>
      )}
    </li>
  );
}
