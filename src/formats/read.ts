import { type Code, CollapseAwareError, type DroppedRow } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { bestReader, detectReader } from './detect.ts';
import { matchName } from './name-pattern.ts';
import type { Reader, ReadOptions, Row, Source } from './reader.ts';
import { READERS, readerNamed } from './registry.ts';
import { openSource } from './source.ts';
import { curatedRows, expandPath, folderEntries } from './source-paths.ts';

export interface FileSummary {
  readonly path: string;
  /** Reader's name; null where none was chosen. */
  format: string | null;
  bytes: number | null;
  /** rows = kept + dropped, always. */
  rows: number;
  kept: number;
  dropped: number;
  droppedBy: Partial<Record<Code, number>>;
  /** The first `KEPT_REASONS` of them, with their reasons. */
  droppedRows: DroppedRow[];
  warnings: readonly string[];
  /** Why reading stopped; rows before it are kept. */
  error: CollapseAwareError | null;
}

export interface ReadFilesOptions extends ReadOptions {
  /** A reader's name, for every file. */
  readonly format?: string;
  /** A reader made from a mapping (`readMapping`), for every file; wins over `format`. */
  readonly reader?: Reader;
  /** Replaces the registry. */
  readonly readers?: readonly Reader[];
}

export type FileRow = Row & { readonly format: string; readonly path: string };

export interface FilesReading extends AsyncIterable<FileRow> {
  /** One per file, in reading order; complete once the rows have been read. */
  readonly files: readonly FileSummary[];
}

export const KEPT_REASONS = 1000;

/**
 * Reads files, patterns, folders and `-` one after another. Never throws for what is in a file: a file that
 * fails has its error in `files` and the others are read. Throws CA_USAGE only (unknown format name).
 * Rows without messages (CA_ROW_EMPTY) or without a turn of the simulated user (CA_ROW_NO_SIMULATOR_TURN)
 * are dropped here, and `simulator`, `simulatorFrom`, `simulatorKind` and `policy` override what files say.
 */
export function readFiles(paths: readonly string[], options: ReadFilesOptions = {}): FilesReading {
  const chosen = options.reader ?? (options.format === undefined ? null : readerNamed(options.format));
  const files: FileSummary[] = [];
  return {
    files,
    async *[Symbol.asyncIterator]() {
      files.length = 0;
      for (const given of paths) {
        let inputs: Awaited<ReturnType<typeof expandPath>>;
        try {
          inputs = await expandPath(given);
        } catch (error) {
          files.push({ ...emptySummary(given), error: coded(error, given) });
          continue;
        }
        for (const input of inputs)
          if (input.kind === 'folder') yield* readFolder(input.path, chosen, options, files);
          else yield* readOne(input.path, chosen, options, files, null);
      }
    },
  };
}

/** A run folder that some reader knows is read whole; of any other, its data files and folders. */
async function* readFolder(
  path: string,
  chosen: Reader | null,
  options: ReadFilesOptions,
  files: FileSummary[],
): AsyncGenerator<FileRow> {
  const before = files.length;
  try {
    const source = await openSource(path, options);
    const whole = bestReader(await source.head(), chosen === null ? (options.readers ?? READERS) : [chosen]);
    if (whole !== null) {
      yield* readOne(path, whole, options, files, source);
      return;
    }
    const curated = await curatedRows(path);
    for (const entry of curated === null ? await folderEntries(path) : [curated])
      if (entry.kind === 'folder') yield* readFolder(entry.path, chosen, options, files);
      else yield* readOne(entry.path, chosen, options, files, null);
  } catch (error) {
    files.push({ ...emptySummary(path), error: coded(error, path) });
  }
  if (files.length === before)
    files.push({
      ...emptySummary(path),
      error: new CollapseAwareError('CA_FILE_NOT_FOUND', 'the folder holds no data file', {
        place: { file: path },
        todo: 'give JSON, JSONL, CSV, XLSX or Parquet files, plain or as .gz / .zst',
      }),
    });
}

