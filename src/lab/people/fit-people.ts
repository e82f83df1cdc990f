import { jackknife, seeded } from '../../math/index.ts';
import { type ActDialogue, CONTEXTS, countThirds, shareOf, USERS } from './act-dialogue.ts';
import { countActs, lawOf, MODELS } from './act-law.ts';
import { fitTypes, logLawsOf, typeOf } from './act-mixture.ts';
import { PERSUADEE_ACTS, type PersuadeeAct } from './acts.ts';
import { countDonations, type Donation } from './donation.ts';
import { chooseSmoothing, foldsByPerson, heldOutModels, perTurn } from './held-out.ts';
import { type Coefficient, logistic } from './logistic.ts';
import type { Estimate, PeopleTable } from './people-table.ts';
import { bestMixture, tryMixtures } from './type-count.ts';

export interface FitOptions {
  readonly seed: string;
  readonly folds?: number;
  readonly maxTypes?: number;
  readonly starts?: number;
  readonly shrinks?: readonly number[];
}

/** Covariates of the link: shares of a persuadee's turns. */
export const LINKED: Readonly<Record<string, readonly PersuadeeAct[]>> = {
  'push-back': ['push-back'],
  refuse: ['refuse'],
  consent: ['agree', 'amount'],
  warm: ['warm'],
  ask: ['ask-procedure', 'ask-charity', 'ask-back'],
};

/**
 * Everything about one population: `dialogues` annotated, `given` what the same people gave, `all` what everyone
 * gave. Equal for any order of the dialogues. Numbers are rounded to 4 digits after the point.
 */
export function fitPeople(
  dialogues: readonly ActDialogue[],
  given: readonly Donation[],
  all: readonly Donation[],
  { seed, folds: count = 5, maxTypes = 8, starts = 3, shrinks = [1, 4, 16] }: FitOptions,
): PeopleTable {
  const sorted = dialogues.filter(({ acts }) => acts.length > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
  const random = seeded(seed);
  const folds = foldsByPerson(sorted, count, random.fork('folds'));
  const smoothing = chooseSmoothing(folds);
  const models = heldOutModels(folds, random.fork('nested'));
  const plain = models.get('frequencies')!;
  const counts = countActs(sorted);

  const numbers = Array.from({ length: maxTypes }, (_, i) => i + 1);
  const tried = tryMixtures(folds, smoothing, { types: numbers, shrinks, starts }, random.fork('mixtures'));
  const byNumber = numbers.map((types) => bestMixture(tried.filter((one) => one.types === types)));
  const { types, shrink } = bestMixture(tried);
  const base = lawOf(counts, 'both', smoothing);
  const fitted = fitTypes(sorted, base, { types, shrink, starts: 4 * starts }, random.fork('final'));
  const logLaws = logLawsOf(base, fitted);
  const posteriors = new Map(
    sorted.map((one) => [one.id, typeOf(one, fitted.shares, logLaws).posterior] as const),
  );

  const gave = new Map(given.map(({ dialogue, actual }) => [dialogue, actual]));
  const known = sorted.filter(({ id }) => (gave.get(id) ?? null) !== null);
  const outcomes = known.map(({ id }) => gave.get(id)! > 0);
  const people = known.map(({ person }) => person);
  const tenths = known.map((one) =>
    Object.values(LINKED).map(
      (acts) =>
        10 *
        shareOf(
          one,
          acts.map((act) => PERSUADEE_ACTS.indexOf(act)),
        ),
    ),
  );
  const names = Object.keys(LINKED);
  const together = logistic(tenths, outcomes, people);
  const ofTypes = logistic(
    known.map(({ id }) => posteriors.get(id)!.slice(1)),
    outcomes,
    people,
  );

  return {
    seed,
    n: {
      dialogues: sorted.length,
      people: new Set(sorted.map(({ person }) => person)).size,
      turns: sorted.reduce((sum, { acts }) => sum + acts.length, 0),
    },
    thirds: countThirds(sorted),
    followed: Array.from({ length: CONTEXTS }, (_, context) => {
      return [context, [...counts.subarray(context * USERS, (context + 1) * USERS)]] as const;
    }).filter(([, row]) => row.some((value) => value > 0)),
    smoothing,
    goodness: MODELS.map((model) => ({
      model,
      perTurn: rounded(perTurn(sorted, models.get(model)!)),
      gain: rounded(perTurn(sorted, models.get(model)!, plain)),
    })),
    typeCounts: byNumber.map((one) => ({
      types: one.types,
      shrink: one.shrink,
      perTurn: rounded(perTurn(sorted, one.values)),
      gain: rounded(perTurn(sorted, one.values, byNumber[0]!.values)),
    })),
    types: fitted.shares.map((share, type) => ({
      share: round(share),
      tilts: fitted.tilts[type]!.map(round),
      donated: rounded(
        weightedShare(
          known.map(({ id }) => posteriors.get(id)![type]!),
          outcomes,
          people,
        ),
      ),
    })),
    donation: donationOf(given, all),
    link: {
      n: known.length,
      donated: outcomes.filter(Boolean).length,
      alone: Object.fromEntries(
        names.map((name, i) => {
          const fit = logistic(
            tenths.map((row) => [row[i]!]),
            outcomes,
            people,
          );
          return [name, maybe(fit?.[1])];
        }),
      ),
      together: Object.fromEntries(names.map((name, i) => [name, maybe(together?.[i + 1])])),
      types: fitted.shares.slice(1).map((_, i) => maybe(ofTypes?.[i + 1])),
    },
  };
}

function donationOf(given: readonly Donation[], all: readonly Donation[]): PeopleTable['donation'] {
  const known = all.filter(({ actual }) => actual !== null);
  const both = given.filter(({ actual, intended }) => actual !== null && intended !== null);
  const promised = both.filter(({ intended }) => intended! > 0);
  return {
    n: known.length,
    people: new Set(known.map(({ person }) => person)).size,
    counts: countDonations(known.map(({ actual }) => actual!)),
    both: both.length,
    intended: countDonations(both.map(({ intended }) => intended!)),
    actual: countDonations(both.map(({ actual }) => actual!)),
    keptOfPromised: {
      promised: promised.length,
      kept: promised.filter(({ actual }) => actual! > 0).length,
    },
  };
}

/** Weighted share of true outcomes, with a delete-one-person jackknife interval (the weights held fixed). */
function weightedShare(weights: readonly number[], outcomes: readonly boolean[], people: readonly string[]) {
  const sums = new Map<string, [number, number]>();
  let hits = 0;
  let total = 0;
  weights.forEach((weight, i) => {
    const hit = outcomes[i] ? weight : 0;
    const [h, t] = sums.get(people[i]!) ?? [0, 0];
    sums.set(people[i]!, [h + hit, t + weight]);
    hits += hit;
    total += weight;
  });
  return jackknife(
    hits / total,
    [...sums.values()].map(([h, t]) => (hits - h) / (total - t)),
  );
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;

function rounded({ estimate, low, high }: Estimate): Estimate {
  return { estimate: round(estimate), low: round(low), high: round(high) };
}

const maybe = (value: Coefficient | undefined) => (value === undefined ? null : rounded(value));
