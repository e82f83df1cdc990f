import { join } from 'node:path';
import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { RUN_FILES, type RunStudy } from '../loop/index.ts';
import { renderEvolvePage } from '../report/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { type PlaceFlags, placeOf, withDatabaseOption } from './evolve-place.ts';
import type { Injection } from './evolve-stage.ts';
import { shownRun } from './evolve-status.ts';
import { nameArgument } from './input.ts';
import { checkNotOwn } from './output-files.ts';
import { tell } from './terminal.ts';

interface PageFlags extends PlaceFlags {
  readonly output?: string;
  readonly title?: string;
}

const EXAMPLES = `
Examples:
  $ collapse-aware evolve page run/
  $ collapse-aware evolve page run/ -o run.html --title "Second try"

The page of a run that is not over shows the rounds so far. Equal runs give equal bytes.

Exit status: 0 done, 2 wrong usage, 3 no run there, or a file that cannot be written.`;

export function evolvePageCommand(): Command {
  return withDatabaseOption(
    new Command('page')
      .description('Write the page of a run: rounds, population, gaps, breaker, policy; one HTML file.')
      .argument('<run>', 'folder of the run, or its name in the database', nameArgument),
  )
    .option('-o, --output <file>', 'where the page goes (default: run.html in the folder)', nameArgument)
    .option('--title <text>', 'title of the page', nameArgument)
    .addHelpText('after', EXAMPLES)
    .action(runPage);
}

async function runPage(run: string, flags: PageFlags): Promise<void> {
  if (flags.database !== undefined && flags.output === undefined)
    throw new CollapseAwareError('CA_USAGE', 'nothing says where the page goes', { todo: 'add -o FILE' });
  const output = flags.output ?? join(run, 'run.html');
  if (flags.database === undefined) checkNotOwn({ '-o': output }, run, RUN_FILES);
  const view = await placeOf(run, flags).view();
  try {
    const page = await shownRun(view, flags.title ?? titleOf(view.study), renderEvolvePage);
    await writeFileAtomic(output, page);
  } finally {
    await view.close();
  }
  tell(`page: ${output}`);
}

/** Where it was played, and what was done to it on purpose: a red that was asked for must not look like another. */
function titleOf({ settings, stage, forkedFrom }: RunStudy): string {
  const { kind, world, inject } = stage as RunStudy['stage'] & {
    readonly world?: unknown;
    readonly inject?: Injection;
  };
  const where = kind === 'lab' && typeof world === 'string' ? world : 'a trainer behind a gateway';
  const fault = inject === undefined ? '' : `; fault injected: ${inject.kind}@${inject.round}`;
  const from = forkedFrom === null ? '' : `; forked at round ${forkedFrom.round}`;
  return `${where}, seed ${settings.seed}${fault}${from}`;
}
