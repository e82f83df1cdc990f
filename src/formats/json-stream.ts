import type { Code, DroppedRow } from '../errors.ts';
import { JsonScan } from './json-scan.ts';
import { parseJson } from './json-text.ts';
import type { Source, TextLine } from './reader.ts';
import { DEFAULT_ROW_LIMIT } from './source.ts';

/** A JSON value and the line it begins at, or a dropped row (itself a `Row`, to be yielded on). */
export type JsonItem =
  | { readonly kind: 'value'; readonly value: unknown; readonly line: number }
  | { readonly kind: 'dropped'; readonly dropped: DroppedRow };

export interface JsonValuesOptions {
  /** Arrays at the top are opened, so that each element is an item (default). */
  readonly flatten?: boolean;
  readonly rowLimit?: number | undefined;
}

/**
 * The JSON values of a file, by content and not by name: a value a line, one document, pretty-printed or
 * concatenated values, arrays a line or over many lines. Log text and broken values are dropped rows, and
 * reading goes on. Memory: one value.
 */
export async function* jsonValues(source: Source, options: JsonValuesOptions = {}): AsyncGenerator<JsonItem> {
  const flatten = options.flatten ?? true;
  const assembler = new JsonAssembler(source.path, options.rowLimit ?? DEFAULT_ROW_LIMIT);
  for await (const line of source.lines()) {
    if (line.number === 1 && line.fault?.code === 'CA_ROW_TOO_LARGE') {
      const array = await wholeArray(source);
      if (array !== null) {
        for (const item of assembler.push({ number: 1, text: array }))
          if (item.kind === 'value' && flatten) yield* elements(item.value, 1, 0);
          else yield item;
        break;
      }
    }
    if (assembler.idle && line.fault === undefined) {
      const { text } = line;
      if (text === '') continue;
      const code = text.charCodeAt(0);
      if (code === 0x7b || code === 0x5b) {
        const parsed = parseJson(text);
        if (parsed.ok) {
          if (flatten && code === 0x5b) yield* elements(parsed.value, line.number, 0);
          else yield { kind: 'value', value: parsed.value, line: line.number };
          continue;
        }
      }
    }
    for (const item of assembler.push(line))
      if (item.kind === 'value' && flatten) yield* elements(item.value, item.line, 0);
      else yield item;
  }
  if (!assembler.idle) source.endsOpen?.();
  yield* assembler.end();
  if (assembler.unclosed) source.warn('the array is not closed: the file may be cut short');
}

function* elements(value: unknown, line: number, depth: number): Generator<JsonItem> {
  if (Array.isArray(value) && depth < 8) for (const item of value) yield* elements(item, line, depth + 1);
  else yield { kind: 'value', value, line };
}

/** A file that is one array on one line: its rows are within the limit, though the line is not. */
async function wholeArray(source: Source): Promise<string | null> {
  const head = await source.head();
  if (head.shape !== 'json' || !Array.isArray(head.first)) return null;
  const text = await source.text();
  return text.trimEnd().includes('\n') ? null : text;
}

interface Held {
  readonly number: number;
  readonly text: string;
}

/** Puts values together that do not stand on one line. */
class JsonAssembler {
  readonly #file: string;
  readonly #limit: number;
  #held: Held[] = [];
  #size = 0;
  #scan = new JsonScan();
  #inArray = false;
  /** What stands before the held value on its line: elements of an indented array resume at it. */
  #indent = '';
  /** Inside the rest of a broken value, which is one dropped row already. */
  #lost = false;
  #out: JsonItem[] = [];

  constructor(file: string, limit: number) {
    this.#file = file;
    this.#limit = limit;
  }

  get idle(): boolean {
    return this.#held.length === 0 && !this.#inArray && !this.#lost;
  }

  get unclosed(): boolean {
    return this.#inArray;
  }

