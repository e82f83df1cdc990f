import type { Recipe } from './recipe.ts';

/** One difference of two recipes. A stage that is switched on or off is one change; `null` = off or not set. */
export interface RecipeChange {
  /** Keys joined by dots, as in the filled recipe. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What changes from one filled recipe to another, in the order of its keys. */
export function recipeDiff(before: Recipe, after: Recipe): RecipeChange[] {
  return [...changes(before, after, '')];
}

function* changes(before: object, after: object, above: string): Generator<RecipeChange> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = above === '' ? key : `${above}.${key}`;
    const own = (before as Record<string, unknown>)[key] ?? null;
    const other = (after as Record<string, unknown>)[key] ?? null;
    if (isMapping(own) && isMapping(other)) yield* changes(own, other, path);
    else if (JSON.stringify(own) !== JSON.stringify(other)) yield { path, before: own, after: other };
  }
}

/** Lines for a terminal, `-` before and `+` after, as a file would say them; empty text where nothing changes. */
export function recipeDiffText(diff: readonly RecipeChange[]): string {
  const lines: string[] = [];
  for (const { path, before, after } of diff)
    for (const [sign, value] of [
      ['-', before],
      ['+', after],
    ] as const)
      for (const line of told(path, value)) lines.push(`${sign} ${line}`);
  return lines.join('\n');
}

const STAGES =
  /^(gate|weights|batches|gradient|advantage|selection|allocation|gate\.judge|advantage\.consistency)$/;

function told(path: string, value: unknown): string[] {
  const written = path.replace(/^gate\.actions\b/, 'gate.checks');
  if (value === null) return [`${written}: ${nothing(written)}`];
  if (isMapping(value)) return Object.entries(value).flatMap(([key, own]) => told(`${path}.${key}`, own));
  if (Array.isArray(value)) return [`${written}: [${value.map(word).join(', ')}]`];
  return [`${written}: ${word(value)}`];
}

/** What a file says for a key that holds nothing. */
function nothing(path: string): string {
  if (STAGES.test(path)) return 'false';
  if (!path.startsWith('gate.checks.')) return 'null';
  return path.startsWith('gate.checks.judge:') ? 'drop' : 'off';
}

/** Text without quotes where it is one plain word; else as JSON, so that no control character gets through. */
function word(value: unknown): string {
  return typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
