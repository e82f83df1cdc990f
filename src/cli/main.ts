#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { auditCommand } from './audit.ts';
import { compareCommand } from './compare.ts';
import { convertCommand } from './convert.ts';
import { curateCommand } from './curate.ts';
import { demoCommand } from './demo.ts';
import { evolveCommand } from './evolve.ts';
import { exitStatus, reportError } from './exit.ts';
import { gatewayCommand } from './gateway.ts';
import { labCommand } from './lab.ts';
import { mergeCommand } from './merge.ts';
import { profileCommand } from './profile.ts';
import { spaceCommand } from './space.ts';
import { synthesizeCommand } from './synthesize.ts';
import { tell } from './terminal.ts';
import { watchCommand } from './watch.ts';
import { workerCommand } from './worker.ts';

const program = new Command('collapse-aware')
  .description(
    'Measure, explain and curb the collapse of LLM user simulators that agents are trained against.',
  )
  .version(VERSION)
  .showHelpAfterError('(add --help for the options and examples)')
  .configureOutput({ outputError: (text) => tell(`CA_USAGE: ${text.trimEnd().replace(/^error: /, '')}`) })
  .exitOverride()
  // Options behind `curate plan` are those of `plan`, though `curate` has some of the same name.
  .enablePositionalOptions()
  .addCommand(auditCommand())
  .addCommand(compareCommand())
  .addCommand(curateCommand())
  .addCommand(watchCommand())
  .addCommand(spaceCommand())
  .addCommand(profileCommand())
  .addCommand(mergeCommand())
  .addCommand(convertCommand())
  .addCommand(demoCommand())
  .addCommand(labCommand())
  .addCommand(evolveCommand())
  .addCommand(workerCommand())
  .addCommand(gatewayCommand())
  .addCommand(synthesizeCommand());
for (const command of program.commands)
  for (const one of [command, ...command.commands]) one.copyInheritedSettings(program).exitOverride();

// A reader that went away (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitStatus());
  const unwritable = new CollapseAwareError(
    'CA_FILE_UNWRITABLE',
    `standard output cannot be written (${error.message})`,
    { todo: 'check the free space of where it goes' },
  );
  process.exit(reportError(unwritable));
});
// Nobody is left to be told.
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
  process.exitCode = exitStatus();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = reportError(error);
}
