import { rmSync } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteChunks } from './source-bytes.ts';

let folder: Promise<string> | undefined;
let next = 0;
let stdin: Promise<string> | undefined;

/** Standard input is kept in a temporary file: passes over the data read it more than once. */
export function spoolStdin(): Promise<string> {
  stdin ??= spoolChunks('stdin', process.stdin);
  return stdin;
}

/** What a pipe gives, kept for the same reason. */
export function spoolPipe(path: string): Promise<string> {
  return spoolChunks('pipe', byteChunks(path, 'none'));
}

/** Chunks in a temporary file of their own; its name ends with `name`. */
export async function spoolChunks(name: string, chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  const target = join(await temporaryFolder(), `${next++}-${name.replace(/[^\w.-]/g, '_')}`);
  const file = await open(target, 'w', 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
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
