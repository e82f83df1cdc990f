import { stringify } from 'yaml';
import type { Records } from '../audit/index.ts';
import { CHECKS } from '../curation/gate/index.ts';
import type { CurationManifest, InputFile, JudgeAccount } from '../curation/manifest.ts';
import type { ExportName } from '../curation/recipe.ts';
import { knownChecks } from '../curation/recipe-defaults.ts';
import { writtenRecipe } from '../curation/written-recipe.ts';
import type { DroppedRow } from '../errors.ts';
import { type TrajectoryFile, writerNamed } from '../formats/index.ts';
import { renderCuration } from '../report/index.ts';
import type { Curated } from './curate.ts';
import { DroppedExamples, type DroppedLine, unreadLine } from './dropped.ts';
import { manifestOf } from './manifest-of.ts';
import type { LineFile, OutputFolder } from './output-folder.ts';
import { batchLines, weightLines } from './plan-lines.ts';
import type { CurateProgress } from './progress.ts';
import { gateLines, noteLines, stageLine } from './reasons.ts';
import { RowFinder, signalsOf } from './signals.ts';
import { changedFile, judgedAgain } from './verdicts.ts';

/** File of each export, as a trainer is pointed at it. */
export const EXPORT_FILES: Readonly<Record<ExportName, string>> = {
  native: 'rows.jsonl',
  parquet: 'rows.parquet',
  trl: 'trl.parquet',
  verl: 'verl.parquet',
  verifiers: 'verifiers.jsonl',
};

export interface WriteCurationOptions {
  readonly title?: string;
  readonly inputs: readonly InputFile[];
  readonly reference: readonly InputFile[] | null;
  readonly judge: JudgeAccount | null;
  /** Rows that no reader could use. */
  readonly unread: readonly DroppedRow[];
  /** False: no page (default: curation.html). */
  readonly page?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: CurateProgress;
}

/**
 * Reads the rows once more and writes what a trainer takes: the exports of the recipe, weights.jsonl, batches.jsonl,
 * dropped.jsonl, flagged.jsonl (what the gate only noted), recipe.yaml (every default written out), the page and, last,
 * manifest.json. Equal input, recipe and version give equal bytes. The folder is not put in place yet: `commit` it.
 */
export async function writeCuration(
  folder: OutputFolder,
  records: Records,
  curated: Curated,
  options: WriteCurationOptions,
): Promise<CurationManifest> {
  const { plan, recipe } = curated;
  const opening = { signal: options.signal, signals: true };
  const exports: { name: string; file: TrajectoryFile }[] = [];
  const examples = new DroppedExamples();
  let dropped: LineFile | null = null;
  let flagged: LineFile | null = null;
  try {
    for (const name of recipe.export) {
      const file = EXPORT_FILES[name];
      const path = await folder.path(file);
      const open = () => writerNamed(name).open(path, opening);
      exports.push({ name: file, file: await folder.writing(file, open) });
    }
    dropped = await folder.lines('dropped.jsonl');
    const drop = async (line: DroppedLine) => {
      examples.add(line);
      await dropped!.write(line);
    };
    if (hasNotes(curated)) flagged = await folder.lines('flagged.jsonl');
    for (const row of options.unread) await drop(unreadLine(row));
    const finder = new RowFinder(plan);
    let [read, written] = [0, 0];
    for await (const { episode, hash, kept } of judgedAgain(
      records,
      curated.sifted.verdicts,
      curated.withoutPeople,
    )) {
      if (++read % 64 === 0) {
        options.signal?.throwIfAborted();
        options.onProgress?.('write', read, curated.sifted.rows);
      }
      const row = kept ? finder.take(episode, hash) : -1;
      if (kept && row < 0) throw changedFile(episode);
      if (kept && flagged !== null)
        for (const line of noteLines(curated, episode, hash)) await flagged.write(line);
      if (row < 0) for (const line of gateLines(curated, episode, hash)) await drop(line);
      else if (plan.trained[row] === 0) await drop(stageLine(curated, episode, hash, row));
      else {
        const signals = signalsOf(plan, row);
        for (const { name, file } of exports) await folder.writing(name, () => file.write(episode, signals));
        written += 1;
      }
    }
    for (const { name, file } of exports) {
      await folder.writing(name, () => file.close());
      await folder.add(name, written);
    }
    await dropped.close();
    await flagged?.close();
    options.onProgress?.('write', read, read);
  } catch (error) {
    for (const { file } of exports) await file.abort();
    throw error;
  }
  await writeLines(folder, 'weights.jsonl', weightLines(plan));
  if (plan.batches !== null) await writeLines(folder, 'batches.jsonl', batchLines(plan));
  if (curated.allocation !== null)
    await folder.writeText('allocation.json', `${JSON.stringify(curated.allocation, null, 2)}\n`);
  await folder.writeText('recipe.yaml', stringify(writtenRecipe(recipe, knownChecks(ownChecks(curated)))));
  const page = { title: options.title ?? 'Curation', dropped: examples.list() };
  if (options.page !== false)
    await folder.writeText(
      'curation.html',
      renderCuration({ ...page, manifest: manifestOf(curated, options, folder.files()) }),
    );
  const manifest = manifestOf(curated, options, folder.files());
  await folder.writeText('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Names in the recipe that the built-in gate does not know. */
function ownChecks({ recipe }: Curated): string[] {
  const known = new Set(CHECKS.map(({ name }) => name));
  return Object.keys(recipe.gate?.actions ?? {}).filter(
    (name) => !known.has(name) && !name.startsWith('judge:'),
  );
}

/** Whether the gate noted anything of a row that it let pass, or may have. */
function hasNotes({ sifted }: Curated): boolean {
  return sifted.checks.some(({ found, dropped, unchecked }) => found > dropped || unchecked > 0);
}

async function writeLines(folder: OutputFolder, name: string, lines: Iterable<unknown>): Promise<void> {
  const file = await folder.lines(name);
  for (const line of lines) await file.write(line);
  await file.close();
}
