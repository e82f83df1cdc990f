import { rmSync } from 'node:fs';
import { mkdtemp, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { byteChunks, reasonOf } from './source-bytes.ts';

let folder: Promise<string> | undefined;
let next = 0;
let stdin: Promise<string> | undefined;

/** Standard input is kept in a temporary file: passes over the data read it more than once. */
export function spoolStdin(): Promise<string> {
  stdin ??= spoolChunks('stdin', process.stdin);
  return stdin;
}

const pipes = new Map<string, Promise<string>>();

/** What a pipe gives, kept for the same reason: it gives it once. */
export function spoolPipe(path: string): Promise<string> {
  let spooled = pipes.get(path);
  if (spooled === undefined) {
    spooled = spoolChunks('pipe', byteChunks(path, 'none'));
    pipes.set(path, spooled);
  }
  return spooled;
}

/** Chunks in a temporary file of their own; its name ends with `name`. */
export async function spoolChunks(name: string, chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  // A name of 255 bytes would be too long with a number before it.
  const end = name.replace(/[^\w.-]/g, '_').slice(-100);
  let target = '';
  try {
    target = join(await temporaryFolder(), `${next++}-${end}`);
    const file = await open(target, 'w', 0o600);
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (target !== '') await unlink(target).catch(() => {});
    // What is wrong with the data themselves is coded already.
    if (error instanceof CollapseAwareError) throw error;
    throw new CollapseAwareError('CA_FILE_UNWRITABLE', `no room for a temporary copy (${reasonOf(error)})`, {
      place: { file: target === '' ? tmpdir() : target },
      todo: 'free space there, or set TMPDIR to another folder',
      cause: error,
    });
  }
  return target;
}

/** One temporary folder per process, gone when it ends. */
function temporaryFolder(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'collapse-aware-')).then((path) => {
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    return path;
  });
  return folder;
}
