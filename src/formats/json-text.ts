export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * JSON as it occurs: Python's NaN and Infinity become null, halves of surrogate pairs U+FFFD. Never throws.
 * Plain JSON costs one JSON.parse and one search.
 */
export function parseJson(text: string): ParsedJson {
  const sound = text.includes('\\ud') || text.includes('\\uD') ? mendSurrogates(text) : text;
  try {
    return { ok: true, value: JSON.parse(sound) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'nested too deeply' };
    if (text.includes('NaN') || text.includes('Infinity')) {
      const mended = mendNumbers(sound);
      if (mended !== null)
        try {
          return { ok: true, value: JSON.parse(mended) };
        } catch {
          // The first reason is the one to tell.
        }
    }
    return { ok: false, reason: reasonOf(error, text) };
  }
}

/** JSON text that every reader takes: halves of surrogate pairs, which UTF-8 cannot hold, are U+FFFD. */
export function soundJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? mendSurrogates(text) : text;
}

/** Escapes of half a pair to \ufffd; `\\` is matched so that an escaped backslash is not read as an escape. */
function mendSurrogates(text: string): string {
  return text.replace(
    /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g,
    (match) => (match.length === 6 ? '\\ufffd' : match),
  );
}

function mendNumbers(text: string): string | null {
  const parts: string[] = [];
  let from = 0;
  let changed = false;
  const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0].startsWith('"')) continue;
    parts.push(text.slice(from, match.index), 'null');
    from = match.index + match[0].length;
    changed = true;
  }
  if (!changed) return null;
  parts.push(text.slice(from));
  return parts.join('');
}

/** V8's message without the quoted content (it may be long, or private). */
function reasonOf(error: unknown, text: string): string {
  if (text.includes('\0')) return 'not JSON: NUL bytes in the text';
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message);
  const found = text.slice(0, 40).replace(/\s+/g, ' ');
  if (
    /end of JSON input|Unterminated string|after array element|after property/.test(message) &&
    /[{[]/.test(text[0] ?? '')
  )
    if (position === null || Number(position[1]) >= text.length)
      return 'not JSON: the text ends inside a value (cut off?)';
  return position === null
    ? `not JSON: begins '${found}'`
    : `not JSON at character ${Number(position[1]) + 1}: begins '${found}'`;
}
