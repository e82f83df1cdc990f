import { type Command, InvalidArgumentError } from 'commander';
import type { AuditReport, Records } from '../audit/index.ts';
import { CollapseAwareError, type DroppedRow } from '../errors.ts';
import { type FileSummary, type ReadFilesOptions, readFiles, readMapping } from '../formats/index.ts';
import { tell } from './terminal.ts';

/** What the command line says about input files. */
export interface InputFlags {
  readonly format?: string;
  readonly map?: string;
  readonly simulator?: string;
  readonly simulatorFrom?: RegExp;
  readonly simulatorRole?: string;
  readonly policy?: string;
  readonly strict?: boolean;
}

export function withInputOptions(command: Command): Command {
  return command
    .option('--format <name>', 'read every file as this format (default: found by content)')
    .option('--map <file>', 'YAML mapping for files of no known format (docs/formats.md)')
    .option('--simulator <name>', 'name of the simulator of every row', nameArgument)
    .option(
      '--simulator-from <regex>',
      'take the simulator from the file name: first group, or the match',
      pattern,
    )
    .option('--simulator-role <role>', 'which role of the file is the simulated user', nameArgument)
    .option('--policy <name>', 'name of the policy of every row', nameArgument)
    .option('--strict', 'end with status 3 if any row was dropped');
}

export function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(`not a regular expression: ${(error as Error).message}`);
  }
}

export function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Exact ones only: beyond 2^53 another number than the one given would be used. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('not a whole number between -2^53 and 2^53');
  return number;
}

export function nameArgument(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('the name is empty');
  return text;
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number < 1) throw new InvalidArgumentError('give 1 or more');
  return number;
}

/** A whole number from 1: what many rows in memory, or a wait, hang on has an end. */
export const upTo =
  (most: number) =>
  (text: string): number => {
    const number = positiveNumber(text);
    if (number > most) throw new InvalidArgumentError(`give 1 to ${most}`);
    return number;
  };

/** Input files that can be read more than once, with what the last complete reading said of each. */
export interface InputFiles {
  readonly records: Records;
  /** Complete once the records were read through. */
  readonly files: () => readonly FileSummary[];
}

export async function openInput(
  paths: readonly string[],
  flags: InputFlags,
  isHuman = false,
  onDropped: (row: DroppedRow) => void = () => {},
): Promise<InputFiles> {
  const options: ReadFilesOptions = {
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.map === undefined ? {} : { reader: await readMapping(flags.map) }),
    ...(flags.simulator === undefined ? {} : { simulator: flags.simulator }),
    ...(flags.simulatorFrom === undefined ? {} : { simulatorFrom: flags.simulatorFrom }),
    ...(flags.simulatorRole === undefined ? {} : { simulatorRole: flags.simulatorRole }),
    ...(flags.policy === undefined ? {} : { policy: flags.policy }),
    ...(isHuman ? { simulatorKind: 'human' as const } : {}),
  };
  let last: readonly FileSummary[] = [];
  const records = async function* () {
    const reading = readFiles(paths, options);
    for await (const row of reading)
      if (row.kind === 'trajectory') yield row.trajectory;
      else onDropped(row.dropped);
    last = reading.files;
  };
  const settled = (files: readonly FileSummary[]) => {
    last = files;
  };
  return { files: () => last, records: Object.assign(records, { files: { paths, options, settled } }) };
}

/**
 * Says on standard error what could not be used, and decides whether the rest can be.
 * @throws the file's own error where nothing at all was read; CA_STRICT under `--strict`.
 */
export function checkInput(files: readonly FileSummary[], strict: boolean): void {
  const failed = files.filter(({ error }) => error !== null);
  const kept = files.reduce((sum, file) => sum + file.kept, 0);
  if (kept === 0) {
    const first = failed[0]?.error;
    if (first != null) throw first;
    const dropped = files.flatMap(({ droppedRows }) => droppedRows)[0];
    throw new CollapseAwareError(
      'CA_INPUT_EMPTY',
      dropped === undefined
        ? 'no row was found'
        : `no row could be used; the first: ${dropped.code} ${dropped.reason}`,
      {
        place: dropped === undefined ? {} : placeOf(dropped),
        todo: 'check --format, --map and --simulator-role',
      },
    );
  }
  for (const { error } of failed) tell(`not read: ${error!.line}`);
  for (const file of files) {
    for (const warning of file.warnings) tell(`note: ${file.path}: ${warning}`);
    if (file.dropped === 0) continue;
    const first = file.droppedRows[0]!;
    const line = first.line === null ? '' : `:${first.line}`;
    tell(
      `dropped: ${file.dropped} of ${file.rows} rows of ${file.path}; the first (${file.path}${line}): ${first.code} ${first.reason}`,
    );
  }
  const dropped = files.reduce((sum, file) => sum + file.dropped, 0);
  if (strict && (dropped > 0 || failed.length > 0))
    throw new CollapseAwareError(
      'CA_STRICT',
      `${dropped} rows were dropped and ${failed.length} files not read`,
      { todo: 'mend or remove them, or leave --strict out' },
    );
}

/**
 * Files are read more than once: the counts of a report and its figures must be of the same rows.
 * @throws CA_FILE_UNREADABLE where a later reading found something else.
 */
export function checkUnchanged(before: readonly FileSummary[], after: readonly FileSummary[]): void {
  const now = new Map(after.map((file) => [file.path, file]));
  for (const { path, rows, kept, error } of before) {
    const file = now.get(path);
    if (file?.rows === rows && file.kept === kept && file.error?.code === error?.code) continue;
    throw new CollapseAwareError('CA_FILE_UNREADABLE', 'the file changed while it was read', {
      place: { file: path },
      todo: 'wait until it is written, or read a copy; `watch` follows a run that goes on',
    });
  }
}

function placeOf({ file, line }: DroppedRow): { file: string; line?: number } {
  return line === null ? { file } : { file, line };
}

/** The report's account of its input: rows = kept + dropped. */
export function inputAccount(
  files: readonly FileSummary[],
  reference: readonly FileSummary[] | null,
): Omit<AuditReport['input'], 'duplicates'> {
  const sum = (of: readonly FileSummary[], key: 'rows' | 'kept') =>
    of.reduce((total, file) => total + file[key], 0);
  return {
    files: files.map(({ path, format, rows, kept }) => ({ path, format: format ?? 'unknown', rows, kept })),
    rows: sum(files, 'rows'),
    kept: sum(files, 'kept'),
    dropped: droppedOf(files),
    reference: reference === null ? null : { rows: sum(reference, 'rows'), kept: sum(reference, 'kept') },
  };
}

function droppedOf(files: readonly FileSummary[]): AuditReport['input']['dropped'] {
  const reasons = new Map<string, { code: string; reason: string; count: number; first: string }>();
  for (const file of files) {
    for (const [code, count] of Object.entries(file.droppedBy)) {
      const example = file.droppedRows.find((row) => row.code === code);
      const known = reasons.get(code);
      if (known !== undefined) known.count += count;
      else
        reasons.set(code, {
          code,
          reason: example?.reason ?? '',
          count,
          first: example?.line == null ? file.path : `${file.path}:${example.line}`,
        });
    }
    if (file.error !== null)
      reasons.set(`${file.error.code} ${file.path}`, {
        code: file.error.code,
        reason: `file not read: ${file.error.message}`,
        count: 0,
        first: file.path,
      });
  }
  return [...reasons.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}
