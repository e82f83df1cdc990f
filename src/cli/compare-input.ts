import type { AuditReport, Labels } from '../audit/index.ts';
import { openSource } from '../formats/index.ts';
import { decodeReport } from '../report/index.ts';
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
  return decodeReport(await (await openSource(path)).text(), path);
}

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
