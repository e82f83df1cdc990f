import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { CurationManifest, InputFile } from '../curation/manifest.ts';
import type { ExportName, Recipe } from '../curation/recipe.ts';
import { EXPORTS } from '../curation/recipe-schema.ts';
import {
  curate,
  EXPORT_FILES,
  hashFile,
  type JudgeSpending,
  OutputFolder,
  openJudge,
  writeCuration,
} from '../curator/index.ts';
import { CollapseAwareError, type DroppedRow } from '../errors.ts';
import type { FileSummary } from '../formats/index.ts';
import { curationSummary } from '../report/index.ts';
import { cacheHome } from '../store/index.ts';
import { dryCurate } from './curate-dry-run.ts';
import { curatePlanCommand } from './curate-plan.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import {
  checkInput,
  checkUnchanged,
  type InputFiles,
  type InputFlags,
  names,
  openInput,
  wholeNumber,
  withInputOptions,
} from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { refuseModesOfSpace } from './measure-options.ts';
import { checkNoInputWithin } from './output-files.ts';
import { followStages, type Progress } from './progress.ts';
import { readRecipeFile } from './recipe-file.ts';
import { openReference, type ReferenceFlags, withReferenceOptions } from './reference-options.ts';
import { readSpace } from './space-file.ts';
import { show, tell } from './terminal.ts';

