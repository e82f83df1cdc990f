import { AUDIT_SCHEMA, type AuditReport, type Labels } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { openSource } from '../formats/index.ts';
import { isProfile } from './profile-file.ts';

export type SideKind = 'rollouts' | 'profile' | 'report';

/** What a side is, by its first bytes; folders and patterns are rollouts. */
export async function kindOfSide(path: string): Promise<SideKind> {
  if (path === '-') return 'rollouts';
  if (await isProfile(path)) return 'profile';
  try {
    const { text } = await (await openSource(path)).head();
    return /^\s*\{\s*"schema"\s*:\s*"collapse-aware\/audit@/.test(text) ? 'report' : 'rollouts';
  } catch {
    return 'rollouts';
  }
}

/** @throws CA_JSON_INVALID, CA_FORMAT_INVALID where it is not a report of this version's schema. */
export async function readReport(path: string): Promise<AuditReport> {
  const text = await (await openSource(path)).text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CollapseAwareError('CA_JSON_INVALID', `the report is not whole: ${(cause as Error).message}`, {
      place: { file: path },
      todo: 'write it again with audit --json FILE',
    });
  }
  const report = value as Partial<AuditReport>;
  if (report.schema !== AUDIT_SCHEMA || !REQUIRED.every((key) => report[key] != null))
    throw new CollapseAwareError('CA_FORMAT_INVALID', `this is no report of schema ${AUDIT_SCHEMA}`, {
      place: { file: path },
      todo: 'write it again with audit --json FILE of this version',
    });
  return value as AuditReport;
}

const REQUIRED = ['space', 'simulators', 'scd', 'bdi', 'psod', 'epsilon', 'health', 'input'] as const;

/** What the sides are called: as given, else by file name, the whole path or a letter where that is the same. */
export function labelsOf(
  a: string,
  b: string,
  given: { readonly labelA?: string; readonly labelB?: string },
): Labels {
  const short = [a, b].map(nameOf) as [string, string];
  const [first, second] =
    short[0] !== short[1] ? short : a !== b ? [a, b] : [`${short[0]} (A)`, `${short[1]} (B)`];
  return { a: given.labelA ?? first, b: given.labelB ?? second };
}

function nameOf(path: string): string {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? path;
  return name.replace(/(?:\.(?:jsonl?|ndjson|csv|parquet|profile|gz|zst|xlsx))+$/i, '') || path;
}
