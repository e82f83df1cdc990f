import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { methodOf } from '../lab/methods/index.ts';
import {
  type CellEvent,
  type CellPlace,
  readWorldName,
  runAccount,
  studyOf,
} from '../lab/stage-zero/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { nameArgument, positiveNumber } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { makeCells } from './lab-crew.ts';
import { LabDirectory } from './lab-directory.ts';
import { panelsOf, type StudyFlags, seedArgument, settingsOf, withStudyOptions } from './lab-options.ts';
import { brokenLine, stepLine } from './lab-words.ts';
import { checkOutputs } from './output-files.ts';
import { followStages } from './progress.ts';
import { show, tell } from './terminal.ts';

interface RunFlags extends StudyFlags {
  readonly world: string;
  readonly method: string;
  readonly seed: number;
  readonly horizon?: number;
  readonly output?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware lab run --world persuasion --method single --seed 1
  $ collapse-aware lab run --world service --method co-training --steps 100 --json
  $ collapse-aware lab run --world persuasion --horizon 30 --method vs-prob -o runs/

With -o, a run that was stopped goes on when the same command is given again, and ends in the same bytes as one
that was not. A run that diverges is told as diverged; the status is 0.

Exit status: 0 done, 2 wrong usage or a folder of another study, 3 a file that cannot be used.`;

export function labRunCommand(): Command {
  const command = new Command('run')
    .description('Train one policy by one method in one world, and measure what came of it.')
    .option(
      '--world <name>',
      'persuasion, service or pair-coding, or as tables name them: persuasion-30',
      nameArgument,
      'persuasion',
    )
    .option('--method <name>', 'how the policy comes by its users (docs/lab.md)', nameArgument, 'single')
    .option('--seed <number>', 'seed of every draw', seedArgument, 1)
    .option('--horizon <turns>', "most turns of the agent (default: the world's own)", positiveNumber);
  return withStudyOptions(command)
    .option('-o, --output <folder>', 'keep the run there, to go on and to export')
    .option('--json', 'print the cell to standard output')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(runLab);
}

/** A horizon may stand in the world's name, as in tables, or beside it. */
function placeOf({ world, horizon }: Pick<RunFlags, 'world' | 'horizon'>) {
  if (horizon === undefined) return readWorldName(world);
  if (/-\d+$/.test(world))
    throw new CollapseAwareError('CA_USAGE', `the horizon is given twice: ${world} and ${horizon}`, {
      todo: 'Give it in the name or with --horizon.',
    });
  const found = worldOf(world, horizon);
  return { world: found.id, horizon: found.horizon };
}

async function runLab(flags: RunFlags): Promise<void> {
  checkOutputs({ '--output': flags.output });
  const method = methodOf(flags.method);
  const place: CellPlace = { ...placeOf(flags), method: method.id, seed: flags.seed };
  const settings = settingsOf(flags);
  const study = studyOf(settings, await panelsOf(flags, [place]));
  const signal = interruptSignal();
  const directory = await LabDirectory.open(flags.output ?? null, study, signal);
  const [cell] = await followStages(
    { space: 'Learn what people do', train: `Train ${method.id} in ${place.world}`, measure: 'Measure' },
    async (progress) => {
      let selection: number | null = null;
      return makeCells(directory, [place], {
        workers: 1,
        signal,
        onBroken: (file) => tell(brokenLine(file)),
        onSpace: (made, of) => progress('space', made, of),
        onEvent: (_, event: CellEvent) => {
          if (event.kind !== 'step') return;
          if (event.look !== null) selection = event.look.selection;
          if (event.record === null) progress('train', 0, settings.steps);
          else progress('train', event.record.step, settings.steps, stepLine(event.record, selection));
          if (event.record?.step === settings.steps) progress('measure', 0, null);
        },
      });
    },
    flags.quiet,
  );
  if (flags.json === true) process.stdout.write(`${JSON.stringify(cell, null, 2)}\n`);
  else show(runAccount(cell!, method));
  if (flags.output !== undefined) tell(`cell: ${directory.cellPath(place)}`);
}