async function* readOne(
  path: string,
  chosen: Reader | null,
  options: ReadFilesOptions,
  files: FileSummary[],
  opened: Source | null,
): AsyncGenerator<FileRow> {
  const summary = emptySummary(path);
  files.push(summary);
  try {
    const source = opened ?? (await openSource(path, options));
    summary.bytes = source.bytes;
    summary.warnings = source.warnings;
    const reader = chosen ?? detectReader(await source.head(), source.path, options.readers ?? READERS);
    yield* readSource(source, reader, options, summary);
  } catch (error) {
    summary.error = coded(error, path);
  }
}

/** Rows of one source as they are counted in `summary`. Throws what the reader throws. */
export async function* readSource(
  source: Source,
  reader: Reader,
  options: ReadOptions,
  summary: FileSummary,
): AsyncGenerator<FileRow> {
  const format = reader.name;
  summary.format = format;
  const override = overrides(source.name, options);
  for await (const row of reader.read(source, options)) {
    const checked = row.kind === 'trajectory' ? checkTrajectory(row.trajectory) : row;
    summary.rows++;
    if (checked.kind === 'trajectory') {
      summary.kept++;
      yield {
        kind: 'trajectory',
        trajectory: override === null ? checked.trajectory : override(checked.trajectory),
        format,
        path: source.path,
      };
    } else {
      count(summary, checked.dropped);
      yield { ...checked, format, path: source.path };
    }
  }
}

function checkTrajectory(trajectory: Trajectory): Row {
  const fault = (code: Code, reason: string): Row => ({
    kind: 'dropped',
    dropped: {
      file: trajectory.source.file,
      line: trajectory.source.line,
      id: trajectory.id,
      code,
      reason,
    },
  });
  if (trajectory.turns.length === 0) return fault('CA_ROW_EMPTY', 'the row has no messages');
  if (!trajectory.turns.some((turn) => turn.role === 'user'))
    return fault('CA_ROW_NO_SIMULATOR_TURN', 'no turn of the simulated user');
  return { kind: 'trajectory', trajectory };
}

function count(summary: FileSummary, dropped: DroppedRow): void {
  summary.dropped++;
  summary.droppedBy[dropped.code] = (summary.droppedBy[dropped.code] ?? 0) + 1;
  if (summary.droppedRows.length < KEPT_REASONS) summary.droppedRows.push(dropped);
}

/** What the command line says of every row of a file; null where it says nothing. */
function overrides(name: string, options: ReadOptions): ((trajectory: Trajectory) => Trajectory) | null {
  const simulator = options.simulator ?? simulatorFromName(name, options.simulatorFrom);
  const { simulatorKind: kind, policy } = options;
  if (simulator === null && kind === undefined && policy === undefined) return null;
  return (trajectory) => ({
    ...trajectory,
    simulator: {
      ...trajectory.simulator,
      ...(simulator === null ? {} : { id: simulator }),
      ...(kind === undefined ? {} : { kind }),
    },
    policy: policy === undefined ? trajectory.policy : { ...trajectory.policy, id: policy },
  });
}

/** First group of `--simulator-from` on the file name (or the whole match); null where it does not match. */
export function simulatorFromName(name: string, pattern: RegExp | undefined): string | null {
  return pattern === undefined ? null : matchName(pattern, name);
}

export function emptySummary(path: string): FileSummary {
  return {
    path,
    format: null,
    bytes: null,
    rows: 0,
    kept: 0,
    dropped: 0,
    droppedBy: {},
    droppedRows: [],
    warnings: [],
    error: null,
  };
}

function coded(error: unknown, path: string): CollapseAwareError {
  if (error instanceof CollapseAwareError) return error;
  if (error instanceof RangeError)
    return new CollapseAwareError('CA_FORMAT_INVALID', 'the content is nested too deeply or too long', {
      place: { file: path },
      cause: error,
    });
  return new CollapseAwareError('CA_INTERNAL', error instanceof Error ? error.message : String(error), {
    place: { file: path },
    cause: error,
  });
}
