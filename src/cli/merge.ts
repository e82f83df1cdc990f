import { Command } from 'commander';
import { mergeProfiles, type Profile } from '../space/index.ts';
import { interruptSignal } from './interrupt.ts';
import { checkOutputs } from './output-files.ts';
import { readProfile, writeProfile } from './profile-file.ts';
import { tell } from './terminal.ts';

const EXAMPLES = `
Examples:
  $ collapse-aware merge shard-*.profile -o all.profile
  $ collapse-aware audit all.profile --space space.json

The merged profile has the same bytes as the profile of all the files at once, in whatever order.`;

export function mergeCommand(): Command {
  return new Command('merge')
    .description('Merge saved profiles of one space; duplicates across them count once.')
    .argument('<profiles...>', 'files written by profile, or by audit --save-profile')
    .requiredOption('-o, --output <file>', 'where the merged profile goes')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: { output: string }) => {
      checkOutputs({ '--output': flags.output });
      const profiles: Profile[] = [];
      for (const path of paths) profiles.push(await readProfile(path));
      const merged = mergeProfiles(profiles);
      await writeProfile(flags.output, merged, interruptSignal());
      tell(`${merged.size.toLocaleString('en')} episodes in ${flags.output}`);
    });
}
