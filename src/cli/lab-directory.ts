import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import {
  CELL_SCHEMA,
  type Cell,
  type CellPlace,
  cellName,
  differenceOf,
  type SpaceText,
  STUDY_SCHEMA,
  type Study,
  studyOf,
  worldMark,
  worldName,
} from '../lab/stage-zero/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { hashText } from '../trajectory/identity.ts';

const PROGRESS_SCHEMA = 'collapse-aware/lab-progress@1';

const SPACE_SCHEMA = 'collapse-aware/lab-space@1';

interface SealedSpace {
  readonly schema: typeof SPACE_SCHEMA;
  /** How the world behaved (`worldMark`). */
  readonly mark: string;
  readonly space: SpaceText;
}

interface Progress {
  readonly schema: typeof PROGRESS_SCHEMA;
  readonly study: string;
  readonly cell: string;
  readonly step: number;
  readonly state: string;
}

type WorldPlace = Pick<CellPlace, 'world' | 'horizon'>;

const markOf = ({ world, horizon }: WorldPlace): string => worldMark(worldOf(world, horizon));

/** A file of the folder that is not what this program wrote. */
export interface BrokenFile {
  readonly path: string;
  readonly reason: string;
}

/** What a folder keeps for itself; nothing else is written under these names. */
export const OWN_NAMES: readonly string[] = ['study.json', 'cells', 'spaces', 'progress'];

/**
 * The folder of a table: `study.json`, a file a cell under `cells/`, a file a world under `spaces/`, states of cells under way under `progress/`.
 * Every file appears whole or not at all, and carries a hash of what is in it, so that what was damaged is found.
 * Processes with different shards may share a folder.
 */
export class LabDirectory {
  /** Null: nothing is kept. */
  readonly path: string | null;
  readonly study: Study;
  readonly #signal: AbortSignal | undefined;

  private constructor(path: string | null, study: Study, signal: AbortSignal | undefined) {
    this.path = path;
    this.study = study;
    this.#signal = signal;
  }

  /** @throws CA_CONFIG_INVALID where the folder holds another study, CA_FORMAT_INVALID where `study.json` is damaged. */
  static async open(path: string | null, study: Study, signal?: AbortSignal): Promise<LabDirectory> {
    if (path === null) return new LabDirectory(null, study, signal);
    const file = join(path, 'study.json');
    const found = await readStudy(path);
    const difference = found === null ? null : differenceOf(found, study);
    if (difference !== null)
      throw new CollapseAwareError('CA_CONFIG_INVALID', `the folder holds another study: ${difference}`, {
        place: { file },
        todo: 'Name another folder, or give the settings and panels of that one.',
      });
    const directory = new LabDirectory(path, study, signal);
    if (found === null) await directory.#write(file, `${JSON.stringify(study, null, 2)}\n`);
    return directory;
  }

