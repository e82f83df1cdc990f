import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PartSettings } from '../loop/index.ts';
import { withDatabaseOption } from './evolve-place.ts';
import type { Injection } from './evolve-stage.ts';
import { withFailOnOptions } from './fail-on.ts';
import { positiveNumber, wholeNumber } from './input.ts';
import { MOST_WORKERS } from './worker-crew.ts';

/** How a run is driven, and what is printed of it. */
export function withDriveOptions(command: Command): Command {
  withDatabaseOption(command)
    .option(
      '--workers <number>',
      'threads, or with a database processes, that perform (default: 1)',
      workersArgument,
    )
    .option('--json', 'print the summary to standard output')
    .option('-q, --quiet', 'no progress');
  return withFailOnOptions(command, 'final.psodRise.low>0.1');
}

function workersArgument(text: string): number {
  const number = wholeNumber(text);
  if (number < 0 || number > MOST_WORKERS) throw new InvalidArgumentError(`give 0 to ${MOST_WORKERS}`);
  return number;
}

/** Parts of the method, and what leaving one out leaves out. */
const PARTS = {
  people: 'no people on record: modes count alike',
  gate: 'no gate: what members off support play is trained on',
  weights: 'no loss weights',
  gaps: 'no members made for modes that are lacking',
  paths: 'no members made between others',
  adversary: 'no members made to be learned from',
  breaker: 'no breaker: training is never paused',
  consistency: 'no consistency over members',
} as const satisfies Record<keyof PartSettings, string>;

export type PartFlags = Partial<Record<keyof PartSettings, boolean>>;

export function withPartOptions(
  command: Command,
  parts: readonly (keyof PartSettings)[] = Object.keys(PARTS) as (keyof PartSettings)[],
): Command {
  for (const part of parts) command.addOption(new Option(`--no-${part}`, PARTS[part]));
  return command;
}

/** Those that are left out. */
export const withoutParts = (flags: PartFlags): Partial<PartSettings> =>
  Object.fromEntries(
    (Object.keys(PARTS) as (keyof PartSettings)[])
      .filter((part) => flags[part] === false)
      .map((part) => [part, false]),
  );

/** `collapse@3` */
export function injectionArgument(text: string): Injection {
  const [, round] = /^collapse@(\d+)$/.exec(text.trim()) ?? [];
  if (round === undefined) throw new InvalidArgumentError('give collapse@ROUND, as in collapse@3');
  return { kind: 'collapse', round: positiveNumber(round) };
}
