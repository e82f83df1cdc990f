import { clopperPearson } from '../math/binomial-interval.ts';
import { type Random, seeded } from '../math/random.ts';
import { type Figure, missing, type Tally, tallyOf } from '../metrics/index.ts';
import { type AcceptanceRule, acceptanceRule, judgeAcceptance, type Yardstick } from './acceptance.ts';
import type { ModeLaw } from './mode-law.ts';

export interface PowerInput {
  /** What is known of the best population so far: k shares of modes and, last, the share off support. They sum to 1. */
  readonly law: ModeLaw;
  /** By whom BDI is measured; null = no people. */
  readonly people: Yardstick | null;
  /** The probe set, and fresh rollouts of each population in each of its contexts. */
  readonly contexts: number;
  readonly rollouts: number;
  readonly delta: number;
  /** Of a whole run of so many rounds. */
  readonly alpha: number;
  readonly rounds: number;
  /** By how much SCD2 of the better population is lower; default delta. */
  readonly gain?: number;
  /** Default 40. */
  readonly trials?: number;
  readonly seed: number;
}

/** Shares of proposals, each with its exact interval over trials. */
export interface PowerFigures {
  /** All three bounds hold: what the probe set can be sized for. */
  readonly bounds: Figure;
  /** The bounds hold, and something is better by point. */
  readonly accepted: Figure;
}

/** `own`: each population has luck of its own, as a sampled language model has; `shared`: the same random numbers. */
export interface LuckFigures {
  readonly own: PowerFigures;
  readonly shared: PowerFigures;
}

export interface AcceptancePower {
  readonly rule: AcceptanceRule;
  readonly contexts: number;
  readonly rollouts: number;
  readonly gain: number;
  /** A proposal of the same law as the best. */
  readonly equal: LuckFigures;
  /** One whose SCD2 is lower by `gain`: a share of its episodes is spread over all modes alike. */
  readonly better: LuckFigures;
}

const TRIALS = 40;

/**
 * How often the acceptance rule lets a proposal pass, by simulation before a run: contexts are alike, and an episode's mode
 * is drawn from the law. Under shared luck two populations differ in as many episodes as their laws make them differ, which
 * is the most that pairing can bring. An equal population can be promised its bounds alone: that something looks better by
 * point happens to half of such figures, whatever the size (docs/theory.md, "Size of the probe").
 *
 * @throws RangeError for a law that does not sum to 1, or sizes that cannot be.
 */
export function acceptancePower(input: PowerInput): AcceptancePower {
  const { law, contexts, rollouts, delta, alpha, rounds, gain = delta, seed } = input;
  check(input);
  const rule = acceptanceRule(delta, alpha, rounds);
  const spread = spreadFor(law, gain);
  const reason = `no population of this law can have an SCD2 that is lower by ${gain}`;
  const none: PowerFigures = { bounds: missing(reason), accepted: missing(reason) };
  const passes = (kind: string, shared: boolean, by: number) =>
    simulate(input, rule, by, shared, seeded(`${seed}/acceptance-power/${kind}`));
  const both = (kind: string, by: number | null): LuckFigures =>
    by === null
      ? { own: none, shared: none }
      : { own: passes(kind, false, by), shared: passes(kind, true, by) };
  return { rule, contexts, rollouts, gain, equal: both('equal', 0), better: both('better', spread) };
}

function check({ law, contexts, rollouts, trials = TRIALS }: PowerInput): void {
  const total = law.reduce((sum, share) => sum + share, 0);
  if (law.length < 2 || law.some((share) => !(share >= 0)) || Math.abs(total - 1) > 1e-6)
    throw new RangeError(`a law of ${law.length} places that sum to ${total}`);
  for (const size of [contexts, rollouts, trials])
    if (!Number.isInteger(size) || size < 1)
      throw new RangeError(`${contexts} contexts, ${rollouts} rollouts, ${trials} trials`);
}

function simulate(
  { law, people, contexts, rollouts, trials = TRIALS, seed }: PowerInput,
  rule: AcceptanceRule,
  by: number,
  shared: boolean,
  random: Random,
): PowerFigures {
  // Units of a probe's contexts come after those of people: they are nobody's.
  const firstUnit = people === null ? 0 : 1 + Math.max(0, ...people.mass.units, ...people.ceiling.units);
  let [bounds, accepted] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const play = (who: string, share: number): Tally =>
      episodes(
        law,
        share,
        contexts,
        rollouts,
        firstUnit,
        random.fork(shared ? `${trial}` : `${trial}/${who}`),
      );
    const proposed = { id: 'proposed', tally: play('proposed', by) };
    const best = { id: 'best', tally: play('best', 0) };
    const verdict = judgeAcceptance(rule, proposed, { scd2: best, bdi: best }, best, people);
    if (verdict.scd2.holds && verdict.bdi.holds && verdict.realism.holds) bounds += 1;
    if (verdict.accepted) accepted += 1;
  }
  const shareOf = (count: number): Figure => {
    const [low, high] = clopperPearson(count, trials);
    const method = `clopper-pearson-trial(n=${trials}, simulated, seed=${seed})`;
    return { value: count / trials, low, high, n: trials, method };
  };
  return { bounds: shareOf(bounds), accepted: shareOf(accepted) };
}

/** Episodes of a law, a share `by` of which is spread over all modes alike. Equal streams give what laws have in common. */
function episodes(
  law: ModeLaw,
  by: number,
  contexts: number,
  rollouts: number,
  firstUnit: number,
  random: Random,
): Tally {
  const k = law.length - 1;
  const inside = insideShares(law);
  const unit: number[] = [];
  const cell: number[] = [];
  const outside: boolean[] = [];
  for (let c = 0; c < contexts; c++)
    for (let r = 0; r < rollouts; r++) {
      // As many numbers whatever comes of them: the next episode's luck must not hang on this one's.
      const [whether, mode, off] = [random.next(), random.next(), random.next()];
      unit.push(firstUnit + c);
      cell.push(whether < by ? Math.floor(mode * k) : placeUnder(inside, mode));
      outside.push(off < law[k]!);
    }
  return tallyOf({ k, unit, cell, outside });
}

function placeUnder(shares: Float64Array, at: number): number {
  let left = at;
  for (let place = 0; place < shares.length; place++) {
    left -= shares[place]!;
    if (left < 0) return place;
  }
  return shares.length - 1;
}

/** Shares of modes alone, which sum to 1: an episode off support keeps the mode it is nearest to. */
function insideShares(law: ModeLaw): Float64Array {
  const modes = law.slice(0, -1);
  const total = modes.reduce((sum, share) => sum + share, 0);
  return total > 0 ? modes.map((share) => share / total) : modes.fill(1 / modes.length);
}

/** The share of episodes to spread so that SCD2 falls by `gain`: found by bisection, since it falls steadily with that share. */
function spreadFor(law: ModeLaw, gain: number): number | null {
  const shares = insideShares(law);
  const k = shares.length;
  if (k < 2) return null;
  const scd2 = (by: number) =>
    1 + Math.log(shares.reduce((sum, p) => sum + ((1 - by) * p + by / k) ** 2, 0)) / Math.log(k);
  const aim = scd2(0) - gain;
  if (!(aim >= -1e-12) || gain < 0) return null;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2;
    if (scd2(middle) > aim) low = middle;
    else high = middle;
  }
  return high;
}
