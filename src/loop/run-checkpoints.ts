import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { writeFileAtomic } from '../store/index.ts';
import { hashText } from '../trajectory/identity.ts';

/** Others are names of a trainer's own, whose checkpoints are kept elsewhere. */
export const isCheckpointName = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

/** Texts of checkpoints, a file each, named by the hash of its content: one text is kept once, and never changed. */
export class RunCheckpoints {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Errors: CA_FILE_UNWRITABLE. */
  async keep(text: string): Promise<string> {
    const name = hashText(text);
    const path = join(this.#folder, name);
    const there = await readFile(path, 'utf8').catch(() => null);
    if (there !== text) await writeFileAtomic(path, text);
    return name;
  }

  /** Errors: CA_FILE_NOT_FOUND; CA_FORMAT_INVALID where the content is not what its name says. */
  async read(name: string): Promise<string> {
    return checkedText(name, join(this.#folder, name), async (file) => {
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw new CollapseAwareError('CA_FILE_UNREADABLE', (error as Error).message, { place: { file } });
      }
    });
  }
}

/** The text that `find` gives, held to its name. @param file names it in errors; nothing outside is ever asked for. */
export async function checkedText(
  name: string,
  file: string,
  find: (file: string) => Promise<string | null>,
): Promise<string> {
  if (!isCheckpointName(name))
    throw new CollapseAwareError('CA_FORMAT_INVALID', `${JSON.stringify(name)} is no name of a checkpoint`);
  const text = await find(file);
  if (text === null)
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'a checkpoint that the run needs is missing', {
      place: { file },
      todo: 'Restore it; without it the run cannot go on from there.',
    });
  if (hashText(text) !== name)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'the checkpoint was changed since it was written', {
      place: { file },
      todo: 'Restore it; without it the run cannot go on from there.',
    });
  return text;
}
