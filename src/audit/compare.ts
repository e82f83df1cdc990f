import type { Embedder } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { EqualSize } from '../metrics/index.ts';
import { type BehaviourSpace, compareRuns, type Profile, type View } from '../space/index.ts';
import { checkProfile } from '../space/profile-check.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { VERSION } from '../version.ts';
import {
  COMPARISON_SCHEMA,
  type ComparedSide,
  type Comparison,
  type ComparisonConfound,
  comparedFigures,
} from './compare-data.ts';
import {
  commonRange,
  commonSize,
  comparePopulations,
  compareSimulators,
  type Side,
} from './compare-figures.ts';
import { type Labels, readSides } from './compare-sides.ts';
import { comparisonHeadline, populationFigures, simulatorFigures } from './compare-words.ts';
import { type Evidence, embedderOf, fit } from './fit.ts';
import { measureSamples } from './measure.ts';
import type { AuditOptions, Records } from './options.ts';
import { place } from './place.ts';
import type { AuditReport } from './report-data.ts';
import { samplesOf } from './samples.ts';

export interface CompareInput {
  /** Episodes of each side; read twice. */
  readonly a: Records;
  readonly b: Records;
  /** People to compare both with. Without them, people found beside simulators on both sides are the reference. */
  readonly people?: Records;
  /** A saved space to place both in, instead of fitting one on both. */
  readonly space?: BehaviourSpace;
  readonly embedder?: Embedder;
}

type Account = Omit<AuditReport['input'], 'duplicates'>;

export interface CompareNaming {
  readonly labels?: Labels;
  /** The account of each side's files, asked for once they were read. */
  readonly account?: () => { readonly a: Account; readonly b: Account };
}

export interface Compared {
  readonly comparison: Comparison;
  readonly space: BehaviourSpace;
  readonly a: Profile;
  readonly b: Profile;
}

/**
 * Two runs in one space: fitted on both (equally many rows of a simulator that both hold), on people, or given.
 * Both are compared under one control, unit and size, and each figure has the interval of its difference B - A.
 * @throws CA_INPUT_EMPTY, CA_SPACE_TOO_SMALL, CA_SPACE_MISMATCH, CA_PANEL_OVERLAP, CA_USAGE.
 */
export async function compare(
  input: CompareInput,
  options: AuditOptions = {},
  naming: CompareNaming = {},
): Promise<Compared> {
  const labels = naming.labels ?? { a: 'A', b: 'B' };
  const sides = await readSides(input, labels, options);
  const account = naming.account?.();
  const fitted: { space: BehaviourSpace; embedder: Embedder; evidence: Evidence | null } =
    input.space === undefined
      ? await fit(sides.sample, sides.people, {
          ...options,
          ...(input.embedder === undefined ? {} : { embedder: input.embedder }),
        })
      : { space: input.space, embedder: embedderOf(input.space, input.embedder), evidence: null };
  const { space, embedder, evidence } = fitted;
  const total = sides.rows.a + sides.rows.b;
  let before = 0;
  const placing = async (records: Records, people: readonly Trajectory[]) => {
    const profile = await place(records, people, space, embedder, {
      ...options,
      onProgress: (stage, done) => options.onProgress?.(stage, before + done, total),
    });
    before += profile.size;
    return profile;
  };
  const a = await placing(sides.a, sides.people);
  const b = await placing(sides.b, []);
  return {
    comparison: compareProfiles(
      a,
      b,
      space,
      options,
      { labels, ...(account && { account: () => account }) },
      evidence,
    ),
    space,
    a,
    b,
  };
}

/**
 * The same of rows placed before. Rows of A and B are never one, however alike; people of either side are the
 * reference of both.
 */
export function compareProfiles(
  a: Profile,
  b: Profile,
  space: BehaviourSpace,
  options: AuditOptions = {},
  naming: CompareNaming = {},
  evidence: Evidence | null = null,
): Comparison {
  options.onProgress?.('measure', 0, null);
  // Rows placed just now need no check.
  if (evidence === null) for (const profile of [a, b]) checkProfile(profile, space);
  const labels = naming.labels ?? { a: 'A', b: 'B' };
  const views = compareRuns(
    [a, b],
    space,
    options.classes === undefined ? {} : { classes: options.classes },
  ) as [View, View];
  checkHeldOut(views, options.heldOut ?? []);
  const [first, second] = views.map((view) => samplesOf(view, space));
  const size = commonSize(first!, second!);
  const range = commonRange(first!, second!, options.rewardRange);
  const accounts = naming.account?.();
  const side = (samples: Side['samples'], account: Account | undefined): Side => {
    const own: AuditOptions = {
      ...options,
      ...(range === null ? {} : { rewardRange: range }),
      heldOut: (options.heldOut ?? []).filter((name) => samples.view.simulators.includes(name)),
    };
    const input = accountFor(samples.view, account);
    return { samples, options: own, report: measureSamples(samples, space, input, own, size, evidence) };
  };
  return comparisonOf(side(first!, accounts?.a), side(second!, accounts?.b), size, range, labels);
}

