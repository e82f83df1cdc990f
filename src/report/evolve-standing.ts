import type { BreakerLevel } from '../diagnosis/breaker.ts';
import type { Figure } from '../metrics/figure.ts';
import type { EvolveRound, EvolveView } from './evolve-payload.ts';
import { figureText, signText } from './plain-text.ts';
import { powerWords } from './power-words.ts';

/** What a figure of the selected policy says against the same before training. */
export type Reached = 'better' | 'worse' | 'not told apart' | 'not measured';

/**
 * By the interval of the difference where it is known, else by the two intervals: apart only where they do not meet,
 * which is stricter. A figure without an interval is told apart from nothing.
 */
export function reachedOf(after: Figure, before: Figure, gain: Figure | null = null): Reached {
  if (after.value === null || before.value === null) return 'not measured';
  if (gain !== null && gain.low !== null && gain.high !== null)
    return gain.low > 0 ? 'better' : gain.high < 0 ? 'worse' : 'not told apart';
  if (after.low === null || after.high === null || before.low === null || before.high === null)
    return 'not told apart';
  if (after.low > before.high) return 'better';
  return after.high < before.low ? 'worse' : 'not told apart';
}

/** A panel that the selected policy and the one before training were examined with. */
export interface Outcome {
  readonly who: 'the test panel' | 'people';
  readonly before: Figure;
  readonly after: Figure;
  /** Of the same contexts, after less before; null where the record has none. */
  readonly gain: Figure | null;
  readonly reached: Reached;
}

/** None while a run is under way: both are asked once, at the end. */
export function outcomesOf({ final }: Pick<EvolveView, 'final'>): readonly Outcome[] {
  if (final === null) return [];
  const { gain = null, peopleGain = null } = final;
  return [
    outcome('the test panel', final.baseTest, final.test, gain),
    outcome('people', final.basePeople, final.people, peopleGain),
  ];
}

function outcome(who: Outcome['who'], before: Figure, after: Figure, gain: Figure | null): Outcome {
  return { who, before, after, gain, reached: reachedOf(after, before, gain) };
}

/** The sentence of a run: what it reached, or how far it has come. */
export function evolveHeadline(view: EvolveView): string {
  const { final, selected, rounds, settings } = view;
  if (final === null || selected === null) return soFar(view);
  const who =
    selected.round === 0
      ? 'No round did better on the selection panel than the policy before training'
      : `The policy of round ${selected.round} of ${settings.rounds} was selected`;
  const words = outcomesOf(view).map(outcomeWords).join('; ');
  const early =
    rounds.length < settings.rounds ? ` ${rounds.length} of ${settings.rounds} rounds were run.` : '';
  return `${who}: ${words}.${early}`;
}

function outcomeWords({ who, before, after, gain, reached }: Outcome): string {
  if (after.value === null) return `with ${who} nothing was measured (${after.reason ?? 'no reason given'})`;
  if (reached === 'not measured') return `with ${who} ${figureText(after)}, before training not measured`;
  const by = gain === null || gain.value === null ? '' : ` by ${signText(gain)}`;
  return `${reached} with ${who}${by}, ${figureText(after)} against ${figureText(before)} before training`;
}

function soFar({ rounds, settings }: EvolveView): string {
  const last = rounds.at(-1);
  if (last === undefined) return `Under way: no round of ${settings.rounds} is over yet.`;
  const best = bestExam(rounds);
  const leads =
    best === null
      ? 'no policy has been examined yet'
      : `round ${best.round} leads on the selection panel with ${figureText(best.figure)}`;
  return `Under way: ${rounds.length} of ${settings.rounds} rounds are over, the breaker is ${last.breaker.after}; ${leads}.`;
}

function bestExam(
  rounds: readonly EvolveRound[],
): { readonly round: number; readonly figure: Figure } | null {
  let best: { readonly round: number; readonly figure: Figure } | null = null;
  for (const { round, exam } of rounds)
    if (exam !== null && exam.selection.value !== null)
      if (best === null || exam.selection.value > best.figure.value!)
        best = { round, figure: exam.selection };
  return best;
}

