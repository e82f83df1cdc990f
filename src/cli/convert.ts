import { Command } from 'commander';
import { convert, WRITERS, writerFor } from '../formats/index.ts';
import { checkInput, type InputFlags, openInput, withInputOptions } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { checkNoInputReplaced, checkOutputs } from './output-files.ts';
import { followStages } from './progress.ts';
import { tell } from './terminal.ts';

interface ConvertFlags extends InputFlags {
  readonly to?: string;
  readonly output: string;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware convert results.json -o rollouts.jsonl
  $ collapse-aware convert rollouts.jsonl.zst -o rollouts.parquet
  $ collapse-aware convert dump/*.jsonl --to openai -o chat.jsonl`;

export function convertCommand(): Command {
  const command = new Command('convert')
    .description("Any format that can be read to native JSONL, Parquet, OpenAI chat or a trainer's data set.")
    .argument('<files...>', 'input files')
    .requiredOption('-o, --output <file>', 'output file; its ending chooses the format')
    .option('--to <format>', `output format: ${WRITERS.map(({ name }) => name).join(', ')}`)
    .option('-q, --quiet', 'no progress');
  withInputOptions(command);
  return command.addHelpText('after', EXAMPLES).action(runConvert);
}

async function runConvert(paths: string[], flags: ConvertFlags): Promise<void> {
  const signal = interruptSignal();
  checkOutputs({ '--output': flags.output });
  const writer = writerFor(flags.output, flags.to);
  const input = await openInput(paths, flags);
  const { written } = await followStages(
    { convert: `Convert to ${writer.title}` },
    async (progress) =>
      convert(
        (async function* () {
          let done = 0;
          for await (const trajectory of input.records()) {
            progress('convert', ++done, null);
            yield trajectory;
          }
          // Before the file is put in place: --strict leaves nothing behind.
          checkInput(input.files(), flags.strict === true);
          checkNoInputReplaced({ '--output': flags.output }, input.files());
        })(),
        writer,
        flags.output,
        { signal },
      ),
    flags.quiet,
  );
  tell(`${written.toLocaleString('en')} episodes in ${flags.output}`);
}
