import { CollapseAwareError } from '../errors.ts';
import { atropos } from './atropos.ts';
import { convokit } from './convokit.ts';
import { cooperbench } from './cooperbench.ts';
import { native } from './native.ts';
import { nemoGym } from './nemo-gym.ts';
import { openaiChat } from './openai-chat.ts';
import { p4g } from './p4g.ts';
import { parquetNative } from './parquet-native.ts';
import { primeRl } from './prime-rl.ts';
import type { Reader } from './reader.ts';
import { scope } from './scope.ts';
import { sharegpt } from './sharegpt.ts';
import { tauBench } from './tau-bench.ts';
import { tau2 } from './tau2.ts';
import { tau2Runs } from './tau2-runs.ts';
import { trl } from './trl.ts';
import { verifiers } from './verifiers.ts';
import { verl } from './verl.ts';
import { verlDataset } from './verl-dataset.ts';
import { vsHarness } from './vs-harness.ts';

/** Every reader; the order decides nothing but ties in detection. */
export const READERS: readonly Reader[] = [
  native,
  tau2,
  tau2Runs,
  tauBench,
  p4g,
  openaiChat,
  atropos,
  convokit,
  cooperbench,
  nemoGym,
  primeRl,
  scope,
  sharegpt,
  trl,
  verifiers,
  verl,
  verlDataset,
  vsHarness,
  parquetNative,
];

/** The reader of a `--format` name. Throws CA_USAGE with the names there are. */
export function readerNamed(name: string): Reader {
  const reader = READERS.find((candidate) => candidate.name === name);
  if (reader === undefined)
    throw new CollapseAwareError('CA_USAGE', `no format is called '${name}'`, {
      todo: `use one of ${READERS.map((candidate) => candidate.name).join(', ')}, or --map FILE`,
    });
  return reader;
}
