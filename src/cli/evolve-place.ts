import { type Command, Option } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { postgresRun, type RunPlace, runDirectory } from '../loop/index.ts';

export interface PlaceFlags {
  readonly database?: string;
}

/** Where the address may stand, so that its password is in no list of processes. */
export const DATABASE_VARIABLE = 'COLLAPSE_AWARE_DATABASE';

export function withDatabaseOption(command: Command): Command {
  const option = new Option(
    '--database <url>',
    'postgresql://user@host/database: runs are kept there, by name, for many machines',
  ).argParser(databaseArgument);
  // As everywhere, a variable that is empty is one that is not set.
  return command.addOption(process.env[DATABASE_VARIABLE] === '' ? option : option.env(DATABASE_VARIABLE));
}

/** @throws CA_USAGE without the address: it may have a password. */
function databaseArgument(text: string): string {
  if (/^postgres(ql)?:\/\/./.test(text)) return text;
  throw new CollapseAwareError('CA_USAGE', '--database is no address of a PostgreSQL database', {
    todo: 'give postgresql://USER@HOST/DATABASE',
  });
}

/** A folder, or with a database the run of that name. */
export const placeOf = (run: string, { database }: PlaceFlags): RunPlace =>
  database === undefined ? runDirectory(run) : postgresRun(database, run);