  push(line: TextLine): JsonItem[] {
    this.#out = [];
    if (line.fault !== undefined) {
      if (this.#held.length > 0) this.#drop(this.#held[0]?.number ?? line.number, CUT);
      this.#reset();
      this.#drop(line.number, line.fault.reason, line.fault.code);
    } else this.#line(line);
    return this.#out;
  }

  end(): JsonItem[] {
    this.#out = [];
    while (this.#held.length > 0) this.#breakHeld(CUT);
    return this.#out;
  }

  #line(line: Held): void {
    if (this.#lost) {
      if (!opens(line.text, this.#indent)) return;
      this.#lost = false;
    }
    if (this.#held.length > 0) this.#continue(line);
    else this.#consume(line, 0);
  }

  #continue(line: Held): void {
    const last = this.#held.at(-1) as Held;
    if (!joins(last.text, line.text)) {
      this.#breakHeld('not JSON: a value breaks off', line);
      return;
    }
    const end = this.#scan.feed(line.text);
    if (end === -1) {
      this.#held.push(line);
      this.#size += line.text.length + 1;
      if (this.#scan.inString) this.#breakHeld('not JSON: a line ends inside a string');
      else if (this.#size > this.#limit) {
        this.#drop(
          this.#held[0]?.number ?? line.number,
          `the value is longer than ${Math.round(this.#limit / 1048576)} MiB`,
          'CA_ROW_TOO_LARGE',
        );
        this.#reset();
        this.#lost = true;
      }
      return;
    }
    const first = this.#held[0] as Held;
    const text = `${this.#held.map((held) => held.text).join('\n')}\n${line.text.slice(0, end)}`;
    this.#clear();
    this.#value(text, first.number);
    this.#consume(line, end);
  }

  /** Takes whole values from a line; what is left open is held. */
  #consume(line: Held, from: number): void {
    const { text } = line;
    for (let at = from; ; ) {
      at = skipBlank(text, at, this.#inArray);
      if (at >= text.length) return;
      const c = text[at];
      if (this.#inArray && c === ']') {
        this.#inArray = false;
        at++;
        continue;
      }
      if (c !== '{' && c !== '[') {
        if (!this.#inArray) {
          this.#drop(
            line.number,
            text.includes('\0') ? 'not JSON: NUL bytes' : `not JSON: '${excerpt(text.slice(at))}'`,
          );
          return;
        }
        const scalar = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^,\]\s{["]+)/.exec(text.slice(at))?.[0];
        if (scalar === undefined) {
          this.#drop(line.number, `not JSON: '${excerpt(text.slice(at))}'`);
          return;
        }
        this.#value(scalar, line.number);
        at += scalar.length;
        continue;
      }
      this.#scan = new JsonScan();
      const end = this.#scan.feed(text, at);
      if (c === '[' && !this.#inArray) {
        const parsed = end === -1 ? null : parseJson(text.slice(at, end));
        if (parsed?.ok === true) {
          this.#out.push({ kind: 'value', value: parsed.value, line: line.number });
          at = end;
        } else {
          // Elements are taken one by one: a broken one costs itself only.
          this.#inArray = true;
          at++;
        }
        continue;
      }
      if (end !== -1) {
        this.#value(text.slice(at, end), line.number);
        at = end;
      } else if (this.#scan.inString) {
        this.#drop(line.number, 'not JSON: the line ends inside a string (cut off?)');
        this.#inArray = false;
        return;
      } else {
        this.#held = [{ number: line.number, text: text.slice(at) }];
        this.#indent = text.slice(0, at).trim() === '' ? text.slice(0, at) : '';
        this.#size = text.length - at;
        return;
      }
    }
  }

  #value(text: string, line: number): void {
    const parsed = parseJson(text);
    if (parsed.ok) this.#out.push({ kind: 'value', value: parsed.value, line });
    else this.#drop(line, parsed.reason);
  }

  /** The value begun at the first held line is lost; a line after it that is a value by itself is not. */
  #breakHeld(reason: string, next?: Held): void {
    const [first, ...rest] = this.#held;
    this.#clear();
    this.#drop((first as Held).number, reason);
    const indent = this.#indent;
    let resume = rest.findIndex(
      (line) => opens(line.text, indent) && (indent !== '' || parseJson(line.text).ok),
    );
    if (next !== undefined) {
      rest.push(next);
      if (resume === -1 && opens(next.text, indent)) resume = rest.length - 1;
    }
    if (rest.length === 0) {
      this.#inArray = false;
      return;
    }
    this.#lost = true;
    if (resume !== -1) for (const line of rest.slice(resume)) this.#line(line);
  }

  #drop(line: number, reason: string, code: Code = 'CA_JSON_INVALID'): void {
    this.#out.push({ kind: 'dropped', dropped: { file: this.#file, line, id: null, code, reason } });
  }

  #clear(): void {
    this.#held = [];
    this.#size = 0;
  }

  #reset(): void {
    this.#clear();
    this.#inArray = false;
  }
}

const CUT = 'not JSON: the text ends inside a value (cut off?)';

/** Whether a line may open a row of its own: a value right after the indentation. */
function opens(text: string, indent: string): boolean {
  return text.startsWith(`${indent}{`) || text.startsWith(`${indent}[`);
}

/** Whether JSON may go on with `next` after a line that ends as `previous` does. */
function joins(previous: string, next: string): boolean {
  const last = /(\S)\s*$/.exec(previous.slice(-200))?.[1];
  const first = /^\s*(\S)/.exec(next.slice(0, 1000))?.[1];
  if (last === undefined || first === undefined) return true;
  if (first === '}' || first === ']' || first === ',' || first === ':') return true;
  // A value needs a separator or an opening bracket before it; after `{` only a key may come.
  if (last === '{') return first === '"';
  return (last === ',' || last === '[' || last === ':') && /[{["\-0-9tfnNI]/.test(first);
}

function skipBlank(text: string, from: number, commas: boolean): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && (code < 9 || code > 13) && code !== 0xfeff && !(commas && code === 0x2c)) break;
  }
  return at;
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
