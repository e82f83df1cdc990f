import type { DuckDBAppender, DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { CollapseAwareError } from '../errors.ts';
import { AtomicFile } from '../store/index.ts';
import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { DUCKDB_OPTIONS, loadDuckDb } from './parquet.ts';
import { type CellKind, cellLength, cellType, cellValue, sqlType } from './parquet-cell.ts';
import type { TrajectoryFile, WriteOptions } from './writer.ts';

/** What a table's rows hold. */
export interface TableLayout {
  /** Columns in order, by name, of a table whose rows come with training signals or without. */
  kinds(signals: boolean): Readonly<Record<string, CellKind>>;
  /** One row's plain values by column; what is absent is null. */
  record(trajectory: Trajectory, signals: TrainingSignals | undefined): Readonly<Record<string, unknown>>;
}

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>;

/** Rows of one chunk of the engine's vectors, and the length of text that ends one early. */
const CHUNK_ROWS = 2048;
const CHUNK_LENGTH = 16 * 1024 * 1024;
/** Length of text held in the engine's memory before it goes to a scratch file. */
const PIECE_LENGTH = 64 * 1024 * 1024;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * A Parquet file, zstd-compressed, through the embedded engine. Equal rows give equal bytes.
 * Errors: CA_DEPENDENCY_MISSING, CA_FILE_UNWRITABLE.
 */
export async function openParquetTable(
  path: string,
  layout: TableLayout,
  options: WriteOptions = {},
): Promise<TrajectoryFile> {
  const duckDb = await loadDuckDb();
  const file = await AtomicFile.open(path, options);
  try {
    return await ParquetTable.open(duckDb, file, path, layout, options.signals);
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/**
 * Rows gather in the engine's memory and go to scratch Parquet files piece by piece, which `close` joins: memory stays
 * flat however many rows there are. (A scratch database instead of pieces was not: its scan keeps long texts.)
 */
class ParquetTable implements TrajectoryFile {
  readonly #path: string;
  readonly #file: AtomicFile;
  readonly #duckDb: DuckDb;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #layout: TableLayout;
  #signals: boolean | undefined;
  #columns: readonly (readonly [name: string, kind: CellKind])[] = [];
  /** One for all: the memory of a chunk is given back only when the event loop turns. */
  #chunk: DuckDBDataChunk | null = null;
  #appender: DuckDBAppender | null = null;
  readonly #pieces: string[] = [];
  #rows: unknown[][] = [];
  /** Length of the text in `#rows`, and of what the engine holds. */
  #waiting = 0;
  #held = 0;
  #open = true;

  private constructor(
    path: string,
    file: AtomicFile,
    duckDb: DuckDb,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    layout: TableLayout,
    signals: boolean | undefined,
  ) {
    this.#path = path;
    this.#file = file;
    this.#duckDb = duckDb;
    this.#instance = instance;
    this.#connection = connection;
    this.#layout = layout;
    this.#signals = signals;
  }

  static async open(
    duckDb: DuckDb,
    file: AtomicFile,
    path: string,
    layout: TableLayout,
    signals: boolean | undefined,
  ): Promise<ParquetTable> {
    // One thread keeps the order of rows by itself. The engine's own way to keep it buffers without limit, and
    // rules out row groups by size.
    const instance = await duckDb.DuckDBInstance.create(':memory:', {
      ...DUCKDB_OPTIONS,
      threads: '1',
      preserve_insertion_order: 'false',
      temp_directory: '',
    });
    try {
      const connection = await instance.connect();
      return new ParquetTable(path, file, duckDb, instance, connection, layout, signals);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** The columns are settled by the first row, unless the options settled them. */
  async #begin(signals: boolean): Promise<void> {
    this.#signals ??= signals;
    this.#columns = Object.entries(this.#layout.kinds(this.#signals));
    const types = this.#columns.map(([, kind]) => cellType(this.#duckDb, kind));
    this.#chunk = this.#duckDb.DuckDBDataChunk.create(types);
    await this.#table();
  }

  /** An empty table: dropping the former one is what gives its memory back. */
  async #table(): Promise<void> {
    const columns = this.#columns.map(([name, kind]) => `${quoted(name)} ${sqlType(kind, 'stored')}`);
    await this.#connection.run(`CREATE OR REPLACE TABLE episodes (${columns.join(', ')})`);
    this.#appender = await this.#connection.createAppender('episodes');
  }

  async write(trajectory: Trajectory, signals?: TrainingSignals): Promise<void> {
    if (!this.#open) throw this.#failure(new Error('the file is closed'));
    try {
      if (this.#chunk === null) await this.#begin(signals !== undefined);
      if (signals !== undefined && this.#signals === false)
        throw new Error('a row with training signals in a file without columns for them');
      const record = this.#layout.record(trajectory, signals);
      const row = this.#columns.map(([name]) => record[name]);
      this.#rows.push(row);
      for (const cell of row) this.#waiting += cellLength(cell);
      if (this.#rows.length < CHUNK_ROWS && this.#waiting < CHUNK_LENGTH) return;
      this.#append();
      if (this.#held >= PIECE_LENGTH) await this.#spill();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Filling a chunk column by column is what keeps the engine's binding fast. */
  #append(): void {
    if (this.#rows.length === 0 || this.#chunk === null) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#held += this.#waiting;
    this.#waiting = 0;
    this.#chunk.reset();
    this.#chunk.setColumns(
      this.#columns.map(([, kind], at) => rows.map((row) => cellValue(this.#duckDb, kind, row[at]))),
    );
    this.#appender?.appendDataChunk(this.#chunk);
    this.#appender?.flushSync();
  }

  async #spill(): Promise<void> {
    this.#held = 0;
    this.#appender?.closeSync();
    const piece = this.#file.scratch(`piece-${this.#pieces.length}`);
    this.#pieces.push(piece);
    await this.#connection.run(
      `COPY episodes TO ${literal(piece)} (FORMAT parquet, ROW_GROUP_SIZE ${CHUNK_ROWS})`,
    );
    await this.#table();
  }

  async close(): Promise<void> {
    try {
      if (this.#chunk === null) await this.#begin(false);
      this.#append();
      if (this.#pieces.length > 0) await this.#spill();
      this.#appender?.closeSync();
      // The pieces are read in the order of the list.
      const rows =
        this.#pieces.length === 0 ? 'episodes' : `read_parquet([${this.#pieces.map(literal).join(', ')}])`;
      const columns = this.#columns.map(
        ([name, kind]) => `${quoted(name)}::${sqlType(kind, 'written')} AS ${quoted(name)}`,
      );
      await this.#connection.run(
        `COPY (SELECT ${columns.join(', ')} FROM ${rows}) TO ${literal(this.#file.temporary)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${CHUNK_ROWS}, ROW_GROUP_SIZE_BYTES '64MB', USE_TMP_FILE false)`,
      );
    } catch (error) {
      await this.abort();
      throw this.#failure(error);
    }
    this.#shut();
    await this.#file.commit();
  }

  async abort(): Promise<void> {
    this.#shut();
    await this.#file.abort();
  }

  #shut(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#rows = [];
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  #failure(cause: unknown): CollapseAwareError {
    if (cause instanceof CollapseAwareError) return cause;
    const message = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
    return new CollapseAwareError('CA_FILE_UNWRITABLE', `cannot be written (${message})`, {
      place: { file: this.#path },
      cause,
    });
  }
}
