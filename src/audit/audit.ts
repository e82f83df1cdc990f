import type { Embedder } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { BehaviourSpace, Profile } from '../space/index.ts';
import { checkProfile } from '../space/profile-check.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { type Evidence, embedderOf, fit } from './fit.ts';
import { measure } from './measure.ts';
import { type AuditOptions, isHuman, type Records, withoutPeople } from './options.ts';
import { pageData } from './page-data.ts';
import { place } from './place.ts';
import type { AuditPage, AuditReport } from './report-data.ts';
import { type Scan, scan } from './scan.ts';

export interface AuditInput {
  /** Episodes under audit; read twice. */
  readonly records: Records;
  /** People to compare with. Without them, people found among the records are the reference. */
  readonly people?: Records;
  /** A saved space to place the rows in, instead of fitting one. */
  readonly space?: BehaviourSpace;
  readonly embedder?: Embedder;
}

export interface Audit {
  readonly report: AuditReport;
  readonly page: AuditPage;
  readonly space: BehaviourSpace;
  readonly profile: Profile;
}

export interface AuditNaming {
  readonly title?: string;
  /** When, for the page; the pipeline reads no clock. */
  readonly created?: string;
  /** The account of the input files, asked for once they were read. */
  readonly account?: () => Omit<AuditReport['input'], 'duplicates'>;
}

/**
 * The whole pipeline in one call: read, fit a space, place every episode, measure, diagnose.
 * @throws CA_INPUT_EMPTY, CA_SPACE_TOO_SMALL, CA_SPACE_MISMATCH, CA_PANEL_OVERLAP, CA_USAGE.
 */
export async function audit(
  input: AuditInput,
  options: AuditOptions = {},
  naming: AuditNaming = {},
): Promise<Audit> {
  const scanned = await scan(input.records, options);
  if (scanned.rows === 0) throw new CollapseAwareError('CA_INPUT_EMPTY', 'no episode to audit');
  const parted = await partPeople(input, scanned, options);
  const account = naming.account?.() ?? accountOf(scanned, parted);
  const { space, embedder, evidence } = await fitOrRestore(input, parted, options);
  const profile = await place(parted.records, parted.people, space, embedder, {
    ...options,
    total: scanned.rows,
    known: scanned.known ?? null,
  });
  return {
    ...measured(profile, space, account, options, naming, evidence),
    space,
    profile,
  };
}

/** Report and page of rows that were placed before (a saved or merged profile). */
export function auditProfile(
  profile: Profile,
  space: BehaviourSpace,
  options: AuditOptions = {},
  naming: AuditNaming = {},
): Audit {
  checkProfile(profile, space);
  let rows = 0;
  for (let row = 0; row < profile.size; row++) if (profile.peek(row).part === null) rows += 1;
  const people = profile.size - rows;
  const account = naming.account?.() ?? {
    files: [],
    rows,
    kept: rows,
    dropped: [],
    reference: people === 0 ? null : { rows: people, kept: people },
  };
  return { ...measured(profile, space, account, options, naming, null), space, profile };
}

function measured(
  profile: Profile,
  space: BehaviourSpace,
  account: Omit<AuditReport['input'], 'duplicates'>,
  options: AuditOptions,
  naming: AuditNaming,
  evidence: Evidence | null,
): { report: AuditReport; page: AuditPage } {
  options.onProgress?.('measure', 0, null);
  let distinct = 0;
  for (let row = 0; row < profile.size; row++) if (profile.peek(row).part === null) distinct += 1;
  const duplicates = Math.max(0, account.kept - distinct);
  const { report, view } = measure(profile, space, { ...account, duplicates }, options, evidence);
  const titles = { title: naming.title ?? 'Simulator audit', created: naming.created ?? '' };
  return { report, page: pageData(report, view, space, titles) };
}

interface Parted {
  readonly records: Records;
  readonly sample: readonly Trajectory[];
  readonly people: readonly Trajectory[];
}

/** People are the reference wherever they come from; a file of people alone is audited as it is. */
async function partPeople(input: AuditInput, scanned: Scan, options: AuditOptions): Promise<Parted> {
  if (input.people !== undefined) {
    const { sample } = await scan(input.people, { ...options, sampleLimit: Number.MAX_SAFE_INTEGER });
    if (sample.length === 0)
      throw new CollapseAwareError('CA_INPUT_EMPTY', 'the reference holds no episode of people');
    return { records: input.records, sample: scanned.sample, people: sample };
  }
  const kinds = [...scanned.simulators.values()];
  const mixed = kinds.some(({ human }) => human) && kinds.some(({ human }) => !human);
  if (!mixed) return { records: input.records, sample: scanned.sample, people: [] };
  const people: Trajectory[] = [];
  for await (const trajectory of input.records()) if (isHuman(trajectory)) people.push(trajectory);
  return {
    records: withoutPeople(input.records),
    sample: scanned.sample.filter((trajectory) => !isHuman(trajectory)),
    people,
  };
}

async function fitOrRestore(input: AuditInput, parted: Parted, options: AuditOptions) {
  if (input.space !== undefined)
    return { space: input.space, embedder: embedderOf(input.space, input.embedder), evidence: null };
  return fit(parted.sample, parted.people, {
    evenIfTooSmall: true,
    ...options,
    ...(input.embedder === undefined ? {} : { embedder: input.embedder }),
  });
}

function accountOf(scanned: Scan, parted: Parted): Omit<AuditReport['input'], 'duplicates'> {
  const people = parted.people.length;
  return {
    files: [],
    rows: scanned.rows,
    kept: scanned.rows,
    dropped: [],
    reference: people > 0 ? { rows: people, kept: people } : null,
  };
}
