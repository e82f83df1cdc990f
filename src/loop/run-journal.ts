import { type FileHandle, open } from 'node:fs/promises';
import { CollapseAwareError } from '../errors.ts';
import { writeFileAtomic } from '../store/index.ts';
import { hashText } from '../trajectory/identity.ts';
import type { RunEntry } from './run-store.ts';

export const JOURNAL_SCHEMA = 'collapse-aware/run-journal@1';

const CHUNK = 1 << 18;

/** What a journal was found to be. */
export interface JournalState {
  readonly entries: number;
  /** Up to the end of the last whole line. */
  readonly bytes: number;
  /** Behind that: what is left of a line that was being written when the writer was killed. */
  readonly torn: number;
  /** Hash over all lines, in their order. */
  readonly chain: string;
}

/**
 * The answers of a run, one a line. Every line ends with a hash over itself and all lines before it: a line that was
 * changed, moved or taken out is found, and only a last line without its end is taken for one that was cut.
 */
export class RunJournal {
  readonly path: string;
  readonly #handle: FileHandle;
  #state: JournalState;
  /** Why nothing can be appended any longer. */
  #fault: CollapseAwareError | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(path: string, handle: FileHandle, state: JournalState) {
    this.path = path;
    this.#handle = handle;
    this.#state = state;
  }

  /** Makes an empty one; it is there whole or not at all. Errors: CA_FILE_UNWRITABLE. */
  static async create(path: string, study: string): Promise<void> {
    await writeFileAtomic(path, sealed('', JSON.stringify({ schema: JOURNAL_SCHEMA, study })).line);
  }

  /**
   * For appending. A cut last line is removed: `torn` says how many bytes that took.
   * Errors: CA_FILE_NOT_FOUND, CA_FORMAT_INVALID with the line, CA_FILE_UNWRITABLE.
   */
  static async open(path: string, study: string): Promise<{ journal: RunJournal; torn: number }> {
    const handle = await openFile(path, 'r+');
    try {
      const state = await inspect(handle, path, study);
      if (state.torn > 0) {
        await handle.truncate(state.bytes);
        await handle.sync();
      }
      return { journal: new RunJournal(path, handle, { ...state, torn: 0 }), torn: state.torn };
    } catch (error) {
      await handle.close();
      throw error instanceof CollapseAwareError ? error : unwritable(path, error);
    }
  }

  get entries(): number {
    return this.#state.entries;
  }

  /** On disk when it resolves; where it rejects, the file is as it was. Errors: CA_FILE_UNWRITABLE. */
  append(entry: RunEntry): Promise<void> {
    const step = this.#queue.then(() => this.#append(entry));
    this.#queue = step.catch(() => {});
    return step;
  }

  async #append({ round, id, request, answer }: RunEntry): Promise<void> {
    if (this.#fault !== null) throw this.#fault;
    const { chain, bytes, entries } = this.#state;
    const next = sealed(chain, JSON.stringify({ seq: entries + 1, round, id, request, answer }));
    const line = Buffer.from(next.line);
    try {
      for (let done = 0; done < line.length; )
        done += (await this.#handle.write(line, done, line.length - done, bytes + done)).bytesWritten;
      await this.#handle.datasync();
    } catch (error) {
      const fault = unwritable(this.path, error);
      // A disk that failed to keep it may have kept half: nothing is written behind such a place.
      await this.#handle.truncate(bytes).catch(() => {});
      this.#fault = fault;
      throw fault;
    }
    this.#state = { entries: entries + 1, bytes: bytes + line.length, torn: 0, chain: next.chain };
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#handle.close();
  }
}

/** The entries of a journal that another process may be appending to. Errors as `RunJournal.open`. */
export async function* readJournal(path: string, study: string): AsyncGenerator<RunEntry> {
  const handle = await openFile(path, 'r');
  try {
    for await (const { entry } of checkedLines(handle, path, study)) if (entry !== null) yield entry;
  } catch (error) {
    throw error instanceof CollapseAwareError ? error : unreadable(path, error);
  } finally {
    await handle.close();
  }
}

