import { Command, InvalidArgumentError, Option } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { labStage } from '../lab/evolution/index.ts';
import { LOOP_FAMILIES, labRunSettings } from '../lab/methods/index.ts';
import { DEFAULT_PANELS, readWorldName } from '../lab/stage-zero/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { type RunSettings, type RunStudy, runStudy } from '../loop/index.ts';
import { type DriveFlags, driveRun } from './evolve-drive.ts';
import { evolveForkCommand } from './evolve-fork.ts';
import {
  injectionArgument,
  type PartFlags,
  withDriveOptions,
  withoutParts,
  withPartOptions,
} from './evolve-options.ts';
import { type OutsideFlags, outsideStage, withOutsideOptions } from './evolve-outside.ts';
import { evolvePageCommand } from './evolve-page.ts';
import { evolvePauseCommand } from './evolve-pause.ts';
import { evolveResumeCommand } from './evolve-resume.ts';
import type { Injection } from './evolve-stage.ts';
import { evolveStatusCommand } from './evolve-status.ts';
import { nameArgument, positiveNumber, upTo } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { seedArgument } from './lab-options.ts';

interface EvolveFlags extends DriveFlags, PartFlags, OutsideFlags {
  readonly output?: string;
  readonly world: string;
  readonly seed: number;
  readonly rounds?: number;
  readonly steps?: number;
  readonly members?: number;
  readonly rollouts?: number;
  readonly delta?: number;
  readonly bars: RunSettings['bars'];
  readonly inject?: Injection;
}

const ROUNDS = 6;
/** The breaker's bars are planned for all of them before the first, which takes seconds for so many. */
const MOST_ROUNDS = 1000;
/** Every row of a probe is held in memory. */
const MOST_ROLLOUTS = 1000;

const EXAMPLES = `
Examples:
  $ collapse-aware evolve --world persuasion --seed 1 --rounds 6 -o run/
  $ collapse-aware evolve --seed 1 --rounds 6 --no-people --workers 4 -o without-people/
  $ collapse-aware evolve --rounds 6 --inject collapse@3 -o collapsed/
  $ collapse-aware evolve --database postgresql://ca@db.example/runs -o first-run
  $ collapse-aware evolve --gateway http://127.0.0.1:8420 --agent http://127.0.0.1:8000/v1 \\
      --population gateway.yaml --probes contexts.jsonl -o trainer/

A run is kept where -o says, from its first answer on. Stopped or killed anywhere, the same command goes on with it, and
ends in the same bytes. A folder, or a name in the database, is one run: other settings are refused there.

Exit status: 0 done or paused, 1 done and --fail-on was met, 2 wrong usage or another run there, 3 a run that is damaged
or driven by another process, or a file that cannot be written.`;

export function evolveCommand(): Command {
  const command = new Command('evolve')
    .description(
      'Rounds in which user simulators, training data and policy evolve together, held by a breaker.',
    )
    .option('-o, --output <run>', 'folder of the run, or with --database its name', nameArgument)
    .option(
      '--world <name>',
      'of the lab: persuasion, service or pair-coding, or as tables name them: persuasion-30',
      nameArgument,
      'persuasion',
    )
    .option('--seed <number>', 'seed of every draw', seedArgument, 1)
    .option('--rounds <number>', `rounds in all (default: ${ROUNDS})`, upTo(MOST_ROUNDS))
    .option('--steps <number>', 'steps of training in a round', positiveNumber)
    .option('--members <number>', 'most members in service', positiveNumber)
    .option(
      '--rollouts <number>',
      'rollouts in each context of a probe: more let the acceptance rule tell more (default: 3; of --gateway 4)',
      upTo(MOST_ROLLOUTS),
    )
    .option(
      '--delta <number>',
      'how much worse than the best so far an accepted population may be (default: 0.05)',
      deltaArgument,
    )
    .addOption(
      new Option(
        '--bars <which>',
        "the breaker's bars on SCD2: the proposal's constants, or over people's own",
      )
        .choices(['proposed', 'people'])
        .default('proposed'),
    )
    .option(
      '--inject <fault>',
      'collapse@ROUND: everybody made before does one thing from then on',
      injectionArgument,
    );
  return withDriveOptions(withPartOptions(withOutsideOptions(command)))
    .addHelpText('after', EXAMPLES)
    .addCommand(evolveStatusCommand())
    .addCommand(evolvePauseCommand())
    .addCommand(evolveResumeCommand())
    .addCommand(evolveForkCommand())
    .addCommand(evolvePageCommand())
    .hook('preSubcommand', checkNothingBefore)
    .action(runEvolve);
}

