import { hashText } from '../trajectory/identity.ts';

/** JSON with the keys of every object in one order: two texts are equal where two values are. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

export const canonicalHash = (value: unknown): string => hashText(canonicalJson(value));

/**
 * The first place where two values differ, in the order of keys, as `settings.rounds is 6 there, 8 here`; null = none.
 * Only what JSON keeps counts.
 */
export function firstDifference(there: unknown, here: unknown): string | null {
  return differenceAt('', JSON.parse(canonicalJson(there)), JSON.parse(canonicalJson(here)));
}

function differenceAt(path: string, there: unknown, here: unknown): string | null {
  if (isObject(there) && isObject(here)) {
    for (const key of [...new Set([...Object.keys(there), ...Object.keys(here)])].sort()) {
      const at = path === '' ? key : `${path}.${key}`;
      const found = differenceAt(at, there[key], here[key]);
      if (found !== null) return found;
    }
    return null;
  }
  const [a, b] = [there, here].map((one) => (one === undefined ? 'not given' : canonicalJson(one)));
  return a === b ? null : `${path} is ${short(a!)} there, ${short(b!)} here`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
