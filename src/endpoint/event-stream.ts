import { type Exchange, ExchangeFault } from './exchange.ts';
import { EventReader } from './sse.ts';

const DONE = '[DONE]';
/** For what stands behind `[DONE]`, so that the socket can be used again. */
const REST_MS = 1000;
/** Characters of one event. */
const LONGEST = 4 * 2 ** 20;

/** The payloads of a streamed reply as they come, without `[DONE]`. `return()` cancels the upstream at once. */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #exchange: Exchange;
  readonly #reader = new EventReader();
  readonly #faultOf: (cause: unknown) => unknown;
  #ready: string[] = [];
  #at = 0;
  #over = false;
  #done = false;

  /** `faultOf` makes what is thrown out of what broke. */
  constructor(exchange: Exchange, faultOf: (cause: unknown) => unknown) {
    this.#exchange = exchange;
    this.#faultOf = faultOf;
  }

  /** Whether `[DONE]` came. */
  get done(): boolean {
    return this.#done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next payload without taking it; null where there is none any more. `begun`: bytes that were read already. */
  async peek(begun: readonly Buffer[] = []): Promise<string | null> {
    for (const piece of begun) this.#take(piece);
    while (this.#at >= this.#ready.length && !this.#over) await this.#more();
    return this.#ready[this.#at] ?? null;
  }

  /** The next payload if it has come already. */
  ready(): string | null {
    return this.#at < this.#ready.length ? this.#ready[this.#at++]! : null;
  }

  async next(): Promise<IteratorResult<string>> {
    while (this.#at >= this.#ready.length) {
      if (this.#over) return { done: true, value: undefined };
      try {
        await this.#more();
      } catch (cause) {
        this.#over = true;
        throw this.#faultOf(cause);
      }
    }
    return { done: false, value: this.#ready[this.#at++]! };
  }

  async return(): Promise<IteratorResult<string>> {
    this.#over = true;
    this.#ready = [];
    this.#at = 0;
    if (!this.#done) this.#exchange.cancel();
    return { done: true, value: undefined };
  }

  async #more(): Promise<void> {
    const piece = await this.#exchange.next();
    if (piece !== null) return this.#take(piece);
    if (this.#over) return;
    this.#over = true;
    const rest = this.#reader.end();
    if (rest === null || rest === DONE) {
      this.#done ||= rest === DONE;
      return;
    }
    if (!isWhole(rest)) throw broken('the stream ends in the middle of an event');
    this.#add([rest]);
  }

  #take(piece: Buffer): void {
    if (this.#over) return;
    const found = this.#reader.push(piece);
    if (this.#reader.held > LONGEST) {
      this.#exchange.cancel();
      throw broken(`an event of more than ${LONGEST} characters`);
    }
    const end = found.indexOf(DONE);
    if (end >= 0) {
      found.length = end;
      this.#done = true;
      this.#over = true;
      this.#exchange.discard(REST_MS);
    }
    this.#add(found);
  }

  #add(found: string[]): void {
    if (this.#at >= this.#ready.length) {
      this.#ready = found;
      this.#at = 0;
    } else this.#ready.push(...found);
  }
}

const broken = (found: string) => new ExchangeFault('broken', found, true);

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
