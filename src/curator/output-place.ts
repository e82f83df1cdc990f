import { type Dirent, renameSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { partialPath, strayPartials, sweepPartials } from '../store/index.ts';

export const MANIFEST = 'manifest.json';
/** What to do where a file of the folder cannot be written. */
export const UNWRITABLE = 'check the folder above it, its permissions and the free space';
const SCHEMA = /^collapse-aware\/curation@\d+$/;

/** What stands where a curation is to go. */
interface Found {
  readonly kind: 'absent' | 'empty' | 'curation';
  readonly mode: number | null;
}

/** The folder that a curation is put at: what may be replaced there, and how. */
export class OutputPlace {
  /** As it was named. */
  readonly path: string;
  readonly #target: string;
  readonly #replace: boolean;

  private constructor(path: string, target: string, replace: boolean) {
    this.path = path;
    this.#target = target;
    this.#replace = replace;
  }

  /**
   * Makes missing folders above `path`, removes what dead processes left beside it and puts back the curation that
   * one was killed while replacing. Errors: CA_USAGE where the place is taken, CA_FILE_UNWRITABLE.
   */
  static async find(path: string, replace: boolean): Promise<OutputPlace> {
    const target = await realpath(path).catch(() => resolve(path));
    const place = new OutputPlace(path, target, replace);
    const folder = dirname(target);
    const inside = relative(target, process.cwd());
    if (inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)))
      throw place.#taken('is the current folder or holds it', 'name a folder of its own, such as -o curated');
    try {
      await mkdir(folder, { recursive: true });
      await place.#restore();
      await sweepPartials(folder, basename(target));
    } catch (error) {
      throw place.unwritable(error);
    }
    await place.inspect();
    return place;
  }

  /** A hidden folder beside it, not made yet. */
  staging(): string {
    return partialPath(dirname(this.#target), basename(this.#target));
  }

  /** @throws CA_USAGE where something stands there that must not be replaced. */
  async inspect(): Promise<Found> {
    const facts = await stat(this.#target).catch(() => null);
    if (facts === null) {
      if ((await lstat(this.#target).catch(() => null)) !== null)
        throw this.#taken('is a link to nothing', 'remove the link, or name another folder');
      return { kind: 'absent', mode: null };
    }
    if (!facts.isDirectory()) throw this.#taken('is a file', 'name a folder');
    // A folder that another file system is mounted at cannot be renamed over.
    const above = await stat(dirname(this.#target));
    if (above.dev !== facts.dev)
      throw this.#taken(
        'is where a file system is mounted',
        `name a folder inside it, such as ${join(this.path, 'curated')}`,
      );
    const entries = await this.#entries();
    if (entries.length === 0) return { kind: 'empty', mode: facts.mode };
    const known = await this.#ownFiles();
    if (known === null)
      throw this.#taken(
        `holds other things (${entries[0]!.name})`,
        'name a new or an empty folder: what this program did not write is never deleted',
      );
    const foreign = await this.#foreign(known);
    if (foreign !== null)
      throw this.#taken(
        `holds ${foreign} beside a curation`,
        'move it away, or name another folder: what this program did not write is never deleted',
      );
    if (!this.#replace)
      throw this.#taken('holds an earlier curation', 'give --force to replace it, or name another folder');
    return { kind: 'curation', mode: facts.mode };
  }

  /** Puts `staging` in place. Errors: CA_USAGE where the place was taken meanwhile, CA_FILE_UNWRITABLE. */
  async take(staging: string): Promise<void> {
    const { kind } = await this.inspect();
    const former = partialPath(dirname(this.#target), basename(this.#target), 'former');
    try {
      if (kind === 'empty' && process.platform === 'win32') await rmdir(this.#target);
      // Both at once: nothing of this process comes between them.
      if (kind === 'curation') renameSync(this.#target, former);
      try {
        renameSync(staging, this.#target);
      } catch (error) {
        if (kind === 'curation') renameSync(former, this.#target);
        throw error;
      }
    } catch (error) {
      if (/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw this.#taken('was filled by another process meanwhile', 'name another folder');
      throw this.unwritable(error);
    }
    if (kind === 'curation') await rm(former, { recursive: true, force: true }).catch(() => {});
  }

  unwritable(cause: unknown, name?: string): CollapseAwareError {
    const file = name === undefined ? this.path : join(this.path, name);
    return new CollapseAwareError('CA_FILE_UNWRITABLE', `cannot be written (${(cause as Error).message})`, {
      place: { file },
      todo: UNWRITABLE,
      cause,
    });
  }

  #taken(found: string, todo: string): CollapseAwareError {
    return new CollapseAwareError('CA_USAGE', found, { place: { file: this.path }, todo });
  }

  /** A process killed between moving the former curation away and putting the new one in place left it beside. */
  async #restore(): Promise<void> {
    for (const former of await strayPartials(dirname(this.#target), basename(this.#target), 'former')) {
      if ((await stat(this.#target).catch(() => null)) === null) renameSync(former, this.#target);
      else await rm(former, { recursive: true, force: true }).catch(() => {});
    }
  }

  async #entries(): Promise<Dirent[]> {
    try {
      return await readdir(this.#target, { withFileTypes: true });
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  /** Files that the curation there says it wrote; null where there is none. */
  async #ownFiles(): Promise<ReadonlySet<string> | null> {
    try {
      const manifest = JSON.parse(await readFile(join(this.#target, MANIFEST), 'utf8')) as {
        schema?: unknown;
        outputs?: readonly { readonly path?: unknown }[];
      };
      if (typeof manifest.schema !== 'string' || !SCHEMA.test(manifest.schema)) return null;
      const paths = (manifest.outputs ?? []).map(({ path }) => path);
      return new Set([MANIFEST, ...paths.filter((path) => typeof path === 'string')]);
    } catch {
      return null;
    }
  }

  async #foreign(known: ReadonlySet<string>): Promise<string | null> {
    for (const { name, isPlain } of await filesBelow(this.#target))
      if (!isPlain || !known.has(name)) return name;
    return null;
  }
}

/** Everything below a folder that is no folder, by name with `/`, sorted. */
export async function filesBelow(
  folder: string,
): Promise<readonly { readonly name: string; readonly isPlain: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      name: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isPlain: entry.isFile(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
