import { Command } from 'commander';
import { evolve, FORK_PARTS, type ForkChanges, fork, type RunSettings } from '../loop/index.ts';
import { type PartFlags, withoutParts, withPartOptions } from './evolve-options.ts';
import { type PlaceFlags, placeOf, withDatabaseOption } from './evolve-place.ts';
import { nameArgument, positiveNumber } from './input.ts';
import { tell } from './terminal.ts';

interface ForkFlags extends PlaceFlags, PartFlags {
  readonly at: number;
  readonly output: string;
  readonly steps?: number;
  readonly members?: number;
}

const EXAMPLES = `
Examples:
  $ collapse-aware evolve fork run/ --at 2 -o without-gaps/ --no-gaps
  $ collapse-aware evolve fork run/ --at 2 -o longer/ --steps 30 && collapse-aware evolve resume longer/

The new run has the answers of the other up to the end of that round, and goes on from there by the settings that are
given; those that are not given stay. Seed, rounds, members at the start, people, probes, exams, what the data plan began
with and what the acceptances promise hold for a whole run and cannot change.

Exit status: 0 done, 2 wrong usage or another run in the new place, 3 no run there, or one that is damaged.`;

export function evolveForkCommand(): Command {
  const command = withDatabaseOption(
    new Command('fork')
      .description('A new run that shares the first rounds of another and goes on by other settings.')
      .argument('<run>', 'folder of the run, or its name in the database', nameArgument),
  )
    .requiredOption('--at <round>', 'the last round that is shared; it must be over', positiveNumber)
    .requiredOption('-o, --output <run>', 'folder of the new run, or its name in the database', nameArgument)
    .option('--steps <number>', 'steps of training in a round', positiveNumber)
    .option('--members <number>', 'most members in service', positiveNumber);
  return withPartOptions(command, FORK_PARTS).addHelpText('after', EXAMPLES).action(runFork);
}

async function runFork(run: string, flags: ForkFlags): Promise<void> {
  const from = placeOf(run, flags);
  const view = await from.view();
  const { settings } = view.study;
  await view.close();
  await fork(evolve, from, placeOf(flags.output, flags), flags.at, changesOf(settings, flags));
  tell(
    `${flags.output}: shares ${flags.at} rounds with ${run}; go on: collapse-aware evolve resume ${flags.output}`,
  );
}

function changesOf({ parts }: RunSettings, { steps, members, ...flags }: ForkFlags): ForkChanges {
  const without = withoutParts(flags);
  return {
    ...(steps === undefined ? {} : { steps }),
    ...(members === undefined ? {} : { mostMembers: members }),
    ...(Object.keys(without).length === 0 ? {} : { parts: { ...parts, ...without } }),
  };
}
