import { statSync } from 'node:fs';
import { resolve } from 'node:path';
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
