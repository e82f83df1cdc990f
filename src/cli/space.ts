import { Command } from 'commander';
import { fit, scan } from '../audit/index.ts';
import { encodeSpace } from '../space/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { dryRun } from './dry-run.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import {
  checkInput,
  type InputFlags,
  openInput,
  positiveNumber,
  wholeNumber,
  withInputOptions,
} from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { auditOptions, type MeasureFlags } from './measure-options.ts';
import { checkNoInputReplaced, checkOutputs } from './output-files.ts';
import { followStages } from './progress.ts';
import { openReference, type ReferenceFlags, withReferenceOptions } from './reference-options.ts';
import { show } from './terminal.ts';

interface FitFlags extends InputFlags, ReferenceFlags, EmbedderFlags, MeasureFlags {
  readonly output: string;
  readonly sample?: number;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware space fit rollouts/*.jsonl --reference people.jsonl -o space.json
  $ collapse-aware space fit rollouts/*.jsonl -o space.json --sample 100 --dry-run
  $ collapse-aware audit other-run.jsonl --space space.json

Numbers are comparable within one space only. Fit it once, keep it with your data, and measure every run in it.`;

export function spaceCommand(): Command {
  const command = new Command('fit')
    .description('Fit a behaviour space and save it.')
    .argument('<files...>', 'rollout files of the simulators to be compared')
    .requiredOption('-o, --output <file>', 'where the space goes')
    .option('--k <number>', 'number of modes (default: n_fit / 15, at most 64)', wholeNumber)
    .option('--seed <number>', 'seed of every draw', wholeNumber, 0)
    .option('--sample <n>', 'fit on at most n episodes of each simulator', positiveNumber)
    .option('--dry-run', 'say what would be read and embedded, and stop')
    .option('-q, --quiet', 'no progress');
  withEmbedderOptions(withInputOptions(withReferenceOptions(command)));
  command.addHelpText('after', EXAMPLES).action(runFit);
  return new Command('space')
    .description('Behaviour spaces to share between runs and machines.')
    .addCommand(command);
}

async function runFit(paths: string[], flags: FitFlags): Promise<void> {
  const signal = interruptSignal();
  checkOutputs({ '--output': flags.output });
  const input = await openInput(paths, flags);
  const people = await openReference(flags);
  if (flags.dryRun === true)
    return dryRun(
      [
        { input, use: flags.sample ?? 'fit' },
        ...(people === null ? [] : [{ input: people, use: 'all' as const }]),
      ],
      flags,
    );
  const { embedder, usage } = await openEmbedder(flags, signal);
  const space = await followStages(
    { read: 'Read episodes', fit: 'Fit the behaviour space', write: 'Write' },
    async (progress) => {
      const options = {
        ...auditOptions(flags),
        signal,
        onProgress: (stage: string, done: number, total: number | null) =>
          progress(stage === 'read' ? 'read' : 'fit', done, total),
      };
      const scanned = await scan(input.records, {
        ...options,
        ...(flags.sample === undefined ? {} : { perSimulator: flags.sample }),
      });
      checkInput(input.files(), flags.strict === true);
      const reference =
        people === null
          ? []
          : (await scan(people.records, { ...options, sampleLimit: Number.MAX_SAFE_INTEGER })).sample;
      if (people !== null) checkInput(people.files(), flags.strict === true);
      checkNoInputReplaced({ '--output': flags.output }, [...input.files(), ...(people?.files() ?? [])]);
      const fitted = await fit(scanned.sample, reference, {
        ...options,
        ...(embedder === null ? {} : { embedder }),
      });
      progress('write', 0, null);
      await writeFileAtomic(flags.output, encodeSpace(fitted.space), { signal });
      return fitted.space;
    },
    flags.quiet,
  );
  reportUsage(usage);
  show(`space ${space.id}: ${space.kRule}`);
}
