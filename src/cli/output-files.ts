import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import type { FileSummary } from '../formats/index.ts';

/** Output paths by the option that names them; `undefined` where it was not given. */
export type Outputs = Readonly<Record<string, string | null | undefined>>;

/** @throws CA_USAGE where two outputs are one file: the second would replace the first. */
export function checkOutputs(outputs: Outputs): void {
  const seen = new Map<string, string>();
  for (const [option, path] of given(outputs)) {
    if (path.trim() === '')
      throw new CollapseAwareError('CA_USAGE', `${option} names no file`, { todo: 'give a path' });
    const file = identityOf(path) ?? resolve(path);
    const other = seen.get(file);
    if (other !== undefined)
      throw new CollapseAwareError('CA_USAGE', `${other} and ${option} name one file`, {
        place: { file: path },
        todo: 'give each a file of its own',
      });
    if (!isDevice(path)) seen.set(file, option);
  }
}

/** @throws CA_USAGE where an output is one of the `names` that a folder keeps its own files under. */
export function checkNotOwn(outputs: Outputs, folder: string, names: readonly string[]): void {
  const own = realPath(folder);
  for (const [option, path] of given(outputs)) {
    const [first] = relative(own, realPath(path)).split(sep);
    if (names.includes(first!))
      throw new CollapseAwareError('CA_USAGE', `${option} names a file of the output folder's own`, {
        place: { file: path },
        todo: `name another file; ${names.join(', ')} are kept there`,
      });
  }
}

/** @throws CA_USAGE where an output would replace a file whose rows were read: nobody wants to lose those. */
export function checkNoInputReplaced(outputs: Outputs, inputs: readonly FileSummary[]): void {
  const read = new Set(inputs.filter(({ rows }) => rows > 0).map(({ path }) => identityOf(path)));
  for (const [option, path] of given(outputs)) {
    const file = identityOf(path);
    if (file !== null && !isDevice(path) && read.has(file))
      throw new CollapseAwareError('CA_USAGE', `${option} would replace an input file`, {
        place: { file: path },
        todo: 'name another output file',
      });
  }
}

/** @throws CA_USAGE where a file that was read lies in a folder that is to be replaced, or holds what was written there. */
export function checkNoInputWithin(folder: string, inputs: readonly FileSummary[]): void {
  const own = `${realPath(folder)}${sep}`;
  const inside = inputs.find(({ path }) => path !== '-' && realPath(path).startsWith(own));
  if (inside !== undefined)
    throw new CollapseAwareError('CA_USAGE', `the input lies in the output folder ${folder}`, {
      place: { file: inside.path },
      todo: 'name an output folder outside the input, or the input files one by one',
    });
}

function given(outputs: Outputs): [string, string][] {
  return Object.entries(outputs).flatMap(([option, path]): [string, string][] =>
    path == null ? [] : [[option, path]],
  );
}

/** Links to one file are one file; `null` where there is none yet. */
function identityOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? null : `${facts.dev}:${facts.ino}`;
}

function isDevice(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/** Without links, also of what does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(resolve(path));
    return above === resolve(path) ? above : join(realPath(above), basename(resolve(path)));
  }
}
