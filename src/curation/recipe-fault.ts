import { CollapseAwareError } from '../errors.ts';

/** One thing wrong with a recipe: where, what stands there, and what may. */
export interface RecipeFault {
  /** Keys joined by dots; empty for the recipe itself. */
  readonly path: string;
  /** The value in words (`shown`); never one that could be a secret. */
  readonly found: string;
  readonly allowed: string;
}

/** One line a fault: `weights.alpha: found -1, expected a number of at least 0`. */
export function faultLine(fault: RecipeFault): string {
  return lineOf(fault, 'the recipe');
}

/** `whole`: what an empty path is. */
function lineOf({ path, found, allowed }: RecipeFault, whole: string): string {
  return `${path === '' ? whole : path}: found ${found}, expected ${allowed}`;
}

/** A file of another kind has thousands. */
const MOST_TOLD = 40;

export function recipeError(faults: readonly RecipeFault[], file?: string): CollapseAwareError {
  return faultsError(faults, 'the recipe', 'docs/recipe.md lists every key with its range', file);
}

/** CA_CONFIG_INVALID that names the faults of any written settings, one a line. */
export function faultsError(
  faults: readonly RecipeFault[],
  whole: string,
  todo: string,
  file?: string,
): CollapseAwareError {
  const lines = faults.slice(0, MOST_TOLD).map((fault) => lineOf(fault, whole));
  if (faults.length > MOST_TOLD) lines.push(`and ${faults.length - MOST_TOLD} more`);
  const told = lines.length === 1 ? lines[0]! : `${faults.length} faults\n  ${lines.join('\n  ')}`;
  return new CollapseAwareError('CA_CONFIG_INVALID', told, {
    ...(file === undefined ? {} : { place: { file } }),
    todo,
  });
}

/** A URL may have been pasted at any key: its name and password are never repeated. */
const CREDENTIALS = /:\/\/[^\s/]*@/g;

/** A value in a few words: numbers and short texts as they are, the rest by kind. Safe for values that hold themselves. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') {
    // A control character would reach the terminal.
    const clean = value.replace(/\p{Cc}+/gu, ' ').replace(CREDENTIALS, '://***@');
    return clean.length > 40 ? `'${clean.slice(0, 40)}...' (${value.length} characters)` : `'${clean}'`;
  }
  if (Array.isArray(value)) {
    const plain = value.every((item) => item === null || typeof item !== 'object');
    const inner = plain && value.length <= 6 ? value.map(shown).join(', ') : '';
    return inner !== '' && inner.length <= 60 ? `[${inner}]` : `a list of ${value.length}`;
  }
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}

/** The known name that `name` was probably meant to be; null where none is near. Case, `-` and `_` do not count. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = bare(name);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const other of known) {
    const distance = edits(wanted, bare(other), least);
    if (distance < least) {
      least = distance;
      best = other;
    }
  }
  return best;
}

const bare = (name: string) =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[-_\s]/g, '');

/** Damerau's distance with adjacent swaps (optimal string alignment); `limit` where it is not below that. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return Math.min(limit, last[b.length]!);
}
