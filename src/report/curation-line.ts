import { ascii, clip, wrap } from './plain-text.ts';

/** Columns of a curation's summary, and of the names at the start of its lines. */
export const WIDTH = 100;
export const NAME = 10;

/** A name and its text, broken into at most `lines` lines; a cut is marked. */
export function row(name: string, text: string, lines = 1): string[] {
  const all = wrap(ascii(text), WIDTH - NAME);
  const shown = all.slice(0, lines);
  if (all.length > lines) shown[lines - 1] = `${clip(shown[lines - 1]!, WIDTH - NAME - 3)} ..`;
  return shown.map((line, at) => clip(`${(at === 0 ? name : '').padEnd(NAME)}${line}`, WIDTH));
}

/** `1,040` */
export function whole(count: number): string {
  return Math.round(count)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 row`, `1,040 rows`. */
export function counted(count: number, one: string): string {
  return `${whole(count)} ${one}${Math.round(count) === 1 ? '' : 's'}`;
}
