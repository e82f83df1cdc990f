import { Command } from 'commander';
import { type Audit, type AuditOptions, audit, auditProfile, type Records, scan } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { FileSummary } from '../formats/index.ts';
import { renderCard, renderPage, terminalSummary } from '../report/index.ts';
import { encodeSpace, mergeProfiles } from '../space/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { dryRun, nothingToSend } from './dry-run.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import { enforce, type FailFlags, withFailOnOptions } from './fail-on.ts';
import {
  checkInput,
  checkUnchanged,
  type InputFlags,
  inputAccount,
  openInput,
  positiveNumber,
  withInputOptions,
} from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  auditOptions,
  bucketArgument,
  type MeasureFlags,
  refuseModesOfSpace,
  withMeasureOptions,
} from './measure-options.ts';
import { PLACING, refuseOptions } from './no-effect.ts';
import { checkNoInputReplaced, checkOutputs, type Outputs } from './output-files.ts';
import { isProfile, readProfile, writeProfile } from './profile-file.ts';
import { followStages, type Progress } from './progress.ts';
import { openReference, type ReferenceFlags, withReferenceOptions } from './reference-options.ts';
import { readSpace } from './space-file.ts';
import { STAGES, type Stage } from './stages.ts';
import { show, tell } from './terminal.ts';

export interface AuditFlags extends InputFlags, ReferenceFlags, EmbedderFlags, MeasureFlags, FailFlags {
  readonly json?: string | true;
  /** false = `--no-html`; true = commander's default of a negatable option. */
  readonly html?: string | boolean;
  readonly title: string;
  readonly card?: string;
  readonly space?: string;
  readonly saveSpace?: string;
  readonly saveProfile?: string;
  readonly sample?: number;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

const PAGE = 'collapse-audit.html';

const EXAMPLES = `
Examples:
  $ collapse-aware audit rollouts/*.jsonl --reference people.jsonl
  $ collapse-aware audit runs/*.json.gz --held-out gpt-5,grok-4 --json report.json
  $ collapse-aware audit sims/*.jsonl.gz --map sims.yaml --reference people.jsonl.gz --reference-map people.yaml
  $ collapse-aware audit dump/*.jsonl --by 10 --fail-on 'scd.pooled2.low>0.7'
  $ cat rollouts.jsonl | collapse-aware audit - --json

Exit status: 0 done, 1 done and --fail-on was met, 2 wrong usage, 3 input that cannot be used.`;

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('Rollout files to collapse metrics with intervals, a diagnosis and one HTML page.')
    .argument('<files...>', 'rollout files, patterns, folders, saved profiles, or - for standard input');
  withMeasureOptions(withReferenceOptions(command));
  command
    .option('--json [file]', 'write the report as JSON; without a file to standard output')
    .option('--html <file>', `where the page goes (default: ${PAGE}; none with --json alone)`)
    .option('--no-html', 'write no page')
    .option('--title <text>', 'title of the page', 'Simulator audit')
    .option('--card <dir>', 'write card.json and card.md to publish with a data set')
    .option('--space <file>', 'place the rows in this saved space instead of fitting one')
    .option('--save-space <file>', 'save the fitted space')
    .option('--save-profile <file>', 'save the placed rows')
    .option('--by <epoch|steps>', 'figures by epoch, or by buckets of that many steps', bucketArgument)
    .option('--sample <n>', 'audit at most n episodes of each simulator', positiveNumber)
    .option('--dry-run', 'say what would be read and embedded, and stop')
    .option('-q, --quiet', 'no progress');
  withFailOnOptions(command, 'scd.pooled2.low>0.7');
  withEmbedderOptions(withInputOptions(command));
  return command.addHelpText('after', EXAMPLES).action(runAudit);
}

async function runAudit(paths: string[], flags: AuditFlags): Promise<void> {
  const signal = interruptSignal();
  checkOutputs(outputsOf(flags));
  refuseModesOfSpace(flags);
  if (flags.dryRun === true) return dryAudit(paths, flags);
  const done = await followStages(
    STAGES,
    async (progress) => {
      const result = (await areProfiles(paths))
        ? await auditSaved(paths, flags, { ...auditOptions(flags), signal })
        : await auditFiles(paths, flags, progress, signal);
      progress('write', 0, null);
      await writeOutputs(result, flags, signal);
      return result;
    },
    flags.quiet,
  );
  if (flags.json === true) process.stdout.write(`${JSON.stringify(done.report, null, 2)}\n`);
  else show(terminalSummary(done.report));
  const page = pagePath(flags);
  if (page !== null) tell(`page: ${page}`);
  enforce(flags.failOn, done.report, flags.failOnNull === true);
}

async function dryAudit(paths: readonly string[], flags: AuditFlags): Promise<void> {
  if (await areProfiles(paths)) return nothingToSend('saved profiles');
  const people = await openReference(flags);
  const input = await openInput(paths, flags);
  await dryRun(
    [
      { input, use: flags.sample ?? 'all' },
      ...(people === null ? [] : [{ input: people, use: 'all' as const }]),
    ],
    flags,
  );
}

