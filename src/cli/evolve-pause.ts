import { Command } from 'commander';
import { type PlaceFlags, placeOf, withDatabaseOption } from './evolve-place.ts';
import { nameArgument } from './input.ts';
import { tell } from './terminal.ts';

const EXAMPLES = `
Examples:
  $ collapse-aware evolve pause run/
  $ collapse-aware evolve resume run/

Whoever drives the run stops before its next question, and what is under way is finished and kept. A run that nobody
drives stays as it is until it is resumed.

Exit status: 0 done, 2 wrong usage, 3 no run there.`;

export function evolvePauseCommand(): Command {
  return withDatabaseOption(
    new Command('pause')
      .description('Ask whoever drives a run to stop before its next question.')
      .argument('<run>', 'folder of the run, or its name in the database', nameArgument),
  )
    .addHelpText('after', EXAMPLES)
    .action(runPause);
}

async function runPause(run: string, flags: PlaceFlags): Promise<void> {
  const place = placeOf(run, flags);
  await place.askPause();
  const view = await place.view();
  const holder = await view.holder();
  const over = (await view.summary()) !== null;
  await view.close();
  tell(
    over
      ? `${run}: the run is over; there is nothing to pause`
      : holder === null
        ? `${run}: paused; nobody drives it now`
        : `${run}: asked; ${holder} stops before its next question`,
  );
}
