import { type EventStream, errorIn } from '../../endpoint/index.ts';
import { ApiError } from '../wire/api-error.ts';
import { type Words, WordTally } from './spoken.ts';
import { apiErrorOf } from './upstream-fault.ts';

/** Of one reply, with everything around the words: all that is said is kept until it is on record. */
const MOST_CHARACTERS = 64 * 2 ** 20;

/**
 * An upstream's stream on its way to a client, as it comes, while it is noted what is said. Leaving early cancels the
 * upstream. A generator would not do: its `return()` waits for the piece under way.
 */
export class SpokenStream implements AsyncIterableIterator<string> {
  readonly #events: EventStream;
  readonly #showUsage: boolean;
  readonly #tally = new WordTally();
  #characters = 0;

  /** `showUsage`: whether the client asked for the chunk that counts tokens. */
  constructor(events: EventStream, showUsage: boolean) {
    this.#events = events;
    this.#showUsage = showUsage;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** So far. */
  words(): Words {
    return this.#tally.words();
  }

  /** @throws ApiError where the upstream breaks off or sends what is no chunk. */
  async next(): Promise<IteratorResult<string>> {
    for (;;) {
      let read: IteratorResult<string>;
      try {
        read = await this.#events.next();
      } catch (cause) {
        throw apiErrorOf(cause);
      }
      if (read.done === true) {
        if (!this.#events.done && !this.#tally.finished)
          throw broken('ended its stream before its reply was whole');
        return read;
      }
      if (this.#noted(read.value)) return read;
    }
  }

  /** @throws ApiError where it is no chunk. */
  ready(): string | null {
    for (let payload = this.#events.ready(); payload !== null; payload = this.#events.ready())
      if (this.#noted(payload)) return payload;
    return null;
  }

  return(): Promise<IteratorResult<string>> {
    return this.#events.return();
  }

  /** False for a chunk that only counts and that nobody asked for. */
  #noted(payload: string): boolean {
    this.#characters += payload.length;
    if (this.#characters > MOST_CHARACTERS) {
      void this.#events.return();
      throw broken(`sent a reply of more than ${MOST_CHARACTERS / 2 ** 20} MiB`);
    }
    let chunk: unknown = null;
    try {
      chunk = JSON.parse(payload);
    } catch {}
    if (typeof chunk !== 'object' || chunk === null) {
      void this.#events.return();
      throw broken('sent a chunk that is no JSON');
    }
    const { choices, usage } = chunk as { choices?: unknown; usage?: unknown };
    if (choices === undefined && errorIn(chunk) !== null) {
      void this.#events.return();
      throw broken('gave up in the middle of its reply');
    }
    this.#tally.add(chunk as Record<string, unknown>);
    return this.#showUsage || usage == null || !Array.isArray(choices) || choices.length > 0;
  }
}

const broken = (found: string) => new ApiError(502, `the upstream ${found}`, { code: 'upstream_reply' });
