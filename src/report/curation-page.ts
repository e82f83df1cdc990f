import type { CurationPage, DroppedExample } from '../curation/manifest.ts';
import { curationSummary } from './curation-summary.ts';
import { fill } from './page.ts';
import { readTemplate } from './template.ts';

/** Of a dropped row's reason and evidence, in UTF-16 units: enough to see why, no whole dialogue. */
const EVIDENCE = 600;

/**
 * One self-contained HTML page of a curation, before and after: the same prebuilt page, content security policy
 * and inert data as an audit's. It holds no time, so equal manifests give equal bytes; what dropped rows said is
 * clipped. Readers without scripts get `curationSummary`.
 * @throws CA_PAGE_NOT_BUILT
 */
export function renderCuration(page: CurationPage, template: string = readTemplate()): string {
  const clipped = { ...page, dropped: page.dropped.map(clippedExample) };
  return fill(template, { kind: 'curation', page: clipped }, curationSummary(page.manifest));
}

function clippedExample(example: DroppedExample): DroppedExample {
  return { ...example, reason: clipped(example.reason), evidence: clipped(example.evidence) };
}

/** Cut between characters, never inside a surrogate pair; the cut is marked. */
function clipped(text: string): string {
  if (text.length <= EVIDENCE) return text;
  const end = /[\ud800-\udbff]/.test(text[EVIDENCE - 1]!) ? EVIDENCE - 1 : EVIDENCE;
  return `${text.slice(0, end)} …`;
}
