import type { DuckDBAppender, DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { CollapseAwareError } from '../errors.ts';
import { AtomicFile } from '../store/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { DUCKDB_OPTIONS, loadDuckDb } from './parquet.ts';
import type { TrajectoryFile, Writer } from './writer.ts';

type Kind = 'VARCHAR' | 'DOUBLE' | 'INTEGER';
type Cell = string | number | null;

interface Column {
  readonly name: string;
  readonly kind: Kind;
  of(trajectory: Trajectory): Cell;
}

const column = (name: string, kind: Kind, of: Column['of']): Column => ({ name, kind, of });
const count = (trajectory: Trajectory, role: string) =>
  trajectory.turns.filter((turn) => turn.role === role).length;
const userTexts = (trajectory: Trajectory) =>
  trajectory.turns.flatMap((turn) => (turn.role === 'user' && turn.text !== null ? [turn.text] : []));

/** One row an episode. `turns` holds the turns as JSON; the last five columns repeat what queries ask for most. */
export const PARQUET_COLUMNS: readonly Column[] = [
  column('schema', 'VARCHAR', (t) => t.schema),
  column('id', 'VARCHAR', (t) => t.id),
  column('context', 'VARCHAR', (t) => t.context),
  column('context_from', 'VARCHAR', (t) => t.contextFrom),
  column('context_label', 'VARCHAR', (t) => t.contextLabel),
  column('benchmark', 'VARCHAR', (t) => t.benchmark),
  column('domain', 'VARCHAR', (t) => t.domain),
  column('scenario', 'VARCHAR', (t) => t.scenario),
  column('group', 'VARCHAR', (t) => t.group),
  column('epoch', 'DOUBLE', (t) => t.epoch),
  column('run', 'VARCHAR', (t) => t.run),
  column('simulator_id', 'VARCHAR', (t) => t.simulator.id),
  column('simulator_kind', 'VARCHAR', (t) => t.simulator.kind),
  column('simulator_person', 'VARCHAR', (t) => t.simulator.person),
  column('simulator_model', 'VARCHAR', (t) => t.simulator.model),
  column('simulator_recipe', 'VARCHAR', (t) => t.simulator.recipe),
  column('simulator_fingerprint', 'VARCHAR', (t) => t.simulator.fingerprint),
  column('policy_id', 'VARCHAR', (t) => t.policy.id),
  column('policy_checkpoint', 'VARCHAR', (t) => t.policy.checkpoint),
  column('reward', 'DOUBLE', (t) => t.reward),
  column('outcome', 'VARCHAR', (t) => t.outcome),
  column('split', 'VARCHAR', (t) => t.split),
  column('termination', 'VARCHAR', (t) => t.termination),
  column('source_file', 'VARCHAR', (t) => t.source.file),
  column('source_line', 'INTEGER', (t) => t.source.line),
  column('turns', 'VARCHAR', (t) => JSON.stringify(t.turns)),
  column('turn_count', 'INTEGER', (t) => t.turns.length),
  column('user_turn_count', 'INTEGER', (t) => count(t, 'user')),
  column('agent_turn_count', 'INTEGER', (t) => count(t, 'agent')),
  column('first_user_text', 'VARCHAR', (t) => userTexts(t)[0] ?? null),
  column('user_text', 'VARCHAR', (t) => userTexts(t).join('\n') || null),
];

/** Rows of one chunk of the engine's vectors, and the length of text that ends one early. */
const CHUNK_ROWS = 2048;
const CHUNK_LENGTH = 16 * 1024 * 1024;
/** Length of text held in the engine's memory before it goes to a scratch file. */
const PIECE_LENGTH = 64 * 1024 * 1024;

/** Parquet, zstd-compressed, through the embedded engine. Errors: CA_DEPENDENCY_MISSING, CA_FILE_UNWRITABLE. */
export const parquetWriter: Writer = {
  name: 'parquet',
  title: 'Parquet (one row an episode)',
  extensions: ['.parquet'],
  async open(path, options) {
    const duckDb = await loadDuckDb();
    const file = await AtomicFile.open(path, options);
    try {
      return await ParquetFile.open(duckDb, file, path);
    } catch (error) {
      await file.abort();
      throw error;
    }
  },
};

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Rows gather in the engine's memory and go to scratch Parquet files piece by piece, which `close` joins: memory stays
 * flat however many rows there are. (A scratch database instead of pieces was not: its scan keeps long texts.)
 */
class ParquetFile implements TrajectoryFile {
  readonly #path: string;
  readonly #file: AtomicFile;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** One for all: the memory of a chunk is given back only when the event loop turns. */
  readonly #chunk: DuckDBDataChunk;
  #appender: DuckDBAppender | null = null;
  readonly #pieces: string[] = [];
  #rows: Cell[][] = [];
  /** Length of the text in `#rows`, and of what the engine holds. */
  #waiting = 0;
  #held = 0;
  #open = true;

  private constructor(
    path: string,
    file: AtomicFile,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    chunk: DuckDBDataChunk,
  ) {
    this.#path = path;
    this.#file = file;
    this.#instance = instance;
    this.#connection = connection;
    this.#chunk = chunk;
  }

  static async open(
    duckDb: Awaited<ReturnType<typeof loadDuckDb>>,
    file: AtomicFile,
    path: string,
  ): Promise<ParquetFile> {
    // One thread keeps the order of rows by itself. The engine's own way to keep it buffers without limit, and
    // rules out row groups by size.
    const instance = await duckDb.DuckDBInstance.create(':memory:', {
      ...DUCKDB_OPTIONS,
      threads: '1',
      preserve_insertion_order: 'false',
      temp_directory: '',
    });
    try {
      const chunk = duckDb.DuckDBDataChunk.create(PARQUET_COLUMNS.map(({ kind }) => duckDb[kind]));
      const made = new ParquetFile(path, file, instance, await instance.connect(), chunk);
      await made.#table();
      return made;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** An empty table: dropping the former one is what gives its memory back. */
  async #table(): Promise<void> {
    const columns = PARQUET_COLUMNS.map(({ name, kind }) => `"${name}" ${kind}`).join(', ');
    await this.#connection.run(`CREATE OR REPLACE TABLE episodes (${columns})`);
    this.#appender = await this.#connection.createAppender('episodes');
  }

  async write(trajectory: Trajectory): Promise<void> {
    if (!this.#open) throw this.#failure(new Error('the file is closed'));
    const row = PARQUET_COLUMNS.map((field) => field.of(trajectory));
    this.#rows.push(row);
    for (const cell of row) if (typeof cell === 'string') this.#waiting += cell.length;
    if (this.#rows.length < CHUNK_ROWS && this.#waiting < CHUNK_LENGTH) return;
    try {
      this.#append();
      if (this.#held >= PIECE_LENGTH) await this.#spill();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Filling a chunk column by column is what keeps the engine's binding fast. */
  #append(): void {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#held += this.#waiting;
    this.#waiting = 0;
    this.#chunk.reset();
    this.#chunk.setColumns(PARQUET_COLUMNS.map((_, at) => rows.map((row) => row[at] ?? null)));
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
      this.#append();
      if (this.#pieces.length > 0) await this.#spill();
      this.#appender?.closeSync();
      // The pieces are read in the order of the list.
      const rows =
        this.#pieces.length === 0 ? 'episodes' : `read_parquet([${this.#pieces.map(literal).join(', ')}])`;
      await this.#connection.run(
        `COPY (SELECT * FROM ${rows}) TO ${literal(this.#file.temporary)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${CHUNK_ROWS}, ROW_GROUP_SIZE_BYTES '64MB', USE_TMP_FILE false)`,
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
