/**
 * The one catalogue of error codes. A code is stable: scripts may match on it.
 * `exit` is the status a command ends with: 2 wrong usage, 3 input that cannot be used.
 */
export const CODES = {
  CA_USAGE: { exit: 2, meaning: 'an option or argument is wrong' },
  CA_CONFIG_INVALID: { exit: 2, meaning: 'a settings or mapping file does not match its schema' },
  CA_DEPENDENCY_MISSING: { exit: 2, meaning: 'an optional package is needed and not installed' },
  CA_FILE_NOT_FOUND: { exit: 3, meaning: 'no such file, or a pattern that matches nothing' },
  CA_FILE_UNREADABLE: { exit: 3, meaning: 'the file exists but cannot be read or decompressed' },
  CA_FILE_UNWRITABLE: { exit: 3, meaning: 'the output file cannot be written' },
  CA_FILE_EMPTY: { exit: 3, meaning: 'the file holds no bytes' },
  CA_FILE_LFS_POINTER: { exit: 3, meaning: 'a git-lfs pointer stands where the data should be' },
  CA_FILE_ENCODING: { exit: 3, meaning: 'the bytes are not text in a known encoding' },
  CA_FORMAT_UNKNOWN: { exit: 3, meaning: 'no reader recognises the content' },
  CA_FORMAT_INVALID: { exit: 3, meaning: 'the content is not what its format promises' },
  CA_JSON_INVALID: { exit: 3, meaning: 'a line or file is not JSON' },
  CA_ROW_INVALID: { exit: 3, meaning: 'a row lacks a required field or has one of the wrong type' },
  CA_ROW_EMPTY: { exit: 3, meaning: 'a row has no messages' },
  CA_ROW_NO_SIMULATOR_TURN: { exit: 3, meaning: 'a row has no turn of the simulated user' },
  CA_ROW_TOO_LARGE: { exit: 3, meaning: 'a row is larger than the limit' },
  CA_INPUT_EMPTY: { exit: 3, meaning: 'no usable row is left' },
  CA_SPACE_MISMATCH: { exit: 3, meaning: 'numbers of two different behaviour spaces were to be compared' },
  CA_SPACE_TOO_SMALL: { exit: 3, meaning: 'too few rows to fit a behaviour space' },
  CA_PANEL_OVERLAP: { exit: 3, meaning: 'one simulator stands in two panels' },
  CA_ENDPOINT_FAILED: { exit: 3, meaning: 'a remote endpoint kept failing' },
  CA_ENDPOINT_REPLY: { exit: 3, meaning: 'a remote endpoint answered something that cannot be used' },
  CA_STORE_LOCKED: { exit: 3, meaning: 'another process holds the store' },
  CA_STORE_FAILED: { exit: 3, meaning: 'the store cannot be read or written' },
  CA_LISTEN_FAILED: { exit: 3, meaning: 'the address cannot be listened on' },
  CA_RUN_DIVERGED: { exit: 3, meaning: 'a run does not ask, or end, as what is kept of it says' },
  CA_STRICT: { exit: 3, meaning: 'rows were dropped and --strict was given' },
  CA_PAGE_NOT_BUILT: { exit: 3, meaning: 'the prebuilt report page is missing or not whole' },
  CA_INTERNAL: { exit: 3, meaning: 'a fault of this program' },
} as const satisfies Record<string, { exit: 2 | 3; meaning: string }>;

export type Code = keyof typeof CODES;

/** Where in the input a fault stands. Lines count from 1. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** An error a person can act on: what was found, where, and what to do. */
export class CollapseAwareError extends Error {
  readonly code: Code;
  readonly place: Place;
  readonly todo: string | undefined;

  constructor(code: Code, found: string, options: { place?: Place; todo?: string; cause?: unknown } = {}) {
    super(found, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CollapseAwareError';
    this.code = code;
    this.place = options.place ?? {};
    this.todo = options.todo;
  }

  get exit(): 2 | 3 {
    return CODES[this.code].exit;
  }

  /** One line for a terminal: `CA_X: file:line: found. todo`. */
  get line(): string {
    const { file, line, column } = this.place;
    const at =
      file === undefined
        ? ''
        : `${file}${line === undefined ? '' : `:${line}`}${column === undefined ? '' : `:${column}`}: `;
    return `${this.code}: ${at}${this.message}${this.todo === undefined ? '' : ` - ${this.todo}`}`;
  }
}

/** A row that could not be used; the rest of its file is. */
export interface DroppedRow {
  readonly file: string;
  readonly line: number | null;
  readonly id: string | null;
  readonly code: Code;
  readonly reason: string;
}
