import type { Records } from '../audit/options.ts';
import { isHuman } from '../audit/options.ts';
import { CollapseAwareError } from '../errors.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/**
 * Kept or dropped, one byte a row as it was read, with 32 bits of its hash: a later reading that meets another row in
 * its place has met a changed file.
 */
export class Verdicts {
  #words = new Uint32Array(1024);
  #kept = new Uint8Array(1024);
  #size = 0;

  add(hash: string, kept: boolean): void {
    if (this.#size === this.#words.length) {
      const [words, bits] = [new Uint32Array(2 * this.#size), new Uint8Array(2 * this.#size)];
      words.set(this.#words);
      bits.set(this.#kept);
      this.#words = words;
      this.#kept = bits;
    }
    this.#words[this.#size] = Number.parseInt(hash.slice(0, 8), 16);
    this.#kept[this.#size++] = kept ? 1 : 0;
  }

  get size(): number {
    return this.#size;
  }

  /** Null where the row read at `at` is not the one that was judged. */
  of(at: number, hash: string): boolean | null {
    if (at >= this.#size || this.#words[at] !== Number.parseInt(hash.slice(0, 8), 16)) return null;
    return this.#kept[at] === 1;
  }
}

export interface Judged {
  readonly episode: Trajectory;
  readonly hash: string;
  readonly kept: boolean;
}

/**
 * The rows again, each with what was decided of it; people are passed over where they are the reference.
 * @throws CA_FILE_UNREADABLE where a file changed in between.
 */
export async function* judgedAgain(
  records: Records,
  verdicts: Verdicts,
  withoutPeople: boolean,
): AsyncGenerator<Judged> {
  let at = 0;
  for await (const episode of records()) {
    const hash = contentHash(episode.turns, episode.scenario);
    const kept = verdicts.of(at++, hash);
    if (kept === null) throw changedFile(episode);
    if (withoutPeople && isHuman(episode)) continue;
    yield { episode, hash, kept };
  }
  if (at !== verdicts.size) throw changedFile(null);
}

/** `episode` is not what stood in its place before; null: rows are gone. */
export function changedFile(episode: Trajectory | null): CollapseAwareError {
  const place =
    episode === null
      ? {}
      : {
          file: episode.source.file,
          ...(episode.source.line === null ? {} : { line: episode.source.line }),
        };
  return new CollapseAwareError('CA_FILE_UNREADABLE', 'the file changed while it was read', {
    place,
    todo: 'wait until it is written, or read a copy',
  });
}
