import { CollapseAwareError } from '../errors.ts';
import { native } from './native.ts';
import { openaiChat } from './openai-chat.ts';
import { p4g } from './p4g.ts';
import type { Reader } from './reader.ts';
import { tauBench } from './tau-bench.ts';
import { tau2 } from './tau2.ts';
import { tau2Runs } from './tau2-runs.ts';

/** Every reader; the order decides nothing but ties in detection. */
export const READERS: readonly Reader[] = [native, tau2, tau2Runs, tauBench, p4g, openaiChat];

/** The reader of a `--format` name. Throws CA_USAGE with the names there are. */
export function readerNamed(name: string): Reader {
  const reader = READERS.find((candidate) => candidate.name === name);
  if (reader === undefined)
    throw new CollapseAwareError('CA_USAGE', `no format is called '${name}'`, {
      todo: `use one of ${READERS.map((candidate) => candidate.name).join(', ')}, or --map FILE`,
    });
  return reader;
}
