/**
 * Wordings in a small notation: `(a|b|)` is one of its branches, `<name>` a slot. Compiled once, said often.
 */
export type Pattern =
  | string
  | { readonly slot: string }
  | { readonly all: readonly Pattern[] }
  | { readonly any: readonly Pattern[] };

export type Slots = Readonly<Record<string, string>>;
/** One of 0 .. n-1. */
export type Choose = (n: number) => number;

/** Throws a SyntaxError on brackets that do not pair: the tables are source, a fault in them is a fault here. */
export function compile(text: string): Pattern {
  let at = 0;
  const branch = (inside: boolean): Pattern => {
    const parts: Pattern[] = [];
    let literal = '';
    const flush = () => {
      if (literal !== '') parts.push(literal);
      literal = '';
    };
    for (; at < text.length; at++) {
      const sign = text[at]!;
      if (sign === '(') {
        flush();
        const any: Pattern[] = [];
        do {
          at++;
          any.push(branch(true));
        } while (text[at] === '|');
        if (text[at] !== ')') throw new SyntaxError(`unclosed bracket in "${text}"`);
        parts.push({ any });
      } else if (sign === '<') {
        flush();
        const end = text.indexOf('>', at);
        if (end === -1) throw new SyntaxError(`unclosed slot in "${text}"`);
        parts.push({ slot: text.slice(at + 1, end) });
        at = end;
      } else if (inside && (sign === '|' || sign === ')')) break;
      else literal += sign;
    }
    flush();
    return parts.length === 1 ? parts[0]! : { all: parts };
  };
  const whole = branch(false);
  if (at < text.length) throw new SyntaxError(`stray "${text[at]}" in "${text}"`);
  return whole;
}

/** Throws a RangeError on a slot nobody fills. */
export function say(pattern: Pattern, slots: Slots, choose: Choose): string {
  if (typeof pattern === 'string') return pattern;
  if ('slot' in pattern) {
    const value = slots[pattern.slot];
    if (value === undefined) throw new RangeError(`no value for <${pattern.slot}>`);
    return value;
  }
  if ('any' in pattern) return say(pattern.any[choose(pattern.any.length)]!, slots, choose);
  let text = '';
  for (const part of pattern.all) text += say(part, slots, choose);
  return text;
}

export function compileAll<Key extends string>(
  table: Readonly<Record<Key, readonly string[]>>,
): Readonly<Record<Key, Pattern>> {
  const entries = Object.entries<readonly string[]>(table);
  return Object.fromEntries(
    entries.map(([key, texts]) => [key, { any: texts.map(compile) }]),
  ) as unknown as Record<Key, Pattern>;
}
