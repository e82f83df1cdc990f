import { type Command, InvalidArgumentError, Option } from 'commander';
import { postgresRun, type RunPlace, runDirectory } from '../loop/index.ts';

export interface PlaceFlags {
  readonly database?: string;
}

/** Where the address may stand, so that its password is in no list of processes. */
export const DATABASE_VARIABLE = 'COLLAPSE_AWARE_DATABASE';

export function withDatabaseOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--database <url>',
      'postgresql://user@host/database: runs are kept there, by name, for many machines',
    )
      .argParser(databaseArgument)
      .env(DATABASE_VARIABLE),
  );
}

function databaseArgument(text: string): string {
  if (!/^postgres(ql)?:\/\/./.test(text))
    throw new InvalidArgumentError('give postgresql://USER@HOST/DATABASE');
  return text;
}

/** A folder, or with a database the run of that name. */
export const placeOf = (run: string, { database }: PlaceFlags): RunPlace =>
  database === undefined ? runDirectory(run) : postgresRun(database, run);