async function openFile(path: string, flags: 'r' | 'r+'): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!missing && flags === 'r+') throw unwritable(path, error);
    if (!missing) throw unreadable(path, error);
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'the journal of the run is missing', {
      place: { file: path },
      todo: 'Restore it, or begin in another folder.',
    });
  }
}

async function inspect(handle: FileHandle, path: string, study: string): Promise<JournalState> {
  let [entries, bytes, chain] = [0, 0, ''];
  for await (const line of checkedLines(handle, path, study)) {
    ({ chain, end: bytes } = line);
    if (line.entry !== null) entries += 1;
  }
  const { size } = await handle.stat();
  return { entries, bytes, torn: size - bytes, chain };
}

interface CheckedLine {
  /** Null = the first line, which says what the file is. */
  readonly entry: RunEntry | null;
  readonly chain: string;
  /** Bytes of the file up to its end. */
  readonly end: number;
}

async function* checkedLines(handle: FileHandle, path: string, study: string): AsyncGenerator<CheckedLine> {
  let chain = '';
  let number = 0;
  for await (const { text, end } of wholeLines(handle)) {
    number += 1;
    const damaged = (found: string) =>
      new CollapseAwareError('CA_FORMAT_INVALID', found, {
        place: { file: path, line: number },
        todo:
          number === 1
            ? 'Restore the journal, or begin in another folder.'
            : `Restore the journal; or go on from the answers before that line: keep its first ${number - 1} lines and resume.`,
      });
    const match = SEALED.exec(text);
    if (match === null) throw damaged('a line of the journal is not whole');
    const body = `${match[1]!}}`;
    if (hashText(`${chain}\n${body}`) !== match[2])
      throw damaged('the journal was changed here, or lines before it were moved or taken out');
    chain = match[2]!;
    const content = objectOf(body);
    if (content === null) throw damaged('a line of the journal is not JSON');
    if (number === 1) {
      if (content.schema !== JOURNAL_SCHEMA)
        throw damaged(`no journal that this version reads: its schema is ${JSON.stringify(content.schema)}`);
      if (content.study !== study) throw damaged('the journal is of another run than run.json');
      yield { entry: null, chain, end };
    } else {
      if (content.seq !== number - 1) throw damaged(`answer ${number - 1} of the journal says it is another`);
      const { seq: _, ...entry } = content as unknown as RunEntry & { seq: number };
      if (typeof entry.answer?.kind !== 'string') throw damaged('a line of the journal has no answer');
      yield { entry, chain, end };
    }
  }
  if (number === 0)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'the journal has no first line', {
      place: { file: path },
      todo: 'Restore the journal, or begin in another folder.',
    });
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const SEALED = /^(\{.*),"chain":"([0-9a-f]{32})"\}$/s;

/** `body`, which is a JSON object, with the hash of the lines before it and itself at its end. */
function sealed(before: string, body: string): { line: string; chain: string } {
  const chain = hashText(`${before}\n${body}`);
  return { line: `${body.slice(0, -1)},"chain":"${chain}"}\n`, chain };
}

/** Lines that have their end. Node's own reader also ends lines where JSON has U+2028. */
async function* wholeLines(handle: FileHandle): AsyncGenerator<{ text: string; end: number }> {
  const buffer = Buffer.alloc(CHUNK);
  let rest: Buffer[] = [];
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    const chunk = Buffer.from(buffer.subarray(0, bytesRead));
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      const text = Buffer.concat([...rest, chunk.subarray(start, at)]).toString('utf8');
      rest = [];
      start = at + 1;
      yield { text, end: position + start };
    }
    rest.push(chunk.subarray(start));
    position += bytesRead;
  }
}

const unwritable = (path: string, cause: unknown) =>
  new CollapseAwareError('CA_FILE_UNWRITABLE', `the answer could not be kept (${(cause as Error).message})`, {
    place: { file: path },
    todo: 'Nothing of it was: check the free space and the permissions, then resume the run.',
    cause,
  });

const unreadable = (path: string, cause: unknown) =>
  new CollapseAwareError('CA_FILE_UNREADABLE', `the journal cannot be read (${(cause as Error).message})`, {
    place: { file: path },
    todo: 'Check what stands there and who may read it.',
    cause,
  });
