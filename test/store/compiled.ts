import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** A TypeScript program as one file that Node runs, in a folder of its own. */
export async function compiled(program: string): Promise<{ readonly file: string; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'ca-program-'));
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: program, outDir: folder, rollupOptions: { output: { entryFileNames: 'program.mjs' } } },
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { file: join(folder, 'program.mjs'), folder };
}
