#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { exitStatus, reportError } from './exit.ts';
import { tell } from './terminal.ts';

/** In the order that `--help` lists them. A command's own modules are most of a start: only the named one is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./audit.ts')).auditCommand(),
  compare: async () => (await import('./compare.ts')).compareCommand(),
  curate: async () => (await import('./curate.ts')).curateCommand(),
  watch: async () => (await import('./watch.ts')).watchCommand(),
  space: async () => (await import('./space.ts')).spaceCommand(),
  profile: async () => (await import('./profile.ts')).profileCommand(),
  merge: async () => (await import('./merge.ts')).mergeCommand(),
  convert: async () => (await import('./convert.ts')).convertCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  lab: async () => (await import('./lab.ts')).labCommand(),
  evolve: async () => (await import('./evolve.ts')).evolveCommand(),
  worker: async () => (await import('./worker.ts')).workerCommand(),
  gateway: async () => (await import('./gateway.ts')).gatewayCommand(),
  synthesize: async () => (await import('./synthesize.ts')).synthesizeCommand(),
};

const program = new Command('collapse-aware')
  .description(
    'Measure, explain and curb the collapse of LLM user simulators that agents are trained against.',
  )
  .version(VERSION)
  .showHelpAfterError('(add --help for the options and examples)')
  .configureOutput({ outputError: (text) => tell(`CA_USAGE: ${text.trimEnd().replace(/^error: /, '')}`) })
  .exitOverride()
  // Options behind `curate plan` are those of `plan`, though `curate` has some of the same name.
  .enablePositionalOptions();
const named = process.argv[2] ?? '';
for (const make of Object.hasOwn(COMMANDS, named) ? [COMMANDS[named]!] : Object.values(COMMANDS))
  program.addCommand(await make());
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
