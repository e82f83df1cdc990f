/** Index just after the JSON value that opens at `start`, or -1 where it does not end in the text. */
export function valueEnd(text: string, start: number): number {
  const scan = new JsonScan();
  return scan.feed(text, start);
}

/** Follows strings and brackets only; whether the text between them is JSON is the parser's business. */
export class JsonScan {
  depth = 0;
  inString = false;
  #escaped = false;

  /** Reads on; returns the index just after the bracket that closes the value, or -1. */
  feed(text: string, start = 0): number {
    const n = text.length;
    for (let i = start; i < n; i++) {
      if (this.inString) {
        i = this.#string(text, i);
        continue;
      }
      const code = text.charCodeAt(i);
      if (code === 0x22) this.inString = true;
      else if (code === 0x7b || code === 0x5b) this.depth++;
      else if (code === 0x7d || code === 0x5d) {
        this.depth--;
        if (this.depth <= 0) return i + 1;
      }
    }
    return -1;
  }

  /** Index of the string's last character seen. */
  #string(text: string, from: number): number {
    let i = from;
    if (this.#escaped) {
      this.#escaped = false;
      i++;
    }
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0x22) {
        this.inString = false;
        return i;
      }
      if (code === 0x5c) {
        i++;
        if (i >= text.length) this.#escaped = true;
      }
    }
    return i;
  }
}

/**
 * The value a cut-off JSON text began: the last complete member is kept, open brackets are closed.
 * `undefined` where nothing can be saved.
 */
export function closeJson(text: string): unknown {
  const open: string[] = [];
  // Where a cut leaves valid JSON, and what then has to be closed.
  let cut = -1;
  let closing = '';
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
      continue;
    }
    if (c === '"') inString = true;
    else if (c === '{' || c === '[') {
      open.push(c === '{' ? '}' : ']');
      if (open.length > 1000) return undefined;
      cut = i + 1;
      closing = [...open].reverse().join('');
    } else if (c === '}' || c === ']') {
      if (open.pop() !== c) return undefined;
      cut = i + 1;
      closing = [...open].reverse().join('');
      if (open.length === 0) break;
    } else if (c === ',') {
      cut = i;
      closing = [...open].reverse().join('');
    }
  }
  if (cut === -1) return undefined;
  try {
    return JSON.parse(text.slice(0, cut) + closing);
  } catch {
    return undefined;
  }
}
