import { Command } from 'commander';
import { labCheckCommand } from './lab-check.ts';
import { labExportCommand } from './lab-export.ts';
import { labRunCommand } from './lab-run.ts';
import { labTableCommand } from './lab-table.ts';

const EXAMPLES = `
Examples:
  $ collapse-aware lab run --world persuasion --method single --seed 1
  $ collapse-aware lab table --worlds persuasion --seeds 3 -o table/
  $ collapse-aware lab check --quick
  $ collapse-aware lab export table/cells/persuasion-10/single/seed-1.json -o export/

docs/lab.md says what the worlds, users and methods are, and what was expected before anything was measured.`;

export function labCommand(): Command {
  return new Command('lab')
    .description(
      'Train small policies against simulated users whose truth is known, by every method, on a laptop.',
    )
    .addCommand(labRunCommand())
    .addCommand(labTableCommand())
    .addCommand(labCheckCommand())
    .addCommand(labExportCommand())
    .addHelpText('after', EXAMPLES);
}
