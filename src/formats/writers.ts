import { CollapseAwareError } from '../errors.ts';
import { nativeWriter } from './write-native.ts';
import { openAiWriter } from './write-openai.ts';
import { parquetWriter } from './write-parquet.ts';
import { trlWriter } from './write-trl.ts';
import { verifiersWriter } from './write-verifiers.ts';
import { verlWriter } from './write-verl.ts';
import type { Writer } from './writer.ts';

export const WRITERS: readonly Writer[] = [
  nativeWriter,
  parquetWriter,
  openAiWriter,
  trlWriter,
  verlWriter,
  verifiersWriter,
];

/** The writer of a `--to` name. Throws CA_USAGE with the names there are. */
export function writerNamed(name: string): Writer {
  const writer = WRITERS.find((candidate) => candidate.name === name);
  if (writer === undefined)
    throw new CollapseAwareError('CA_USAGE', `no output format is called '${name}'`, {
      todo: `use one of ${WRITERS.map((candidate) => candidate.name).join(', ')}`,
    });
  return writer;
}

/** The writer that is named, else the first whose file ending the path has. Throws CA_USAGE. */
export function writerFor(path: string, name?: string): Writer {
  if (name !== undefined) return writerNamed(name);
  const writer = WRITERS.find(({ extensions }) => extensions.some((end) => path.toLowerCase().endsWith(end)));
  if (writer === undefined)
    throw new CollapseAwareError('CA_USAGE', `the ending of '${path}' names no output format`, {
      todo: `end it in ${[...new Set(WRITERS.flatMap(({ extensions }) => extensions[0] ?? []))].join(' or ')}, or add --to`,
    });
  return writer;
}
