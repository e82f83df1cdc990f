import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { COMPARISON, methodOf } from '../lab/methods/index.ts';
import {
  CI_PLAN,
  CI_SETTINGS,
  cellName,
  cellsOf,
  GRID_PLAN,
  GUESSED,
  PUBLISHED,
  type Shard,
  shardOf,
  studyOf,
  type Table,
  tableMarkdown,
  tableOf,
  tablePlan,
  tableSummary,
} from '../lab/stage-zero/index.ts';
import { renderLab } from '../report/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { positiveNumber } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { makeCells } from './lab-crew.ts';
import { LabDirectory, OWN_NAMES } from './lab-directory.ts';
import { runGrid } from './lab-grid.ts';
import {
  cores,
  namesArgument,
  panelsOf,
  type StudyFlags,
  seedsArgument,
  settingsOf,
  shardArgument,
  withStudyOptions,
} from './lab-options.ts';
import { brokenLine, unreadLine } from './lab-words.ts';
import { checkNotOwn, checkOutputs } from './output-files.ts';
import { followStages } from './progress.ts';
import { show, tell } from './terminal.ts';

interface TableFlags extends StudyFlags {
  readonly worlds?: string[];
  readonly methods?: string[];
  readonly seeds?: number[];
  readonly against?: string;
  readonly shard?: Shard;
  readonly workers?: number;
  readonly ci?: boolean;
  readonly grid?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly markdown?: string;
  readonly output?: string;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware lab table --ci
  $ collapse-aware lab table --worlds persuasion,service --methods base,single,vs-prob --seeds 5 -o table/
  $ collapse-aware lab table --seeds 20 --shard 1/4 -o table/     (and 2/4, 3/4, 4/4, together or in turn)
  $ collapse-aware lab table --seeds 20 -o table/ --html table.html --markdown table.md
  $ collapse-aware lab table --methods single,ensemble-3 --against single -o table/
  $ collapse-aware lab table --grid --seeds 5 -o grid/

A cell is one world, method and seed: persuasion-10/single/seed-3. Cells that are in the folder are not made again;
a table that was stopped goes on when the same command is given again, and ends in the same bytes.

Exit status: 0 done, 2 wrong usage or a folder of another study, 3 a file that cannot be used.`;

export function labTableCommand(): Command {
  const command = new Command('table')
    .description(
      'Worlds x methods x seeds: what each method does, with intervals over seeds and paired differences.',
    )
    .option(
      '--worlds <names>',
      'by comma, each with or without a horizon: persuasion,service-30',
      namesArgument,
    )
    .option('--methods <names>', 'by comma (docs/lab.md; default: all)', namesArgument)
    .option('--seeds <number>', 'how many, or which: 5, or 3,7 or 11-20 (default: 20)', seedsArgument)
    .option('--against <method>', `whom the others are compared with (default: ${COMPARISON})`)
    .option('--shard <i/n>', 'make the cells of this part only', shardArgument)
    .option('--workers <number>', 'cells at a time (default: one a core)', positiveNumber)
    .option('--grid', 'five methods on persuasion under other assumptions of the model: which orders flip')
    .option('--ci', 'a small table: one world, four methods, two seeds, shorter training');
  return withStudyOptions(command)
    .option('-o, --output <folder>', 'keep the cells there; without it they are lost when the command ends')
    .option('--html <file>', 'write the table there as a page, with training curves')
    .option('--markdown <file>', 'write the table there as Markdown')
    .option('--json', 'print the table to standard output as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(runTable);
}

async function runTable(flags: TableFlags): Promise<void> {
  const files = { '--html': flags.html, '--markdown': flags.markdown };
  checkOutputs({ ...files, '--output': flags.output });
  if (flags.output !== undefined) checkNotOwn(files, flags.output, OWN_NAMES);
  const plan = tablePlan({
    ...(flags.grid === true ? GRID_PLAN : {}),
    ...(flags.ci === true ? CI_PLAN : {}),
    ...(flags.worlds === undefined ? {} : { worlds: flags.worlds }),
    ...(flags.methods === undefined ? {} : { methods: flags.methods }),
    ...(flags.seeds === undefined ? {} : { seeds: flags.seeds }),
  });
  const comparison = methodOf(flags.against ?? COMPARISON).id;
  const settings = settingsOf(flags, flags.ci === true ? CI_SETTINGS : {});
  const panels = await panelsOf(flags, plan.worlds);
  const signal = interruptSignal();
  if (flags.grid === true && flags.html !== undefined)
    throw new CollapseAwareError('CA_USAGE', 'a grid has no page', { todo: 'Give --markdown, or --json.' });
  if (flags.against !== undefined && (flags.grid === true || !plan.methods.includes(comparison)))
    throw new CollapseAwareError(
      'CA_USAGE',
      flags.grid === true ? 'a grid compares every two methods' : `"${comparison}" is not in the table`,
      { todo: flags.grid === true ? 'Leave --against out.' : 'Name it in --methods too.' },
    );
  if (flags.grid === true)
    return runGrid({
      plan,
      settings,
      panels,
      signal,
      shard: flags.shard ?? null,
      workers: flags.workers ?? cores(),
      output: flags.output ?? null,
      markdown: flags.markdown ?? null,
      json: flags.json === true,
      quiet: flags.quiet === true,
    });
  const study = studyOf(settings, panels);
  const directory = await LabDirectory.open(flags.output ?? null, study, signal);
  const all = cellsOf(plan);
  const wanted = flags.shard === undefined ? all : shardOf(all, flags.shard);
  const { steps } = study.settings;
  const table = await followStages(
    {
      space: 'Learn what people do',
      train: `Train and measure ${wanted.length.toLocaleString('en')} cells`,
      write: 'Write',
    },
    async (progress): Promise<Table> => {
      const at = new Map<string, number>();
      let ready = 0;
      let done = 0;
      const own = await makeCells(directory, wanted, {
        workers: flags.workers ?? cores(),
        signal,
        onBroken: (file) => tell(brokenLine(file)),
        onReady: (count) => {
          ready = count;
          done = count * steps;
        },
        onSpace: (made, of) => progress('space', made, of),
        onEvent: (place, event) => {
          const name = cellName(place);
          const before = at.get(name) ?? 0;
          const now =
            event.kind === 'cell' ? steps : event.kind === 'step' ? (event.record?.step ?? before) : before;
          at.set(name, now);
          done += now - before;
          if (event.kind === 'cell') {
            ready += 1;
            if (event.cell.diverged !== null)
              tell(`${name}: diverged at step ${event.cell.diverged.step} (${event.cell.diverged.reason})`);
          }
          progress(
            'train',
            done,
            wanted.length * steps,
            `steps, ${ready} ${ready === 1 ? 'cell' : 'cells'} ready, ${name}`,
          );
        },
      });
      progress('write', 0, null);
      // Other shards may have made theirs.
      const made = new Set(wanted.map(cellName));
      const others = await directory.cells(
        all.filter((place) => !made.has(cellName(place))),
        (file) => tell(unreadLine(file)),
      );
      const found = tableOf(study, plan, [...own, ...others], comparison);
      if (flags.markdown !== undefined)
        await writeFileAtomic(flags.markdown, tableMarkdown(found), { signal });
      if (flags.html !== undefined) await writeFileAtomic(flags.html, pageOf(found), { signal });
      return found;
    },
    flags.quiet,
  );
  if (flags.json === true) process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
  else show(tableSummary(table));
  if (flags.html !== undefined) tell(`page: ${flags.html}`);
  if (flags.markdown !== undefined) tell(`table: ${flags.markdown}`);
  if (flags.output !== undefined) tell(`cells: ${flags.output}`);
}

function pageOf(table: Table): string {
  const command = ['collapse-aware', ...process.argv.slice(2)].join(' ');
  return renderLab(
    { title: 'Lab table', command, table, published: PUBLISHED, guessed: GUESSED },
    tableSummary(table),
  );
}
