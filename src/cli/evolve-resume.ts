import { Command } from 'commander';
import { type DriveFlags, driveRun } from './evolve-drive.ts';
import { withDriveOptions } from './evolve-options.ts';
import { placeOf } from './evolve-place.ts';
import { nameArgument } from './input.ts';
import { interruptSignal } from './interrupt.ts';

const EXAMPLES = `
Examples:
  $ collapse-aware evolve resume run/
  $ collapse-aware evolve resume run/ --workers 4 --json

Ends a pause, and goes on from the last answer that was kept: after a pause, a kill, a full disk or a fault of an upstream.
However often a run was stopped, it ends in the same bytes. One that is over is printed again.

Exit status: 0 done or paused, 1 done and --fail-on was met, 2 wrong usage, 3 no run there, or one that is damaged or
driven by another process.`;

export function evolveResumeCommand(): Command {
  return withDriveOptions(
    new Command('resume')
      .description('Go on with a run that was paused, stopped or killed.')
      .argument('<run>', 'folder of the run, or its name in the database', nameArgument),
  )
    .addHelpText('after', EXAMPLES)
    .action(runResume);
}

async function runResume(run: string, flags: DriveFlags): Promise<void> {
  const signal = interruptSignal();
  await placeOf(run, flags).allow();
  await driveRun(run, null, flags, signal);
}