function comparisonOf(
  a: Side,
  b: Side,
  size: EqualSize | null,
  range: readonly [number, number] | null,
  labels: Labels,
): Comparison {
  const { pairs, relative } = comparePopulations(a, b, size, range);
  const { bdi, ...populations } = populationFigures(pairs);
  const { view } = a.samples;
  const units = [a, b].map(({ samples }) => new Set(samples.view.rows.unit));
  const comparison: Comparison = {
    schema: COMPARISON_SCHEMA,
    version: VERSION,
    headline: '',
    space: {
      id: view.space,
      k: view.k,
      control: view.control,
      controlReason: view.reason,
      unit: view.unit,
      unitReason: view.unitReason,
    },
    basis: 'rows',
    method: `jackknife of the difference: ${view.unit}s of both sides leave both at once`,
    units: {
      a: units[0]!.size,
      b: units[1]!.size,
      shared: [...units[0]!].filter((unit) => units[1]!.has(unit)).length,
    },
    a: sideOf(a.report, labels.a),
    b: sideOf(b.report, labels.b),
    ...populations,
    bdi: { ...bdi, relative, g0: size?.contexts ?? null },
    simulators: simulatorFigures(compareSimulators(a, b, size, labels)),
    confounds: confoundsBetween(a.samples.view, b.samples.view, labels),
  };
  return { ...comparison, headline: comparisonHeadline(comparedFigures(comparison), labels) };
}

export function sideOf(report: AuditReport, label: string): ComparedSide {
  return {
    label,
    headline: report.headline,
    version: report.version,
    kept: report.input.kept,
    simulators: report.simulators.length,
    diagnosis: report.diagnosis,
    confounds: report.confounds,
  };
}

function accountFor(view: View, account: Account | undefined): AuditReport['input'] {
  let rows = 0;
  let people = 0;
  for (let row = 0; row < view.profile.size; row++) view.profile.peek(row).part === null ? rows++ : people++;
  if (account !== undefined) return { ...account, duplicates: Math.max(0, account.kept - rows) };
  const reference = people === 0 ? null : { rows: people, kept: people };
  return { files: [], rows, kept: rows, duplicates: 0, dropped: [], reference };
}

function checkHeldOut(views: readonly View[], heldOut: readonly string[]): void {
  const known = [...new Set(views.flatMap(({ simulators }) => simulators))].sort();
  for (const name of heldOut)
    if (!known.includes(name))
      throw new CollapseAwareError(
        'CA_USAGE',
        `--held-out names "${name}", which is a simulator of neither side`,
        { todo: `the simulators are ${known.join(', ')}` },
      );
}

/** Policy and task can move every figure; a comparison that changes them as well cannot tell which did. */
export function confoundsBetween(a: View, b: View, labels: Labels): ComparisonConfound[] {
  const found: ComparisonConfound[] = [];
  const [policies, contexts] = (['policy', 'context'] as const).map((column) =>
    [a, b].map((view) => new Set(Array.from(view.rows[column], (at) => listOf(view, column)[at]!))),
  );
  const policy = policyConfound(policies![0]!, policies![1]!, labels);
  if (policy !== null) found.push(policy);
  const [first, second] = contexts as [Set<string>, Set<string>];
  const shared = [...first].filter((context) => second.has(context)).length;
  if (2 * shared < Math.max(first.size, second.size))
    found.push({
      kind: 'context',
      text: `${labels.a} and ${labels.b} share ${shared} of ${new Set([...first, ...second]).size} contexts: part of a difference can be what the episodes were about`,
    });
  return found;
}

function listOf(view: View, column: 'policy' | 'context'): readonly string[] {
  return column === 'policy' ? view.policies : view.contexts;
}

const SHOWN = 3;

export function policyConfound(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  labels: Labels,
): ComparisonConfound | null {
  const equal = a.size === b.size && [...a].every((policy) => b.has(policy));
  if (equal) return null;
  const list = (policies: ReadonlySet<string>) => {
    const names = [...policies].sort();
    return `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
  };
  return {
    kind: 'policy',
    text: `${labels.a} met ${list(a)}, ${labels.b} met ${list(b)}: a difference cannot be told from what those policies draw out of users`,
  };
}