/** @throws CA_USAGE for `evolve --rounds 8 resume run/`, whose rounds nobody would heed. */
function checkNothingBefore(command: Command, sub: Command): void {
  const given = command.options.find((one) => command.getOptionValueSource(one.attributeName()) === 'cli');
  if (given !== undefined)
    throw new CollapseAwareError('CA_USAGE', `${given.long} stands before ${sub.name()}`, {
      todo: `give it behind ${sub.name()}, if it is an option of that; a run's settings change in a fork alone`,
    });
}

/** @throws CA_USAGE for options that say different things. */
function checkTogether(flags: EvolveFlags, command: Command): void {
  const { gateway, inject, rounds = ROUNDS } = flags;
  const refused = (found: string, todo: string) => {
    throw new CollapseAwareError('CA_USAGE', found, { todo });
  };
  if (inject !== undefined && inject.round > rounds)
    refused(
      `--inject collapse@${inject.round} lies behind the last round, ${rounds}`,
      'give more --rounds, or an earlier one',
    );
  if (gateway !== undefined && command.getOptionValueSource('world') === 'cli')
    refused('--world is of the lab, and --gateway steers a trainer outside it', 'leave one of them out');
  const outside = withOutsideOptions(new Command()).options.find(
    (one) => flags[one.attributeName() as keyof EvolveFlags] !== undefined,
  );
  if (gateway === undefined && outside !== undefined)
    refused(`${outside.long} is of a trainer behind a gateway`, 'add --gateway URL, or leave it out');
}

async function runEvolve(flags: EvolveFlags, command: Command): Promise<void> {
  checkTogether(flags, command);
  const { output } = flags;
  if (output === undefined)
    throw new CollapseAwareError('CA_USAGE', 'nothing says where the run is kept', {
      todo: 'add -o FOLDER, or with --database -o NAME',
    });
  const signal = interruptSignal();
  await driveRun(output, await studyOf(flags), flags, signal);
}

async function studyOf({
  world: name,
  seed,
  rounds,
  steps,
  members,
  rollouts,
  delta,
  bars,
  inject,
  ...flags
}: EvolveFlags): Promise<RunStudy> {
  const { world, horizon } = readWorldName(name);
  const outside = await outsideStage(flags);
  const base = labRunSettings(DEFAULT_PANELS.seen.slice(0, LOOP_FAMILIES), seed, {
    rounds: rounds ?? ROUNDS,
    bars,
    ...outside?.given,
    ...(steps === undefined ? {} : { steps }),
    ...(members === undefined ? {} : { mostMembers: members }),
  });
  const settings: RunSettings = {
    ...base,
    parts: { ...base.parts, ...withoutParts(flags) },
    probe: { ...base.probe, ...(rollouts === undefined ? {} : { rollouts }) },
    acceptance: { ...base.acceptance, ...(delta === undefined ? {} : { delta }) },
  };
  const stage = outside?.stage ?? labStage(worldOf(world, horizon), seed, settings.parts.people);
  return runStudy(settings, inject === undefined ? stage : { ...stage, inject });
}

function deltaArgument(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('give a number above 0 and below 1');
  return number;
}