interface CurateFlags extends InputFlags, ReferenceFlags, EmbedderFlags {
  readonly recipe?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly space?: string;
  readonly k?: number;
  readonly seed?: number;
  readonly export?: ExportName[];
  readonly title: string;
  readonly page: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

const STAGES = {
  read: 'Read episodes',
  gate: 'Pass the gate',
  fit: 'Fit the behaviour space',
  place: 'Place episodes',
  plan: 'Weigh and batch',
  measure: 'Measure before and after',
  write: 'Write',
} as const;

const EXAMPLES = `
Examples:
  $ collapse-aware curate rollouts/*.jsonl --reference people.jsonl -o curated/
  $ collapse-aware curate rollouts/*.jsonl --recipe recipe.yaml -o curated/
  $ collapse-aware curate plan --intent "robust to impatient users, keep quality strict" -o recipe.yaml

What is written: rows.jsonl (and other exports of the recipe), weights.jsonl, batches.jsonl, dropped.jsonl,
flagged.jsonl (what the gate only noted), recipe.yaml (every default written out), curation.html,
manifest.json. Equal input, recipe and version give equal bytes.

Exit status: 0 done, 2 wrong usage or recipe, 3 input that cannot be used.`;

export function curateCommand(): Command {
  const command = new Command('curate')
    .description('Quality gate, weights and batches: rollout files to the data that a trainer should see.')
    .argument('<files...>', 'rollout files, patterns or folders')
    .option('-o, --output <folder>', 'where the curated data go')
    .option('--recipe <file>', 'what to do, as YAML or JSON (docs/recipe.md; default: the standard recipe)')
    .option('--seed <number>', "seed of every draw, instead of the recipe's", seedArgument)
    .option(
      '--export <formats>',
      `what to write, by comma: ${EXPORTS.join(', ')} (instead of the recipe's)`,
      exports,
    )
    .option('--force', 'replace an earlier curation in the folder');
  withReferenceOptions(command);
  command
    .option('--space <file>', 'place the rows in this saved space instead of fitting one')
    .option('--k <number>', 'number of modes (default: n_fit / 15, at most 64)', wholeNumber)
    .option('--title <text>', 'title of the page', 'Curation')
    .option('--no-page', 'write no page')
    .option('--json', 'print the manifest to standard output')
    .option('--dry-run', 'pass the gate by rules, say what would be dropped and asked, write nothing')
    .option('-q, --quiet', 'no progress');
  withEmbedderOptions(withInputOptions(command));
  return command.addHelpText('after', EXAMPLES).addCommand(curatePlanCommand()).action(runCurate);
}

async function runCurate(paths: string[], flags: CurateFlags): Promise<void> {
  const signal = interruptSignal();
  refuseModesOfSpace(flags);
  const recipe = steered(await readRecipeFile(flags.recipe), flags);
  if (flags.dryRun === true)
    return dryCurate(
      await openInput(paths, flags),
      await openReference(flags),
      recipe,
      flags.strict === true,
    );
  const { output } = flags;
  if (output === undefined || output.trim() === '')
    throw new CollapseAwareError('CA_USAGE', 'nothing says where the curated data go', {
      todo: 'add -o FOLDER (or --dry-run)',
    });
  const folder = await OutputFolder.open(output, { replace: flags.force === true, signal });
  try {
    const manifest = await followStages(
      STAGES,
      (progress) => curateInto(folder, output, paths, flags, recipe, progress, signal),
      flags.quiet,
    );
    if (flags.json === true) process.stdout.write(`${JSON.stringify(manifest, null, 2)}\n`);
    else show(curationSummary(manifest));
    for (const name of recipe.export) tell(`rows: ${join(output, EXPORT_FILES[name])}`);
    if (flags.page) tell(`page: ${join(output, 'curation.html')}`);
  } catch (error) {
    await folder.abort();
    throw error;
  }
}

async function curateInto(
  folder: OutputFolder,
  output: string,
  paths: readonly string[],
  flags: CurateFlags,
  recipe: Recipe,
  progress: Progress<keyof typeof STAGES>,
  signal: AbortSignal,
): Promise<CurationManifest> {
  const unread: DroppedRow[] = [];
  let reading = 0;
  let first: readonly FileSummary[] = [];
  const input = await openInput(paths, flags, false, (row) => {
    if (reading === 1) unread.push(row);
  });
  const records = () => {
    // After the first reading it is known which files there are.
    if (reading === 1) {
      first = input.files();
      checkNoInputWithin(output, first);
    }
    reading += 1;
    return input.records();
  };
  const people = await openReference(flags);
  const { embedder, usage } = await openEmbedder(flags, signal);
  const votes = recipe.gate?.judge == null ? null : await folder.lines('votes.jsonl');
  const judge =
    recipe.gate?.judge == null
      ? null
      : openJudge(recipe.gate.judge, {
          cacheDirectory: cacheHome(),
          signal,
          log: (line) => votes!.write(line),
        });
  try {
    const curated = await curate(
      {
        records,
        ...(people === null ? {} : { people: people.records }),
        ...(flags.space === undefined ? {} : { space: await readSpace(flags.space) }),
        ...(embedder === null ? {} : { embedder }),
      },
      recipe,
      {
        signal,
        onProgress: progress,
        ...(judge === null ? {} : { judge }),
        ...(flags.k === undefined ? {} : { k: flags.k }),
      },
    ).catch((error: unknown) => {
      // Nothing usable: the files' own faults say more than "no episode".
      if (error instanceof CollapseAwareError && error.code === 'CA_INPUT_EMPTY')
        checkAll(input, people, flags);
      throw error;
    });
    checkAll(input, people, flags);
    await votes?.close();
    const manifest = await writeCuration(folder, records, curated, {
      title: flags.title,
      inputs: await hashed(input.files(), signal),
      reference: people === null ? null : await hashed(people.files(), signal),
      judge: judge?.account() ?? null,
      unread,
      page: flags.page,
      signal,
      onProgress: progress,
    });
    // Rows without a reader were noted by the first reading, and are counted by the last.
    checkUnchanged(first, input.files());
    await folder.commit();
    reportUsage(usage);
    if (judge !== null) reportSpending(manifest.judge?.model ?? '', judge.spending());
    return manifest;
  } finally {
    await judge?.close();
  }
}

function checkAll(input: InputFiles, people: InputFiles | null, { strict }: CurateFlags): void {
  checkInput(input.files(), strict === true);
  // People are read after the gate: where nothing passes it there is nothing to say of them.
  if (people !== null && people.files().length > 0) checkInput(people.files(), strict === true);
}

function reportSpending(model: string, spent: JudgeSpending): void {
  tell(
    `${model}: ${spent.asked} calls, ${spent.promptTokens} tokens in, ${spent.completionTokens} out, ${spent.failed} failures, ${spent.fromCache} answers from the cache`,
  );
}

async function hashed(files: readonly FileSummary[], signal: AbortSignal): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const { path, format, rows, kept, error } of files) {
    const hash = error === null ? await hashFile(path, signal).catch(() => null) : null;
    found.push({
      path,
      format: format ?? 'unknown',
      bytes: hash?.bytes ?? null,
      sha256: hash?.sha256 ?? null,
      rows,
      kept,
      error: error === null ? null : { code: error.code, message: error.message },
    });
  }
  return found;
}

/** As a recipe takes it: what is written into recipe.yaml can be read again. */
function seedArgument(text: string): number {
  const seed = wholeNumber(text);
  if (seed < 0) throw new InvalidArgumentError('give 0 or more');
  return seed;
}

/** The recipe with what the command line says instead. */
function steered(recipe: Recipe, flags: CurateFlags): Recipe {
  return {
    ...recipe,
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.export === undefined ? {} : { export: flags.export }),
  };
}

function exports(text: string): ExportName[] {
  const asked = names(text);
  const unknown = asked.find((name) => !(EXPORTS as readonly string[]).includes(name));
  if (asked.length === 0 || unknown !== undefined)
    throw new InvalidArgumentError(
      `${unknown === undefined ? 'no format' : `"${unknown}" is no format`}: give some of ${EXPORTS.join(', ')}`,
    );
  return EXPORTS.filter((name) => asked.includes(name));
}
