import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as breath } from 'node:timers/promises';
import { Command } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import { writerNamed } from '../formats/index.ts';
import {
  type Cell,
  type CellPlace,
  cellExport,
  cellName,
  EXPORT_AUDITS,
  makeSpace,
  openRun,
  readCellName,
  readSpaceText,
  SPACE_FILE,
  worldExport,
  writeExport,
} from '../lab/stage-zero/index.ts';
import type { TrainingRun } from '../lab/trainer/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { interruptSignal } from './interrupt.ts';
import { LabDirectory } from './lab-directory.ts';
import { followStages, type Progress } from './progress.ts';
import { show } from './terminal.ts';

interface ExportFlags {
  readonly output: string;
  readonly quiet?: boolean;
}

const STAGES = { space: 'Learn what people do', train: 'Train again', write: 'Write episodes' } as const;

const EXAMPLES = `
Examples:
  $ collapse-aware lab run --world persuasion --method single -o runs/
  $ collapse-aware lab export runs/cells/persuasion-10/single/seed-1.json -o export/

A cell keeps figures, not episodes: its run is trained again, which gives the same policy. What is written is what the
cell's figures were measured on; the commands that print them again are shown at the end.`;

export function labExportCommand(): Command {
  return new Command('export')
    .description('Write the episodes behind a cell, for audit and curate.')
    .argument('<cells...>', 'cell files of `lab run -o` or `lab table -o`')
    .requiredOption('-o, --output <folder>', 'where the files go; several cells have a folder each')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(runExport);
}

async function runExport(paths: string[], flags: ExportFlags): Promise<void> {
  const signal = interruptSignal();
  const wanted: { readonly directory: LabDirectory; readonly cell: Cell; readonly to: string }[] = [];
  for (const path of paths) {
    const { folder, place } = placeOf(path);
    const directory = await LabDirectory.read(folder, signal);
    const cell = await directory.cell(place);
    if (cell === null)
      throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no such cell', { place: { file: path } });
    if ('reason' in cell)
      throw new CollapseAwareError('CA_FORMAT_INVALID', cell.reason, {
        place: { file: path },
        todo: 'Make it again: `lab table` or `lab run` with the settings of the folder.',
      });
    const to = paths.length === 1 ? flags.output : join(flags.output, cellName(place));
    wanted.push({ directory, cell, to });
  }
  await followStages(
    STAGES,
    async (progress) => {
      for (const { directory, cell, to } of wanted) await exportCell(directory, cell, to, progress, signal);
    },
    flags.quiet,
  );
  show(wanted.map(({ to }) => commandsFor(to)).join('\n\n'));
}

/** `DIR/cells/persuasion-10/single/seed-1.json` is a cell of the folder `DIR`. */
function placeOf(path: string): { folder: string; place: CellPlace } {
  const parts = resolve(path).split(/[\\/]/);
  const at = parts.length - 4;
  const name = parts.slice(at + 1).join('/');
  if (at < 1 || parts[at] !== 'cells' || !name.endsWith('.json'))
    throw new CollapseAwareError('CA_USAGE', 'not the path of a cell', {
      place: { file: path },
      todo: 'Give DIR/cells/WORLD/METHOD/seed-N.json of a folder that `lab run -o` or `lab table -o` wrote.',
    });
  return { folder: parts.slice(0, at).join('/') || '/', place: readCellName(name.slice(0, -'.json'.length)) };
}

async function exportCell(
  directory: LabDirectory,
  cell: Cell,
  to: string,
  progress: Progress<keyof typeof STAGES>,
  signal: AbortSignal,
): Promise<void> {
  progress('space', 0, null);
  const kept = await directory.space(cell);
  const text = kept === null || 'reason' in kept ? await makeSpace(cell) : kept;
  const run = openRun({ place: cell, study: directory.study, state: null });
  while (!run.done) {
    run.advance();
    progress('train', run.step, directory.study.settings.steps);
    await breath();
    signal.throwIfAborted();
  }
  checkSame(run, cell, directory.cellPath(cell));
  const files = [
    ...worldExport(worldOf(cell.world, cell.horizon)),
    ...cellExport(run, directory.study.panels),
  ];
  await mkdir(to, { recursive: true }).catch((error: Error) => {
    throw new CollapseAwareError('CA_FILE_UNWRITABLE', error.message, { place: { file: to } });
  });
  const native = writerNamed('native');
  let written = 0;
  await writeExport(
    files,
    readSpaceText(text),
    (name) => {
      progress('write', written++, files.length);
      return native.open(join(to, name), { signal });
    },
    (name, content) => writeFileAtomic(join(to, name), content, { signal }),
  );
}

/** Numbers of a processor that rounds otherwise, or of another version, would be of another policy. */
function checkSame(run: TrainingRun, cell: Cell, path: string): void {
  const history = (steps: readonly unknown[]) => JSON.stringify(steps);
  if (history(run.history) === history(cell.history) && run.selected.step === cell.selected.step) return;
  throw new CollapseAwareError('CA_FORMAT_INVALID', 'trained again, the run is not the one of the cell', {
    place: { file: path },
    todo: 'Make the cell again here: remove it and give the command that made it.',
  });
}

function commandsFor(folder: string): string {
  const at = (name: string) => quoted(join(folder, name));
  const audits = EXPORT_AUDITS.map(({ file, reference, options, figures }) => {
    const people = reference === null ? '' : ` --reference ${at(reference)}`;
    const more = options.length === 0 ? '' : ` ${options.join(' ')}`;
    return `  collapse-aware audit ${at(file)}${people} --space ${at(SPACE_FILE)}${more}\n    (${figures.join(', ')})`;
  });
  return [
    `Written to ${folder}. The figures of the cell again:`,
    ...audits,
    'What to train on:',
    `  collapse-aware curate ${at('rollouts.jsonl')} --reference ${at('people-with-policy.jsonl')} -o ${at('curated')}`,
  ].join('\n');
}

const quoted = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
