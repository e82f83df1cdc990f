import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { audit } from '../audit/index.ts';
import { convert, writerNamed } from '../formats/index.ts';
import { demoStudy } from '../lab/index.ts';
import { renderPage, terminalSummary } from '../report/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { wholeNumber } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { followStages } from './progress.ts';
import { show } from './terminal.ts';

const EXAMPLES = `
Examples:
  $ collapse-aware demo
  $ collapse-aware audit collapse-demo/rollouts.jsonl --reference collapse-demo/people.jsonl --seed 1

Nothing is sent anywhere: people and simulators are generated, with known truth.`;

export function demoCommand(): Command {
  return new Command('demo')
    .description('The two-minute tour: generated dialogues, audited, with a page to open.')
    .option('-o, --output <dir>', 'where the files go', 'collapse-demo')
    .option('--seed <number>', 'seed of every draw', wholeNumber, 1)
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(runDemo);
}

async function runDemo(flags: { output: string; seed: number; quiet?: boolean }): Promise<void> {
  const signal = interruptSignal();
  const at = (name: string) => join(flags.output, name);
  const result = await followStages(
    {
      generate: 'Generate dialogues',
      read: 'Read episodes',
      fit: 'Fit the behaviour space',
      place: 'Place episodes',
      measure: 'Measure',
      write: 'Write',
    },
    async (progress) => {
      progress('generate', 0, null);
      await mkdir(flags.output, { recursive: true });
      const study = demoStudy(flags.seed);
      const native = writerNamed('native');
      await convert(study.people, native, at('people.jsonl'), { signal });
      await convert(study.rollouts, native, at('rollouts.jsonl'), { signal });
      const done = await audit(
        {
          records: async function* () {
            yield* study.rollouts;
          },
          people: async function* () {
            yield* study.people;
          },
        },
        { seed: flags.seed, signal, onProgress: progress },
        {
          title: 'Demo: five simulated users and the people they stand for',
          created: new Date().toISOString(),
          account: () => ({
            files: [
              {
                path: at('rollouts.jsonl'),
                format: 'native',
                rows: study.rollouts.length,
                kept: study.rollouts.length,
              },
            ],
            rows: study.rollouts.length,
            kept: study.rollouts.length,
            dropped: [],
            reference: { rows: study.people.length, kept: study.people.length },
          }),
        },
      );
      progress('write', 0, null);
      await writeFileAtomic(at('report.json'), `${JSON.stringify(done.report, null, 2)}\n`, { signal });
      await writeFileAtomic(at('report.html'), renderPage(done.page), { signal });
      return done;
    },
    flags.quiet,
  );
  show(`${terminalSummary(result.report)}\n`);
  show(
    [
      `Open ${at('report.html')} in a browser: the same figures, with the dialogues behind them.`,
      `Again from the files:  collapse-aware audit ${at('rollouts.jsonl')} --reference ${at('people.jsonl')} --seed ${flags.seed}`,
      `What to train on:      collapse-aware curate ${at('rollouts.jsonl')} --reference ${at('people.jsonl')} -o ${at('curated')}`,
    ].join('\n'),
  );
}
