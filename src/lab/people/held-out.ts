import { type Jackknife, jackknife, type Random } from '../../math/index.ts';
import type { ActDialogue } from './act-dialogue.ts';
import { countActs, lawOf, logLikelihood, MODELS, type Model, type Smoothing } from './act-law.ts';

/** Dialogues of one fold to test on, all others to fit on. No person is in both. */
export interface Fold {
  readonly fit: readonly ActDialogue[];
  readonly test: readonly ActDialogue[];
}

/** Strengths that are tried, in turns. */
export const STRENGTHS = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256];

/** `count` folds of people, dealt by `random`; the same whatever order the dialogues come in. */
export function foldsByPerson(dialogues: readonly ActDialogue[], count: number, random: Random): Fold[] {
  const people = random.shuffle([...new Set(dialogues.map(({ person }) => person))].sort());
  const foldOf = new Map(people.map((person, i) => [person, i % count]));
  return Array.from({ length: count }, (_, fold) => ({
    fit: dialogues.filter(({ person }) => foldOf.get(person) !== fold),
    test: dialogues.filter(({ person }) => foldOf.get(person) === fold),
  }));
}

/** For each model in turn the strength with the highest held-out likelihood, the simpler ones being set. */
export function chooseSmoothing(folds: readonly Fold[]): Smoothing {
  const counted = folds.map(({ fit, test }) => ({ counts: countActs(fit), test }));
  let chosen: Smoothing = { user: 1, agent: 1, both: 1 };
  for (const model of ['user', 'agent', 'both'] as const) {
    let best = Number.NEGATIVE_INFINITY;
    let strength = 1;
    for (const tried of STRENGTHS) {
      let value = 0;
      for (const { counts, test } of counted) {
        const law = lawOf(counts, model, { ...chosen, [model]: tried });
        for (const dialogue of test) value += logLikelihood(dialogue, law);
      }
      if (value > best) [best, strength] = [value, tried];
    }
    chosen = { ...chosen, [model]: strength };
  }
  return chosen;
}

/**
 * Held-out log-likelihood of every dialogue under every model, by dialogue id. The strengths are chosen inside
 * the part that is fitted on (as many inner folds by person), so no test dialogue has a say in them.
 */
export function heldOutModels(
  folds: readonly Fold[],
  random: Random,
): ReadonlyMap<Model, ReadonlyMap<string, number>> {
  const values = new Map<Model, Map<string, number>>(MODELS.map((model) => [model, new Map()]));
  folds.forEach(({ fit, test }, i) => {
    const smoothing = chooseSmoothing(foldsByPerson(fit, folds.length, random.fork(`inner ${i}`)));
    const counts = countActs(fit);
    for (const model of MODELS) {
      const law = lawOf(counts, model, smoothing);
      for (const dialogue of test) values.get(model)!.set(dialogue.id, logLikelihood(dialogue, law));
    }
  });
  return values;
}

/**
 * Held-out log-likelihood per turn, sum over dialogues / sum of turns, less that of `base` where one is given.
 * Interval: delete-one-person jackknife with the fitted laws held fixed.
 */
export function perTurn(
  dialogues: readonly ActDialogue[],
  values: ReadonlyMap<string, number>,
  base?: ReadonlyMap<string, number>,
): Jackknife {
  const people = new Map<string, { value: number; turns: number }>();
  let value = 0;
  let turns = 0;
  for (const { id, person, acts } of dialogues) {
    const one = values.get(id)! - (base?.get(id) ?? 0);
    const sums = people.get(person) ?? { value: 0, turns: 0 };
    people.set(person, { value: sums.value + one, turns: sums.turns + acts.length });
    value += one;
    turns += acts.length;
  }
  const without = [...people.values()].map((sums) => (value - sums.value) / (turns - sums.turns));
  return jackknife(value / turns, without);
}
