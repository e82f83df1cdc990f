import { CollapseAwareError } from '../errors.ts';

/** Rows one after another without a usable vote: then the endpoint is down or the model unfit, not the row odd. */
const MOST_DRY = 20;
const MOST_QUOTED = 160;

/** How one row ended: with a usable vote, with replies that hold none (the first one's text), or with no reply. */
export type RowEnd =
  | { readonly is: 'usable'; readonly cached: boolean }
  | { readonly is: 'unusable'; readonly cached: boolean; readonly said: string }
  | { readonly is: 'failed'; readonly error: CollapseAwareError };

/**
 * Ends a run whose rows get no usable vote: a gate that lets everything pass unseen is worse than none.
 *
 * Rows without a reply are counted as they come, to stop early, and what the cache answered says nothing of the
 * endpoint. Rows without a usable vote are counted in the order of the rows, cached or not: so a run from the cache
 * ends where the run that filled it ended.
 */
export class Drought {
  readonly #name: string;
  readonly #cache: string;
  #failed = 0;
  #dry = 0;
  #rows = 0;
  #last: RowEnd | null = null;
  #isWet = false;

  /** `name` is the endpoint without credentials, `cache` the folder that replies are kept in. */
  constructor(name: string, cache: string) {
    this.#name = name;
    this.#cache = cache;
  }

  /** Rows that may still go without a vote before the run ends, 1 or more. */
  get room(): number {
    return MOST_DRY - this.#dry;
  }

  /** As soon as a row ends. @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY after 20 without a reply. */
  note(end: RowEnd): void {
    if (end.is === 'failed') {
      if (++this.#failed >= MOST_DRY) throw this.#fault(end, `for ${MOST_DRY} rows in a row`);
    } else if (!end.cached) this.#failed = 0;
  }

  /** In the order of the rows. @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY after 20 without a usable vote. */
  count(end: RowEnd): void {
    this.#rows++;
    this.#last = end;
    if (end.is === 'usable') {
      this.#isWet = true;
      this.#dry = 0;
    } else if (++this.#dry >= MOST_DRY) throw this.#fault(end, `for ${MOST_DRY} rows in a row`);
  }

  /** After the last row. @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY where no row got a usable vote. */
  finish(): void {
    if (this.#isWet || this.#last === null) return;
    throw this.#fault(this.#last, this.#rows === 1 ? 'for the only row' : `for any of ${this.#rows} rows`);
  }

  #fault(end: RowEnd, which: string): CollapseAwareError {
    if (end.is === 'failed')
      // A reply that is no API's is a reply all the same.
      return new CollapseAwareError(
        end.error.code === 'CA_ENDPOINT_REPLY' ? 'CA_ENDPOINT_REPLY' : 'CA_ENDPOINT_FAILED',
        `the judge gave no answer ${which}; the last: ${end.error.message}`,
        {
          todo: `${end.error.todo ?? 'check the endpoint'}; what was answered is cached, so run again`,
          cause: end.error,
        },
      );
    const said = end.is === 'unusable' ? end.said : '';
    return new CollapseAwareError(
      'CA_ENDPOINT_REPLY',
      `${this.#name}: the judge gave no usable answer ${which}; the last reply: ${quoted(said)}`,
      {
        todo: `use a stronger model, or fix the server and delete ${this.#cache}, where its replies are kept; or leave gate.judge out`,
      },
    );
  }
}

/** One line, without control characters. */
function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (line === '') return 'empty';
  return line.length <= MOST_QUOTED
    ? line
    : `${line.slice(0, MOST_QUOTED - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