export interface Proposals {
  readonly accepted: number;
  readonly rolledBack: number;
  /** Rounds that proposed no population. */
  readonly none: number;
}

export function proposalsOf(rounds: readonly EvolveRound[]): Proposals {
  const accepted = rounds.filter(({ acceptance }) => acceptance?.accepted === true).length;
  const none = rounds.filter(({ acceptance }) => acceptance === null).length;
  return { accepted, rolledBack: rounds.length - accepted - none, none };
}

/** Rounds in a row with one level. */
export interface Stretch {
  readonly level: BreakerLevel;
  readonly from: number;
  readonly to: number;
}

/** Levels after each round's look. */
export function stretchesOf(rounds: readonly EvolveRound[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { round, breaker } of rounds) {
    const last = stretches.at(-1);
    if (last?.level === breaker.after) stretches[stretches.length - 1] = { ...last, to: round };
    else stretches.push({ level: breaker.after, from: round, to: round });
  }
  return stretches;
}

/** The course of the breaker, and what it held up. */
export function breakerSentence(rounds: readonly EvolveRound[]): string {
  return rounds.length === 0
    ? 'The breaker has not looked yet.'
    : `${breakerCourse(rounds)}; ${pauseWords(rounds)}.`;
}

/** Stretches beyond this are counted, not named. */
const NAMED = 6;

function breakerCourse(rounds: readonly EvolveRound[]): string {
  const stretches = stretchesOf(rounds);
  const [first, ...more] = stretches;
  if (more.length === 0) return `The breaker was ${first?.level} throughout`;
  if (stretches.length > NAMED) {
    const of = (level: BreakerLevel) => rounds.filter(({ breaker }) => breaker.after === level).length;
    const counts = (['green', 'yellow', 'red', 'half-open'] as const)
      .filter((level) => of(level) > 0)
      .map((level) => `${level} in ${of(level)}`);
    return `The breaker changed its level ${more.length} times: ${counts.join(', ')} of ${rounds.length} rounds`;
  }
  return `The breaker was ${stretches.map(stretchText).join(', ')}`;
}

function pauseWords(rounds: readonly EvolveRound[]): string {
  const named = (count: number) => `${count} ${count === 1 ? 'round' : 'rounds'}`;
  const paused = rounds.filter(({ breaker }) => breaker.training === 'paused');
  const idle = rounds.filter(
    ({ breaker, training }) => breaker.training !== 'paused' && training === null,
  ).length;
  // Nothing may be trained on while training is paused: a page that finds it must say so.
  const trained = paused.filter(({ training }) => (training?.steps ?? 0) > 0).map(({ round }) => round);
  const pause =
    paused.length === 0 ? 'training was never paused' : `training was paused in ${named(paused.length)}`;
  return [
    pause,
    ...(trained.length === 0 ? [] : [`and yet steps were taken in round ${trained.join(', ')}`]),
    ...(idle === 0 ? [] : [`${named(idle)} did not train for other reasons`]),
  ].join(', ');
}

function stretchText({ level, from, to }: Stretch): string {
  return from === to ? `${level} in round ${from}` : `${level} in rounds ${from} to ${to}`;
}

/** What the rule asks while a run is under way, whose summary says it at the end. */
export function promiseOf({ guarantee, settings, rounds }: EvolveView): readonly string[] {
  // Absent in records of earlier versions, and in those of rounds after the first.
  const power = rounds.find((round) => round.power)?.power ?? null;
  const told = power === null ? [] : [powerWords(power).join(' ')];
  if (guarantee.length > 0) return [...guarantee, ...told];
  const { delta, alpha } = settings.acceptance;
  return [
    `A population is accepted only if, on fresh paired probes, SCD2 is not up and BDI and realism are not down by ${delta}; over the whole run this errs with probability ${alpha} at most.`,
    'What it promises of this run, and what it does not, is said when the run is over. Nothing is promised of the policy.',
    ...told,
  ];
}

/** Parts of the method that the run left out. */
export function partsLeftOut({ settings }: EvolveView): string[] {
  return Object.entries(settings.parts)
    .filter(([, on]) => !on)
    .map(([part]) => part);
}
