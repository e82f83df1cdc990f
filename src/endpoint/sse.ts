import { StringDecoder } from 'node:string_decoder';

/**
 * Payloads of server-sent events (WHATWG HTML, 9.2.6) out of bytes that are cut anywhere. Only `data` is kept: its lines
 * joined by line feeds, one payload an event. Lines end in LF, CRLF or CR; comments and other fields are passed over.
 */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  /** Of a line that is not over yet. */
  #open = '';
  #data: string | null = null;
  #first = true;
  /** A line ended in CR: an LF that follows belongs to it. */
  #afterReturn = false;

  /** Characters kept of an event that is not over: for a limit. */
  get held(): number {
    return this.#open.length + (this.#data?.length ?? 0);
  }

  /** Payloads that are whole with these bytes. */
  push(bytes: Buffer): string[] {
    const found: string[] = [];
    let text = this.#decoder.write(bytes);
    if (text === '') return found;
    if (this.#first) {
      this.#first = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    const returns = text.includes('\r');
    let from = this.#afterReturn && text.charCodeAt(0) === 10 ? 1 : 0;
    this.#afterReturn = false;
    for (;;) {
      const feed = text.indexOf('\n', from);
      const back = returns ? text.indexOf('\r', from) : -1;
      const at = back >= 0 && (feed < 0 || back < feed) ? back : feed;
      if (at < 0) break;
      this.#line(this.#open + text.slice(from, at), found);
      this.#open = '';
      from = at + 1;
      if (at !== back) continue;
      if (from === text.length) this.#afterReturn = true;
      else if (text.charCodeAt(from) === 10) from++;
    }
    if (from < text.length) this.#open += text.slice(from);
    return found;
  }

  /** What stands behind the last blank line: an event that was cut off, unless the server forgot that line. */
  end(): string | null {
    const found: string[] = [];
    this.#line(this.#open + this.#decoder.end(), found);
    this.#open = '';
    const rest = this.#data;
    this.#data = null;
    return found[0] ?? rest;
  }

  #line(line: string, found: string[]): void {
    if (line === '') {
      if (this.#data !== null) found.push(this.#data);
      this.#data = null;
      return;
    }
    if (!line.startsWith('data')) return;
    const colon = line.charCodeAt(4) === 58;
    if (!colon && line.length > 4) return;
    const value = colon ? line.slice(line.charCodeAt(5) === 32 ? 6 : 5) : '';
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
  }
}
