import { Command } from 'commander';
import { type AuditOptions, type Comparison, compare, compareProfiles, type Labels } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { FileSummary } from '../formats/index.ts';
import { compareReports, comparisonSummary, renderComparison } from '../report/index.ts';
import { type BehaviourSpace, encodeSpace } from '../space/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { sampled } from './audit.ts';
import { kindOfSide, labelsOf, readReport, type SideKind } from './compare-input.ts';
import { type DryInput, dryRun, nothingToSend } from './dry-run.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import { enforce, type FailFlags, withFailOnOptions } from './fail-on.ts';
import {
  checkInput,
  checkUnchanged,
  type InputFiles,
  type InputFlags,
  inputAccount,
  openInput,
  positiveNumber,
  withInputOptions,
} from './input.ts';
import { interruptSignal } from './interrupt.ts';
import {
  auditOptions,
  type MeasureFlags,
  refuseModesOfSpace,
  withMeasureOptions,
} from './measure-options.ts';
import { MEASURING, PLACING, refuseOptions } from './no-effect.ts';
import { checkNoInputReplaced, checkOutputs, type Outputs } from './output-files.ts';
import { readProfile } from './profile-file.ts';
import { followStages, type Progress } from './progress.ts';
import { openReference, type ReferenceFlags, withReferenceOptions } from './reference-options.ts';
import { readSpace } from './space-file.ts';
import { STAGES, type Stage } from './stages.ts';
import { show, tell } from './terminal.ts';

interface CompareFlags extends InputFlags, ReferenceFlags, EmbedderFlags, MeasureFlags, FailFlags {
  readonly labelA?: string;
  readonly labelB?: string;
  readonly json?: string | true;
  readonly html?: string | boolean;
  readonly title?: string;
  readonly space?: string;
  readonly saveSpace?: string;
  readonly sample?: number;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

const PAGE = 'collapse-comparison.html';

const EXAMPLES = `
A and B are each a file, a folder or a quoted pattern of rollouts; or, with --space, a saved profile; or a report
that audit --json wrote. One space is fitted for both, and every figure has the interval of its difference B - A.

Examples:
  $ collapse-aware compare before.jsonl after.jsonl
  $ collapse-aware compare 'runs/base/*.jsonl' 'runs/new/*.jsonl' --label-a base --label-b new
  $ collapse-aware compare v1.jsonl v2.jsonl --reference people.jsonl --fail-on 'bdi.headline.difference.high<0'
  $ collapse-aware compare 1.profile 2.profile --space space.json --json comparison.json
  $ collapse-aware compare before.jsonl after.jsonl --fail-on 'scd.pooled2.difference.low>0'

Exit status: 0 done, 1 done and --fail-on was met, 2 wrong usage, 3 input that cannot be used.`;

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('Two runs in one behaviour space: every figure with the interval of its difference.')
    .argument('<a>', 'rollouts (file, folder, quoted pattern), saved profile, or report')
    .argument('<b>', 'the same, to be compared with A');
  withMeasureOptions(withReferenceOptions(command));
  command
    .option('--label-a <text>', 'what A is called (default: its file name)')
    .option('--label-b <text>', 'what B is called (default: its file name)')
    .option('--json [file]', 'write the comparison as JSON; without a file to standard output')
    .option('--html <file>', `where the page goes (default: ${PAGE}; none with --json alone)`)
    .option('--no-html', 'write no page')
    .option('--title <text>', 'title of the page (default: the two labels)')
    .option('--space <file>', 'place both sides in this saved space instead of fitting one')
    .option('--save-space <file>', 'save the fitted space')
    .option('--sample <n>', 'compare at most n episodes of each simulator on each side', positiveNumber)
    .option('--dry-run', 'say what would be read and embedded, and stop')
    .option('-q, --quiet', 'no progress');
  withFailOnOptions(command, 'scd.pooled2.difference.low>0');
  withEmbedderOptions(withInputOptions(command));
  return command.addHelpText('after', EXAMPLES).action(runCompare);
}

interface Result {
  readonly comparison: Comparison;
  readonly space: BehaviourSpace | null;
}

async function runCompare(a: string, b: string, flags: CompareFlags): Promise<void> {
  const signal = interruptSignal();
  checkOutputs(outputsOf(flags));
  refuseModesOfSpace(flags);
  const kind = await sameKind(a, b);
  if (flags.dryRun === true) return dryCompare(a, b, kind, flags);
  const labels = labelsOf(a, b, flags);
  const { comparison } = await followStages(
    STAGES,
    async (progress) => {
      const options: AuditOptions = { ...auditOptions(flags), signal, onProgress: progress };
      const result =
        kind === 'report'
          ? { comparison: await fromReports(a, b, flags, labels), space: null }
          : kind === 'profile'
            ? await fromProfiles(a, b, flags, options, labels)
            : await fromRollouts(a, b, flags, options, labels, progress);
      progress('write', 0, null);
      await writeOutputs(result, flags, signal);
      return result;
    },
    flags.quiet,
  );
  if (flags.json === true) process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
  else show(comparisonSummary(comparison));
  const page = pagePath(flags);
  if (page !== null) tell(`page: ${page}`);
  enforce(flags.failOn, comparison, flags.failOnNull === true);
}

