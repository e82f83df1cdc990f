import { Command } from 'commander';
import { embedderOf, place } from '../audit/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { dryRun } from './dry-run.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import { checkInput, type InputFlags, openInput, withInputOptions } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { checkNoInputReplaced, checkOutputs } from './output-files.ts';
import { writeProfile } from './profile-file.ts';
import { followStages } from './progress.ts';
import { readSpace } from './space-file.ts';
import { tell } from './terminal.ts';

interface ProfileFlags extends InputFlags, EmbedderFlags {
  readonly space: string;
  readonly people?: boolean;
  readonly output: string;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware profile shard-1.jsonl --space space.json -o 1.profile
  $ collapse-aware profile people.jsonl --people --space space.json -o people.profile
  $ collapse-aware profile shard-1.jsonl --space space.json -o 1.profile --dry-run
  $ collapse-aware merge 1.profile people.profile -o all.profile`;

export function profileCommand(): Command {
  const command = new Command('profile')
    .description(
      'Place rollouts in a saved space: small, mergeable, without their text but for a few excerpts.',
    )
    .argument('<files...>', 'rollout files')
    .requiredOption('--space <file>', 'saved space')
    .requiredOption('-o, --output <file>', 'where the profile goes')
    .option('--people', 'the files are the human reference')
    .option('--dry-run', 'say what would be read and embedded, and stop')
    .option('-q, --quiet', 'no progress');
  withEmbedderOptions(withInputOptions(command));
  return command.addHelpText('after', EXAMPLES).action(runProfile);
}

async function runProfile(paths: string[], flags: ProfileFlags): Promise<void> {
  const signal = interruptSignal();
  checkOutputs({ '--output': flags.output });
  const space = await readSpace(flags.space);
  const input = await openInput(paths, flags, flags.people === true);
  if (flags.dryRun === true) return dryRun([{ input, use: 'all' }], flags);
  const { embedder, usage } = await openEmbedder(flags, signal);
  const used = embedderOf(space, embedder ?? undefined);
  const profile = await followStages(
    { place: 'Place episodes', write: 'Write' },
    async (progress) => {
      const options = {
        signal,
        onProgress: (_: string, done: number, total: number | null) => progress('place', done, total),
      };
      // A person's episodes share one part of the reference, so people are placed in one piece.
      const people: Trajectory[] = [];
      if (flags.people === true) for await (const trajectory of input.records()) people.push(trajectory);
      const placed = await place(flags.people === true ? null : input.records, people, space, used, options);
      checkInput(input.files(), flags.strict === true);
      checkNoInputReplaced({ '--output': flags.output }, input.files());
      progress('write', 0, null);
      await writeProfile(flags.output, placed, signal);
      return placed;
    },
    flags.quiet,
  );
  reportUsage(usage);
  tell(`${profile.size.toLocaleString('en')} episodes in ${flags.output}`);
}
