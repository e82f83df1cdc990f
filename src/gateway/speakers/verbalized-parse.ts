import { type Choices, callArguments } from './verbalized-tools.ts';

/** A reply that a model wrote down as possible. */
export interface Stated {
  readonly text: string | null;
  readonly call: { readonly name: string; readonly arguments: string } | null;
  /** As stated, in [0, 1]; null where what is stated is no probability. */
  readonly probability: number | null;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters that are looked at, and places where JSON may begin that are tried. */
const LONGEST = 200_000;
const STARTS = 400;
/** Characters of a probability that is written as text. */
const LONGEST_NUMBER = 64;

/**
 * The candidates in what a model said: as JSON, in a code fence, behind thoughts or in running text; where the JSON is
 * cut off, those that are whole. What is no reply (no text, an unknown tool, JSON as text) is left out.
 */
export function parseCandidates(said: string, choices: Choices): readonly Stated[] {
  const text = withoutThoughts(said).slice(0, LONGEST).trim();
  const read = (all: readonly unknown[]) =>
    all.map((one) => statedOf(one, choices)).filter((one) => one !== null);
  let best: readonly Stated[] = [];
  const loose: Stated[] = [];
  for (const value of jsonIn(text)) {
    const found = read(listIn(value) ?? []);
    if (found.length > best.length) best = found;
    loose.push(...read([value]));
  }
  // Single ones count where the list around them was cut off, and not where they stand in prose.
  return percentages(best.length === 0 && /^(```\w*\s*)?[{[]/.test(text) ? loose : best);
}

/**
 * Whether a text is (or holds) such JSON: nothing that a user says, so that it must not reach a client. In time that
 * grows with the text alone: models held to JSON are known to go on in white space until they are cut off.
 */
export function isRawJson(text: string): boolean {
  if (/["']\s{0,9}(candidates|probability|prob)\s{0,9}\\{0,9}["']\s{0,9}:/i.test(text)) return true;
  const bare = withoutThoughts(text)
    .trim()
    .replace(/^```\w*|```$/g, '')
    .trim();
  if (!/^[{[]/.test(bare)) return false;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    // Cut off, or nearly JSON: a brace and a quoted key.
    return /^[{[]\s*(\{\s*)?["'][^"']*["']\s*[:,\]]/.test(bare);
  }
}

const withoutThoughts = (text: string) => text.replace(/^\s*<think(ing)?>[\s\S]*?<\/think(ing)?>/i, '');

/** The list of candidates in a value: itself, or under whatever key it stands. */
function listIn(value: unknown, depth = 4): readonly unknown[] | null {
  if (Array.isArray(value))
    return value.some((one) => isObject(one) || typeof one === 'string') ? value : null;
  if (!isObject(value) || depth === 0) return null;
  if (Array.isArray(value.candidates)) return value.candidates;
  for (const inner of Object.values(value)) {
    const found = Array.isArray(inner) && !inner.some(isObject) ? null : listIn(inner, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function statedOf(value: unknown, choices: Choices): Stated | null {
  if (typeof value === 'string') return choices.text && isSpeech(value) ? speech(value, null) : null;
  if (!isObject(value)) return null;
  const probability = probabilityOf(value.probability ?? value.prob);
  if (typeof value.tool === 'string') {
    const tool = choices.tools.find(({ name }) => name === value.tool);
    const given = tool === undefined ? null : callArguments(value.arguments, tool);
    return given === null ? null : { text: null, call: { name: value.tool, arguments: given }, probability };
  }
  const text = value.text ?? value.response;
  return choices.text && typeof text === 'string' && isSpeech(text) ? speech(text, probability) : null;
}

const speech = (text: string, probability: number | null): Stated => ({ text, call: null, probability });
const isSpeech = (text: string) => text.trim() !== '' && !isRawJson(text);

/** Above 1 it may be a percentage: see `percentages`. */
function probabilityOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  const text = typeof value === 'string' && value.length <= LONGEST_NUMBER ? value : '';
  const found = /^\s*~?(\d*\.?\d+(?:e-?\d+)?)\s*(%?)\s*$/i.exec(text);
  if (found === null) return null;
  return found[2] === '%' ? Number(found[1]) / 100 : Number(found[1]);
}

/** 40, 35, 25 are percentages; a lone 7 among fractions is nothing. */
function percentages(all: readonly Stated[]): readonly Stated[] {
  const known = all.map(({ probability }) => probability).filter((one) => one !== null);
  if (known.every((one) => one <= 1)) return all;
  const percent = known.every((one) => one <= 100 && (one === 0 || one >= 1));
  return all.map((one) => {
    if (one.probability === null) return one;
    if (percent) return { ...one, probability: one.probability / 100 };
    return one.probability > 1 ? { ...one, probability: null } : one;
  });
}

/** JSON objects and lists in a text, outermost first, in order. */
function* jsonIn(text: string): Generator<unknown> {
  let tried = 0;
  for (let at = text.search(/[{[]/); at >= 0 && at < text.length && tried < STARTS; tried++) {
    const end = closing(text, at);
    let value: unknown;
    if (end !== null)
      try {
        value = JSON.parse(text.slice(at, end)) as unknown;
      } catch {}
    if (value !== undefined) yield value;
    const from = value !== undefined && end !== null ? end : at + 1;
    const next = text.slice(from).search(/[{[]/);
    at = next < 0 ? -1 : from + next;
  }
}

/** Behind the bracket that closes the one at `from`; null where none does. */
function closing(text: string, from: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return null;
}