  /** The study and the cells of a folder that a table was made in. @throws CA_FILE_NOT_FOUND where it holds none. */
  static async read(path: string, signal?: AbortSignal): Promise<LabDirectory> {
    const study = await readStudy(path);
    if (study === null)
      throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no study.json there', {
        place: { file: path },
        todo: 'Name the folder that `lab table -o` or `lab run -o` wrote.',
      });
    // Settings and panels that were changed by hand would be those of other cells than the folder's.
    if (studyOf(study.settings, study.panels).hash !== study.hash)
      throw new CollapseAwareError(
        'CA_FORMAT_INVALID',
        'changed since it was written, or of another version',
        {
          place: { file: join(path, 'study.json') },
          todo: 'Put back the file that was written, or make the cells anew.',
        },
      );
    return new LabDirectory(path, study, signal);
  }

  cellPath(place: CellPlace): string {
    return join(this.path ?? '', 'cells', `${cellName(place)}.json`);
  }

  #progressPath(place: CellPlace): string {
    return join(this.path ?? '', 'progress', `${cellName(place)}.json`);
  }

  /** Null where the cell is not made yet; why, where there is a file that cannot be used. */
  async cell(place: CellPlace): Promise<Cell | BrokenFile | null> {
    if (this.path === null) return null;
    const path = this.cellPath(place);
    const found = await readSealed<Cell>(path);
    if (found === null || 'reason' in found) return found;
    const cell = found.content;
    if (cell.schema !== CELL_SCHEMA) return { path, reason: `its schema is ${JSON.stringify(cell.schema)}` };
    if (cell.study !== this.study.hash) return { path, reason: 'it is of another study' };
    if (cellName(cell) !== cellName(place)) return { path, reason: `it is ${cellName(cell)}` };
    return cell;
  }

  #spacePath(place: WorldPlace): string {
    return join(this.path ?? '', 'spaces', `${worldName(place)}.json`);
  }

  /**
   * The space of a world at a horizon.
   * @throws CA_CONFIG_INVALID where the world is not the one that the folder was made in.
   */
  async space(place: WorldPlace): Promise<SpaceText | BrokenFile | null> {
    if (this.path === null) return null;
    const path = this.#spacePath(place);
    const found = await readSealed<SealedSpace>(path);
    if (found === null || 'reason' in found) return found;
    const { schema, mark, space } = found.content;
    if (schema !== SPACE_SCHEMA) return { path, reason: `its schema is ${JSON.stringify(schema)}` };
    if (mark !== markOf(place))
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `the world ${worldName(place)} is not as it was when the folder was made`,
        { place: { file: path }, todo: 'Name another folder: cells of both would not be of one study.' },
      );
    return space;
  }

  async keepSpace(place: WorldPlace, space: SpaceText): Promise<void> {
    if (this.path === null) return;
    const content: SealedSpace = { schema: SPACE_SCHEMA, mark: markOf(place), space };
    await this.#write(this.#spacePath(place), sealed(content));
  }

  /** Those of the places that are made. */
  async cells(places: readonly CellPlace[], onBroken?: (file: BrokenFile) => void): Promise<Cell[]> {
    const cells: Cell[] = [];
    for (const place of places) {
      const found = await this.cell(place);
      if (found === null) continue;
      if ('reason' in found) onBroken?.(found);
      else cells.push(found);
    }
    return cells;
  }

  /** Writes a finished cell and takes away its state. */
  async keepCell(place: CellPlace, cell: Cell): Promise<void> {
    if (this.path === null) return;
    await this.#write(this.cellPath(place), sealed(cell));
    await rm(this.#progressPath(place), { force: true });
  }

  /** The state of a cell under way. */
  async state(place: CellPlace): Promise<string | BrokenFile | null> {
    if (this.path === null) return null;
    const path = this.#progressPath(place);
    const found = await readSealed<Progress>(path);
    if (found === null || 'reason' in found) return found;
    const { schema, study, cell, state } = found.content;
    if (schema !== PROGRESS_SCHEMA || study !== this.study.hash || cell !== cellName(place))
      return { path, reason: 'it is of another study or cell' };
    return state;
  }

  /** Not stopped by the signal: a state is what a stopped run goes on from. */
  async keepState(place: CellPlace, step: number, state: string): Promise<void> {
    if (this.path === null) return;
    const content: Progress = {
      schema: PROGRESS_SCHEMA,
      study: this.study.hash,
      cell: cellName(place),
      step,
      state,
    };
    await this.#write(this.#progressPath(place), sealed(content), null);
  }

  async #write(path: string, content: string, signal = this.#signal ?? null): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (error) {
      throw new CollapseAwareError('CA_FILE_UNWRITABLE', (error as Error).message, { place: { file: path } });
    }
    await writeFileAtomic(path, content, signal === null ? {} : { signal });
  }
}

/** One line of JSON: the content, then a hash of its own text. */
const sealed = (content: unknown): string => {
  const text = JSON.stringify(content);
  return `{"content":${text},"hash":"${hashText(text)}"}\n`;
};

async function readSealed<T>(path: string): Promise<{ content: T } | BrokenFile | null> {
  const text = await textOf(path);
  if (text === null) return null;
  const match = /^\{"content":(.*),"hash":"([0-9a-f]{32})"\}\n$/s.exec(text);
  if (match === null) return { path, reason: 'it is not whole' };
  if (hashText(match[1]!) !== match[2]) return { path, reason: 'its content was changed' };
  return { content: JSON.parse(match[1]!) as T };
}

async function readStudy(folder: string): Promise<Study | null> {
  const file = join(folder, 'study.json');
  const text = await textOf(file);
  if (text === null) return null;
  let study: Partial<Study> | null = null;
  try {
    study = JSON.parse(text) as Partial<Study> | null;
  } catch {
    // Told below.
  }
  if (study?.schema !== STUDY_SCHEMA)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'not a study of the lab', {
      place: { file },
      todo: 'Name another folder, or remove the file if it was damaged.',
    });
  return study as Study;
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR')
      throw new CollapseAwareError('CA_FILE_UNWRITABLE', 'a file stands where a folder should be', {
        place: { file: path },
      });
    throw new CollapseAwareError('CA_FILE_UNREADABLE', message, { place: { file: path } });
  }
}