async function dryCompare(a: string, b: string, kind: SideKind, flags: CompareFlags): Promise<void> {
  if (kind !== 'rollouts') return nothingToSend(kind === 'profile' ? 'saved profiles' : 'reports');
  const inputs: DryInput[] = [];
  for (const side of [a, b])
    inputs.push({ input: await openInput([side], flags), use: flags.sample ?? 'all' });
  const people = await openReference(flags);
  if (people !== null) inputs.push({ input: people, use: 'all' });
  await dryRun(inputs, flags);
}

async function sameKind(a: string, b: string): Promise<SideKind> {
  const [first, second] = [await kindOfSide(a), await kindOfSide(b)];
  if (first !== second)
    throw new CollapseAwareError(
      'CA_USAGE',
      `${a} is ${NOUN[first]}, ${b} is ${NOUN[second]}: both sides must be of one kind`,
      { todo: 'place rollouts first: collapse-aware profile FILES --space SPACE -o FILE' },
    );
  return first;
}

const NOUN: Readonly<Record<SideKind, string>> = {
  rollouts: 'rollouts',
  profile: 'a saved profile',
  report: 'a report',
};

async function fromReports(a: string, b: string, flags: CompareFlags, labels: Labels): Promise<Comparison> {
  refuseOptions(MEASURING, flags, 'two reports are measured already');
  return compareReports(await readReport(a), await readReport(b), labels);
}

async function fromProfiles(
  a: string,
  b: string,
  flags: CompareFlags,
  options: AuditOptions,
  labels: Labels,
): Promise<Result> {
  if (flags.space === undefined)
    throw new CollapseAwareError('CA_USAGE', 'saved profiles are compared in the space they were placed in', {
      todo: 'add --space FILE',
    });
  if (flags.reference !== undefined)
    throw new CollapseAwareError('CA_USAGE', 'saved profiles bring their people with them', {
      todo: 'place the people too (profile --people) and merge, instead of --reference',
    });
  refuseOptions(PLACING, flags, 'the rows of a saved profile are placed already');
  const space = await readSpace(flags.space);
  const [first, second] = [await readProfile(a), await readProfile(b)];
  return { comparison: compareProfiles(first, second, space, options, { labels }), space };
}

async function fromRollouts(
  a: string,
  b: string,
  flags: CompareFlags,
  options: AuditOptions,
  labels: Labels,
  progress: Progress<Stage>,
): Promise<Result> {
  const signal = options.signal!;
  const strict = flags.strict === true;
  let counted: (readonly FileSummary[])[] = [];
  const sides = { a: await openInput([a], flags), b: await openInput([b], flags) };
  const people = await openReference(flags);
  const space = flags.space === undefined ? undefined : await readSpace(flags.space);
  const { embedder, usage } = await openEmbedder(flags, signal);
  const inputs: InputFiles[] = [sides.a, sides.b, ...(people === null ? [] : [people])];
  const records = (input: InputFiles) =>
    flags.sample === undefined ? input.records : sampled(input.records, flags.sample, options);
  const result = await compare(
    {
      a: records(sides.a),
      b: records(sides.b),
      ...(people === null ? {} : { people: people.records }),
      ...(space === undefined ? {} : { space }),
      ...(embedder === null ? {} : { embedder }),
    },
    { ...options, onProgress: progress },
    {
      labels,
      account: () => {
        for (const input of inputs) checkInput(input.files(), strict);
        counted = inputs.map((input) => input.files());
        checkNoInputReplaced(outputsOf(flags), counted.flat());
        const reference = people?.files() ?? null;
        return {
          a: inputAccount(sides.a.files(), reference),
          b: inputAccount(sides.b.files(), reference),
        };
      },
    },
  ).catch((error: unknown) => {
    // Nothing usable: the files' own faults say more than "no episode".
    if (error instanceof CollapseAwareError && error.code === 'CA_INPUT_EMPTY')
      for (const input of inputs) if (input.files().length > 0) checkInput(input.files(), strict);
    throw error;
  });
  inputs.forEach((input, i) => {
    checkUnchanged(counted[i]!, input.files());
  });
  reportUsage(usage);
  return result;
}

function outputsOf(flags: CompareFlags): Outputs {
  return {
    '--html': pagePath(flags),
    '--json': typeof flags.json === 'string' ? flags.json : null,
    '--save-space': flags.saveSpace,
  };
}

function pagePath(flags: CompareFlags): string | null {
  if (flags.html === false) return null;
  if (typeof flags.html === 'string') return flags.html;
  return flags.json === true ? null : PAGE;
}

async function writeOutputs(result: Result, flags: CompareFlags, signal: AbortSignal): Promise<void> {
  const { comparison, space } = result;
  const write = (path: string, content: string) => writeFileAtomic(path, content, { signal });
  const page = pagePath(flags);
  if (page !== null) {
    const titles = { created: new Date().toISOString(), ...(flags.title && { title: flags.title }) };
    await write(page, renderComparison(comparison, titles));
  }
  if (typeof flags.json === 'string') await write(flags.json, `${JSON.stringify(comparison, null, 2)}\n`);
  if (flags.saveSpace !== undefined && space !== null) await write(flags.saveSpace, encodeSpace(space));
}
