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
  ];
}

/** Where the recipe itself writes that concentration is corrected. */
export function writtenCorrections({ weights, batches, gradient }: RecipeInput): string[] {
  const written: string[] = [];
  if (typeof weights === 'object' && weights.concentration === true)
    written.push('weights.concentration: true');
  if (typeof batches === 'object' && batches.balance === 'mode') written.push('batches.balance: mode');
  if (gradient !== undefined && gradient !== false) {
    const beta = typeof gradient === 'object' ? gradient.beta : undefined;
    written.push(beta === undefined ? 'gradient' : `gradient.beta: ${beta}`);
  }
  return written;
}

/** Concentration is corrected once; a corrected batch or gradient leaves the boost at 1, too. */
function correctionFaults(input: RecipeInput): RecipeFault[] {
  const written = writtenCorrections(input);
  const faults: RecipeFault[] = [];
  if (written.length > 1)
    faults.push({
      path: written.map((text) => text.split(':', 1)[0]).join(' and '),
      found: `${written.join(', ')}: concentration would be corrected ${written.length === 2 ? 'twice' : 'three times'}`,
      allowed: 'one of them',
    });
  const elsewhere = written.filter((text) => !text.startsWith('weights'));
  if (elsewhere.length > 0 && typeof input.weights === 'object' && input.weights.coverage === true)
    faults.push({
      path: 'weights.coverage',
      found: `true beside ${elsewhere.join(', ')}: modes would be corrected twice`,
      allowed: 'false, or concentration corrected by weights',
    });
  return faults;
}

function nameFaults({ gate }: RecipeInput, known: KnownChecks): RecipeFault[] {
  if (typeof gate !== 'object') return [];
  const faults: RecipeFault[] = [];
  const checks = [...new Set([...Object.keys(known.profile('standard').actions), ...known.checks])];
  for (const name of Object.keys(gate.checks ?? {}))
    if (!checks.includes(name)) faults.push(unknownName('gate.checks', 'check', name, checks));
  const asked = typeof gate.judge === 'object' ? (gate.judge.questions ?? []) : [];
  for (const name of new Set(asked))
    if (!known.questions.includes(name))
      faults.push(unknownName('gate.judge.questions', 'question', name, known.questions));
  return faults;
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