/** Fits a space and audits rollout files. */
async function auditFiles(
  paths: readonly string[],
  flags: AuditFlags,
  progress: Progress<Stage>,
  signal: AbortSignal,
): Promise<Audit> {
  const input = await openInput(paths, flags);
  const people = await openReference(flags);
  const space = flags.space === undefined ? undefined : await readSpace(flags.space);
  const { embedder, usage } = await openEmbedder(flags, signal);
  const strict = flags.strict === true;
  let counted: readonly FileSummary[] = [];
  const options: AuditOptions = { ...auditOptions(flags), signal, onProgress: progress };
  const result = await audit(
    {
      records: flags.sample === undefined ? input.records : sampled(input.records, flags.sample, options),
      ...(people === null ? {} : { people: people.records }),
      ...(space === undefined ? {} : { space }),
      ...(embedder === null ? {} : { embedder }),
    },
    options,
    {
      title: flags.title,
      created: new Date().toISOString(),
      account: () => {
        checkInput(input.files(), strict);
        if (people !== null) checkInput(people.files(), strict);
        counted = input.files();
        checkNoInputReplaced(outputsOf(flags), [...counted, ...(people?.files() ?? [])]);
        return inputAccount(input.files(), people?.files() ?? null);
      },
    },
  ).catch((error: unknown) => {
    // Nothing usable: the files' own faults say more than "no episode".
    if (error instanceof CollapseAwareError && error.code === 'CA_INPUT_EMPTY') {
      checkInput(input.files(), strict);
      if (people !== null) checkInput(people.files(), strict);
    }
    throw error;
  });
  checkUnchanged(counted, input.files());
  reportUsage(usage);
  return result;
}

/** The n episodes of each simulator that come first by hash: the same ones in every run of one seed. */
export function sampled(records: Records, each: number, options: AuditOptions): Records {
  let sample: ReturnType<typeof scan> | null = null;
  return async function* () {
    sample ??= scan(records, { ...options, perSimulator: each });
    yield* (await sample).sample;
  };
}

async function areProfiles(paths: readonly string[]): Promise<boolean> {
  const found: boolean[] = [];
  // One after another: thousands of files would be more than may be open at once.
  for (const path of paths) found.push(await isProfile(path));
  if (found.some((is) => is) && !found.every((is) => is))
    throw new CollapseAwareError('CA_USAGE', 'saved profiles and rollout files are given together', {
      todo: 'place the files first: collapse-aware profile FILES --space SPACE -o FILE',
    });
  return found.length > 0 && found.every((is) => is);
}

/** Measures rows that were placed before. */
async function auditSaved(
  paths: readonly string[],
  flags: AuditFlags,
  options: AuditOptions,
): Promise<Audit> {
  if (flags.space === undefined)
    throw new CollapseAwareError('CA_USAGE', 'a saved profile is measured in the space it was placed in', {
      todo: 'add --space FILE',
    });
  if (flags.reference !== undefined)
    throw new CollapseAwareError('CA_USAGE', 'saved profiles bring their people with them', {
      todo: 'place the people too (profile --people) and give that profile as well, instead of --reference',
    });
  refuseOptions(PLACING, flags, 'the rows of a saved profile are placed already');
  const space = await readSpace(flags.space);
  const profiles: Awaited<ReturnType<typeof readProfile>>[] = [];
  for (const path of paths) profiles.push(await readProfile(path));
  const naming = { title: flags.title, created: new Date().toISOString() };
  return auditProfile(mergeProfiles(profiles), space, options, naming);
}

function outputsOf(flags: AuditFlags): Outputs {
  return {
    '--html': pagePath(flags),
    '--json': typeof flags.json === 'string' ? flags.json : null,
    '--save-space': flags.saveSpace,
    '--save-profile': flags.saveProfile,
    '--card': flags.card === undefined ? null : `${flags.card}/card.json`,
  };
}

function pagePath(flags: AuditFlags): string | null {
  if (flags.html === false) return null;
  if (typeof flags.html === 'string') return flags.html;
  return flags.json === true ? null : PAGE;
}

async function writeOutputs(result: Audit, flags: AuditFlags, signal: AbortSignal): Promise<void> {
  const write = (path: string, content: string) => writeFileAtomic(path, content, { signal });
  const page = pagePath(flags);
  if (page !== null) await write(page, renderPage(result.page));
  if (typeof flags.json === 'string') await write(flags.json, `${JSON.stringify(result.report, null, 2)}\n`);
  if (flags.saveSpace !== undefined) await write(flags.saveSpace, encodeSpace(result.space));
  if (flags.saveProfile !== undefined) await writeProfile(flags.saveProfile, result.profile, signal);
  if (flags.card !== undefined) {
    const card = renderCard(result.report);
    await write(`${flags.card}/card.json`, `${JSON.stringify(card.json, null, 2)}\n`);
    await write(`${flags.card}/card.md`, card.markdown);
  }
}
