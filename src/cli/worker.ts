import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { evolve, joinCrew } from '../loop/index.ts';
import { DATABASE_VARIABLE, withDatabaseOption } from './evolve-place.ts';
import { openPerformer } from './evolve-thread.ts';
import { upTo } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { tell } from './terminal.ts';
import { MOST_WORKERS, spawnWorkers } from './worker-crew.ts';

interface WorkerFlags {
  readonly database?: string;
  readonly workers?: number;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware worker --database postgresql://ca@db.example/runs
  $ collapse-aware worker --workers 8          (with the address in ${DATABASE_VARIABLE})

Performs what runs in the database ask for, one request at a time in each process, and leads runs whose own process is
gone, until it is told to end (Ctrl-C, SIGTERM). What it was at then, or when it was killed, another one takes up.

Exit status: 0 ended when told to, 2 wrong usage or a package that is missing, 3 a database that failed.`;

export function workerCommand(): Command {
  return withDatabaseOption(
    new Command('worker').description('Join the machines that perform runs of evolve from a database.'),
  )
    .option(
      '--workers <number>',
      'processes, each with one request at a time (default: 1)',
      upTo(MOST_WORKERS),
    )
    .option('-q, --quiet', 'tell of faults alone')
    .addHelpText('after', EXAMPLES)
    .action(runWorker);
}

async function runWorker({ database, workers = 1, quiet }: WorkerFlags): Promise<void> {
  if (database === undefined)
    throw new CollapseAwareError('CA_USAGE', 'nothing says which database', {
      todo: `add --database URL, or set ${DATABASE_VARIABLE}`,
    });
  const told = interruptSignal();
  const crew = await joinCrew({
    url: database,
    program: evolve,
    make: (stage) => openPerformer(stage, 1),
    performs: true,
    onWarning: tell,
    onPerform: (run, { id }) => {
      if (quiet !== true) tell(`${run}: ${id}`);
    },
  });
  const others = spawnWorkers(database, workers - 1);
  if (quiet !== true) tell(`joined with ${workers} ${workers === 1 ? 'process' : 'processes'}`);
  await new Promise<void>((done) => {
    told.addEventListener('abort', () => done(), { once: true });
    if (told.aborted) done();
    // One that another process began ends with it.
    if (process.send !== undefined) process.once('disconnect', done);
  });
  await others.stop();
  await crew.leave();
  if (process.send !== undefined) process.channel?.unref();
}
