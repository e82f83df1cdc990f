import type { CorrectionPlace } from './recipe.ts';
import type { KnownChecks } from './recipe-defaults.ts';
import { nearestName, type RecipeFault, shown } from './recipe-fault.ts';
import type { RecipeInput } from './recipe-schema.ts';

/** Faults that lie between keys, or in names that only the gate knows. */
export function ruleFaults(input: RecipeInput, known: KnownChecks): RecipeFault[] {
  return [
    ...correctionFaults(input),
    ...nameFaults(input, known),
    ...judgeFaults(input),
    ...exportFaults(input),
    ...allocationFaults(input),
    ...selectionFaults(input),
  ];
}

/** A key that says where concentration is corrected. */
export interface WrittenCorrection {
  readonly place: CorrectionPlace;
  readonly key: string;
  /** As it stands in the recipe. */
  readonly text: string;
}

/** Where the recipe itself writes that concentration, or the modes it shows in, are corrected. */
export function writtenCorrections({ weights, batches, gradient }: RecipeInput): WrittenCorrection[] {
  const written: WrittenCorrection[] = [];
  const add = (place: CorrectionPlace, key: string, value?: unknown) =>
    written.push({ place, key, text: value === undefined ? key : `${key}: ${value}` });
  if (typeof weights === 'object')
    for (const key of ['concentration', 'coverage'] as const)
      if (weights[key] === true) add('weights', `weights.${key}`, true);
  if (typeof batches === 'object' && batches.balance === 'mode') add('batches', 'batches.balance', 'mode');
  if (isOn(gradient)) {
    const beta = typeof gradient === 'object' ? gradient.beta : undefined;
    add('gradient', beta === undefined ? 'gradient' : 'gradient.beta', beta);
  }
  return written;
}

/**
 * Where a sound recipe corrects concentration: where it says so; else by batches, or by weights where it says that
 * batches are off or not balanced, or selects: balanced batches leave whole groups out with unknown chances.
 */
export function correctionPlace(input: RecipeInput): CorrectionPlace {
  const [written] = writtenCorrections(input);
  if (written !== undefined) return written.place;
  const { batches, selection } = input;
  const unbalanced = batches === false || (typeof batches === 'object' && batches.balance === 'none');
  return unbalanced || isOn(selection) ? 'weights' : 'batches';
}

/** Concentration is corrected once. */
function correctionFaults(input: RecipeInput): RecipeFault[] {
  const written = writtenCorrections(input);
  const places = new Set(written.map(({ place }) => place)).size;
  if (places < 2) return [];
  return [
    {
      path: written.map(({ key }) => key).join(' and '),
      found: `${written.map(({ text }) => text).join(', ')}: concentration would be corrected ${places === 2 ? 'twice' : 'three times'}`,
      allowed: 'one of them',
    },
  ];
}

/** Dividing by the deviation of the rows that were kept would bring back the bias that pair weights take out. */
function selectionFaults({ selection, advantage }: RecipeInput): RecipeFault[] {
  if (!isOn(selection) || typeof advantage !== 'object' || advantage.normalise !== true) return [];
  return [
    {
      path: 'selection and advantage.normalise',
      found: 'normalise: true beside a selection: the deviation of the kept rows would bias the gradient',
      allowed: 'normalise: false, or no selection',
    },
  ];
}

/** A stage that is off unless it is written. */
export function isOn(stage: unknown): boolean {
  return stage !== undefined && stage !== false;
}

function nameFaults({ gate }: RecipeInput, known: KnownChecks): RecipeFault[] {
  if (typeof gate !== 'object') return [];
  const faults: RecipeFault[] = [];
  const checks = [
    ...new Set([
      ...Object.keys(known.profile('standard').actions),
      ...known.checks,
      ...judgeChecks(known.questions),
    ]),
  ];
  for (const name of Object.keys(gate.checks ?? {}))
    if (!checks.includes(name)) faults.push(unknownName('gate.checks', 'check', name, checks));
  const asked = typeof gate.judge === 'object' ? (gate.judge.questions ?? []) : [];
  for (const name of new Set(asked))
    if (!known.questions.includes(name))
      faults.push(unknownName('gate.judge.questions', 'question', name, known.questions));
  return faults;
}

/** Names that a judge's questions go by among the checks. */
export function judgeChecks(questions: readonly string[]): string[] {
  return questions.map((question) => `judge:${question}`);
}

function judgeFaults({ gate }: RecipeInput): RecipeFault[] {
  if (typeof gate !== 'object' || typeof gate.judge !== 'object') return [];
  const { votes, agree, questions } = gate.judge;
  const faults: RecipeFault[] = [];
  const most = votes ?? 3;
  if (agree !== undefined && agree > most)
    faults.push({ path: 'gate.judge.agree', found: String(agree), allowed: `at most votes (${most})` });
  if (questions !== undefined && new Set(questions).size < questions.length)
    faults.push({ path: 'gate.judge.questions', found: shown(questions), allowed: 'each question once' });
  return faults;
}

function exportFaults({ export: names }: RecipeInput): RecipeFault[] {
  return names === undefined || new Set(names).size === names.length
    ? []
    : [{ path: 'export', found: shown(names), allowed: 'each name once' }];
}

/** A budget below one group could not be spent. */
function allocationFaults({ allocation }: RecipeInput): RecipeFault[] {
  if (typeof allocation !== 'object' || allocation.budget === undefined) return [];
  const group = allocation.group ?? 8;
  return allocation.budget >= group
    ? []
    : [
        {
          path: 'allocation.budget',
          found: String(allocation.budget),
          allowed: `at least allocation.group (${group})`,
        },
      ];
}

/** An unknown key or name, with the one that was probably meant. */
export function unknownName(
  path: string,
  what: string,
  name: string,
  known: readonly string[],
  hint?: string,
): RecipeFault {
  const near = hint ?? nearestName(name, known);
  const meant = near === null ? '' : ` (did you mean '${near}'?)`;
  return {
    path: path === '' ? name.slice(0, 60) : `${path}.${name.slice(0, 60)}`,
    found: `an unknown ${what}${meant}`,
    allowed: known.length === 0 ? `no ${what}: none is known` : `one of ${known.join(', ')}`,
  };
}
